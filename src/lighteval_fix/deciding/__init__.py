"""Says whether two answers mean the same: equal with proof, different with proof, or undecided with reason."""

from .decide import answers_equivalent, decide, decide_policies, explain

__all__ = ["answers_equivalent", "decide", "decide_policies", "explain"]
