"""Signing in: consent with PKCE, refresh tokens, assertions of service accounts, revocation."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final
from urllib.parse import urlencode

from laconic.sandbox.google.refusals import GoogleRefusal
from laconic.sandbox.google.site.people import Person
from laconic.sandbox.state import State
from laconic.sandbox.tokens import read_token, signed

__all__ = ["AUDIENCE", "REFRESH", "GoogleSignIn", "OAuthRefusal"]

AUDIENCE: Final = "https://oauth2.googleapis.com/token"
REFRESH: Final = "practice-refresh-token"  # of the practice account, which nobody has to sign in to
_SCOPES: Final = "https://www.googleapis.com/auth/"
_LASTS: Final = 3599
_SKEW: Final = 300  # seconds that an assertion's clock may be off


class OAuthRefusal(Exception):
    """A refusal of the token address."""

    def __init__(self, error: str, description: str, status: int = 400) -> None:
        super().__init__(description)
        self.status = status
        self.body = {"error": error, "error_description": description}


class GoogleSignIn:
    """Consents, grants and tokens; grants are in the state, so that they outlive a process."""

    def __init__(self, secret: bytes = b"practice") -> None:
        self.secret = secret
        self.services: dict[str, dict[str, Any]] = {}  # by e-mail: `key` (PEM), `delegated` (subjects)
        self.clients: dict[str, str] = {"practice": "", "desktop": "desktop-secret"}
        self.lasts: float = _LASTS

    def consented(self, state: State, query: Mapping[str, str], email: str, now: float) -> str:
        """Return where a browser goes after a person agreed."""
        for name in ("client_id", "redirect_uri", "scope", "code_challenge", "state"):
            if not query.get(name):
                raise OAuthRefusal("invalid_request", f"Missing required parameter: {name}")
        if query["client_id"] not in self.clients:
            raise OAuthRefusal("invalid_client", "The OAuth client was not found.", 401)
        if query.get("code_challenge_method") != "S256" or not query["redirect_uri"].startswith(
            "http://127.0.0.1:"
        ):
            raise OAuthRefusal("invalid_request", "This redirect or challenge method is not allowed.")
        code = f"4/{sha256(f'{now} {query}'.encode()).hexdigest()[:40]}"
        state.rows("codes")[code] = {"id": code, "email": email, **dict(query)}  # type: ignore[index]  # by text
        answer = {"state": query["state"], "code": code, "scope": query["scope"]}
        return f"{query['redirect_uri']}?{urlencode(answer)}"

    def exchanged(self, state: State, form: Mapping[str, str], now: float) -> dict[str, Any]:
        """Return tokens for what a client has."""
        match form.get("grant_type"):
            case "authorization_code":
                return self._by_code(state, form, now)
            case "refresh_token":
                return self._by_refresh(state, form, now)
            case "urn:ietf:params:oauth:grant-type:jwt-bearer":
                return self._by_assertion(form, now)
        raise OAuthRefusal("unsupported_grant_type", "Invalid grant_type.")

    def _check_client(self, form: Mapping[str, str]) -> str:
        id = form.get("client_id", "")
        if self.clients.get(id) != form.get("client_secret", ""):
            raise OAuthRefusal("invalid_client", "Unauthorized", 401)
        return id

    def _by_code(self, state: State, form: Mapping[str, str], now: float) -> dict[str, Any]:
        client = self._check_client(form)
        found = state.rows("codes").pop(form.get("code", ""), None)  # type: ignore[call-overload]  # by text
        if found is None or found["client_id"] != client or found["redirect_uri"] != form.get("redirect_uri"):
            raise OAuthRefusal("invalid_grant", "Malformed auth code.")
        digest = sha256(form.get("code_verifier", "").encode()).digest()
        if urlsafe_b64encode(digest).rstrip(b"=").decode() != found["code_challenge"]:
            raise OAuthRefusal("invalid_grant", "Invalid code verifier.")
        scope = found["scope"]
        refresh = f"1//{sha256(form['code'].encode()).hexdigest()[:40]}"
        row = {"id": refresh, "email": found["email"], "scope": scope, "client": client}
        state.rows("grants")[refresh] = row  # type: ignore[index]  # by text
        is_offline = found.get("access_type") == "offline"
        return self._token(found["email"], scope, now) | ({"refresh_token": refresh} if is_offline else {})

    def _by_refresh(self, state: State, form: Mapping[str, str], now: float) -> dict[str, Any]:
        client = self._check_client(form)
        grant = state.rows("grants").get(form.get("refresh_token", ""))  # type: ignore[call-overload]  # by text
        if grant is None or grant["client"] != client:
            raise OAuthRefusal("invalid_grant", "Token has been expired or revoked.")
        return self._token(grant["email"], grant["scope"], now, grant["id"])

    def _by_assertion(self, form: Mapping[str, str], now: float) -> dict[str, Any]:
        claims = self._claims(form.get("assertion", ""))
        if claims.get("aud") != AUDIENCE:
            raise OAuthRefusal("invalid_grant", "Invalid JWT: Failed audience check.")
        issued, ends = claims.get("iat", 0), claims.get("exp", 0)
        if not (
            now - _SKEW - 3600 <= issued <= now + _SKEW and now <= ends + _SKEW and ends - issued <= 3600
        ):
            raise OAuthRefusal(
                "invalid_grant",
                "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
                "Check your iat and exp values in the JWT claim.",
            )
        account, subject = claims["iss"], claims.get("sub")
        if subject and subject not in self.services[account].get("delegated", ()):
            words = "Client is unauthorized to retrieve access tokens using this method."
            raise OAuthRefusal("unauthorized_client", words, 401)
        return self._token(subject or account, claims["scope"], now)

    def _claims(self, assertion: str) -> dict[str, Any]:
        from cryptography.exceptions import InvalidSignature  # slow to import
        from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
        from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.serialization import load_pem_public_key

        try:
            body, _, signature = assertion.rpartition(".")
            claims: dict[str, Any] = json.loads(_unpacked(body.partition(".")[2]))
            key = load_pem_public_key(self.services[claims["iss"]]["key"].encode())
            assert isinstance(key, RSAPublicKey)
            key.verify(_unpacked(signature), body.encode(), PKCS1v15(), SHA256())
        except KeyError:
            raise OAuthRefusal("invalid_grant", "Invalid grant: account not found") from None
        except (ValueError, InvalidSignature):
            raise OAuthRefusal("invalid_grant", "Invalid JWT Signature.") from None
        return claims

    def _token(self, email: str, scope: str, now: float, grant: str = "") -> dict[str, Any]:
        claims = {"email": email, "scope": scope, "exp": now + self.lasts, "grant": grant, "at": now}
        found = {"access_token": f"ya29.{signed(claims, self.secret)}", "expires_in": int(self.lasts)}
        return {**found, "scope": scope, "token_type": "Bearer"}

    def revoked(self, state: State, token: str) -> None:
        """End a token; a refresh token with all that came from it."""
        grants = state.rows("grants")
        if token in grants:  # type: ignore[comparison-overlap]  # by text
            del grants[token]  # type: ignore[arg-type]
            state.spent.append(token)
            return
        claims = read_token(token.removeprefix("ya29."), self.secret)
        if claims is None:
            raise OAuthRefusal("invalid_token", "Token expired or revoked")
        state.spent.append(token)

    def person_of(self, state: State, header: str, now: float) -> Person:
        """Return who sends a request.

        Raises:
            GoogleRefusal: the token is missing, or no longer good.
        """
        token = header.removeprefix("Bearer ")
        claims = read_token(token.removeprefix("ya29."), self.secret) if token.startswith("ya29.") else None
        if claims is None or claims["exp"] <= now or {token, claims["grant"]} & set(state.spent):
            text = "Request had invalid authentication credentials. Expected OAuth 2 access token."
            raise GoogleRefusal(401, "authError", text)
        return Person(claims["email"], [one.removeprefix(_SCOPES) for one in claims["scope"].split()])


def _unpacked(letters: str) -> bytes:
    return urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
