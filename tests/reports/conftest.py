"""A real browser to look at pages with."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Headless chromium from the system, so that nothing is downloaded. No longer than its module: the driver keeps an
    event loop running, and other tests run loops of their own."""
    executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if executable is None:
        pytest.skip("no chromium on this machine (Debian package: chromium)")
    from playwright.sync_api import sync_playwright

    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as p:
        chromium = p.chromium.launch(executable_path=executable, args=flags)
        yield chromium
        chromium.close()
