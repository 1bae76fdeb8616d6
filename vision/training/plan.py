"""The settings of a training run."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings of one training run.

    Attributes:
        steps: number of updates in all.
        batch: views an update.
        rate: highest learning rate, of AdamW.
        last_rate: its value at the end, as a part of the highest; a cosine joins them.
        warm_up: updates over which the rate rises from zero.
        decay: weight decay of the convolutions.
        average: memory of the moving average of the weights.
        threads: threads of torch.
        loaders: processes that prepare views.
        seed: of the views and of the new layers.
        minutes: the run ends after so long at the latest, the rate falling with the time; None
            for no limit. Such a run is not the same on another machine.
    """

    steps: int
    batch: int = 16
    rate: float = 1.5e-3
    last_rate: float = 0.02
    warm_up: int = 200
    decay: float = 5e-4
    average: float = 0.996
    threads: int = 2
    loaders: int = 1
    seed: int = 7
    minutes: float | None = None

    def rate_at(self, step: int, done: float = 0.0) -> float:
        """Return the learning rate of an update.

        Args:
            step: the update, counted from 0.
            done: share of the run that is over where time ends it before the steps do.
        """
        warm = min(1.0, (step + 1) / max(1, self.warm_up))
        done = max(done, step / max(1, self.steps))
        turn = 0.5 * (1 + math.cos(math.pi * min(1.0, done)))
        return self.rate * warm * (self.last_rate + (1 - self.last_rate) * turn)
