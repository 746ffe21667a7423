"""On how many examples a law is tried: `make check` sets LAWS=few and tries a fifth, everything else tries all."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

FEW = os.environ.get("LAWS") == "few"


def examples(full: int) -> int:
    """`full`, or a fifth of it (twenty at least) in `make check`."""
    return max(20, full // 5) if FEW else full


settings.register_profile(
    "laws", max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
"""Laws that name no number of examples take this one. None is held to a time: machines are busy."""
