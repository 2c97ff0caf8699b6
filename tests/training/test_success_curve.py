from pathlib import Path

import pytest

from connectlab.training.curve import save_curve
from connectlab.training.metrics import Evaluation


@pytest.mark.parametrize("n", [1, 30])
@pytest.mark.parametrize("limit", [1.0, 0.5])
def test_a_curve_is_drawn(tmp_path: Path, n: int, limit: float) -> None:
    measures = {"success_rate": 0.5, "success_rate_interval": [0.4, 0.6]}
    measures |= {"evaluation_games": 200, "perfect_success_rate": limit}
    evaluations = [Evaluation(1000 * (number + 1), measures) for number in range(n)]
    save_curve(evaluations, "ntuple quick", tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
