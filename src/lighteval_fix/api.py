"""The public functions: rooms composed, no logic."""

__all__: list[str] = []
__version__ = "0.1.0"
