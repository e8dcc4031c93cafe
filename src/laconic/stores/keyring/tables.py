"""The table of a keyring."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, Float, MetaData, Table, Text

__all__ = ["TOKENS"]

TOKENS: Final = Table(
    "keyring",
    MetaData(),
    Column("id", Text, primary_key=True),
    Column("digest", Text, nullable=False, unique=True),
    Column("prefix", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("owner", Text, nullable=False),
    Column("scope", Text, nullable=False),
    Column("created_at", Float(53), nullable=False),
    Column("expires_at", Float(53)),
    Column("last_used_at", Float(53)),
)
