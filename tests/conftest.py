"""Laws that name no number of examples take the number of `tests/laws.py`."""

from __future__ import annotations

from hypothesis import settings

from tests import laws  # noqa: F401  registers the profile

settings.load_profile("laws")
