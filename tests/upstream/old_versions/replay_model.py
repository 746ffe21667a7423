"""A model that says "4" in several ways, in the class that LightEval 0.10 and 0.11 want of a custom model."""

from lighteval.models import model_output
from lighteval.models.abstract_model import LightevalModel

SAYS = "Two and two make four.\n\nAnswer: $\\boxed{4}$"


class ReplayModel(LightevalModel):
    def __init__(self, config):
        self.config = config
        try:
            from lighteval.utils.cache_management import SampleCache

            self._cache = SampleCache(config)  # the pipeline of 0.11 reaches for it
        except ImportError:
            self.model_info = _info()

    def greedy_until(self, requests, *_, **__):
        made = getattr(model_output, "GenerativeResponse", None)
        if made is not None:
            return [made(result=[SAYS], input_tokens=[1], generated_tokens=[1]) for _ in requests]
        return [model_output.ModelResponse(input=doc.query, text=[SAYS]) for doc in requests]

    def loglikelihood(self, *_, **__):
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood_single_token = loglikelihood

    @property
    def tokenizer(self):
        return None

    @property
    def add_special_tokens(self):
        return False

    @property
    def max_length(self):
        return 4096


def _info():
    from lighteval.models.abstract_model import ModelInfo

    return ModelInfo(model_name="example/replay")
