"""What the question licenses: the table of licences (`licences.toml`), and the pairs that they let stand for a pair."""

from .rewrites import Rewrite, rewrites
from .table import Licence, LicenceKind, licences

__all__ = ["Licence", "LicenceKind", "Rewrite", "licences", "rewrites"]
