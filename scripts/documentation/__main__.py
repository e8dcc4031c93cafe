"""`python -m scripts.documentation`."""

from scripts.documentation.pages import main

raise SystemExit(main())
