"""A model that says what is written beside each item in `data/TASK/test.jsonl`."""

import json
import os
from pathlib import Path

from lighteval.models.abstract_model import LightevalModel
from lighteval.models.model_output import ModelResponse
from lighteval.utils.cache_management import SampleCache


class ReplayModel(LightevalModel):
    def __init__(self, config):
        self.config = config
        self._cache = SampleCache(config)  # the pipeline reaches for it
        self._data = Path(os.environ.get("REPLAY_DATA", "data"))

    def greedy_until(self, docs):
        return [ModelResponse(input=doc.query, text=self._generations(doc)) for doc in docs]

    def _generations(self, doc):
        task = doc.task_name.partition("|")[0]
        lines = (self._data / task / "test.jsonl").read_text(encoding="utf-8").splitlines()
        return json.loads(lines[int(doc.id)])["generations"][: doc.num_samples]

    def loglikelihood(self, docs):
        raise NotImplementedError

    def loglikelihood_rolling(self, docs):
        raise NotImplementedError

    @property
    def tokenizer(self):
        return None

    @property
    def add_special_tokens(self):
        return False

    @property
    def max_length(self):
        return 4096
