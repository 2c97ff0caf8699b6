"""Algorithm 1, compiled, against Table 1 written out, and against automatic differentiation."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from naive_mc import CloseCallError, NaiveLearner, NaiveNetwork, encode
from numpy.typing import NDArray

from connectlab.agents.mlp.config import MLPConfig
from connectlab.agents.mlp.episodes import learn_episode
from connectlab.agents.mlp.records import RMSPROP, make_scratch
from connectlab.agents.mlp.training import MLPLearner
from connectlab.game import Geometry, Position
from naive import NaiveGame, to_cells
from naive_streams import Stream

BOARDS = {
    "4x4x3": {"columns": 4, "rows": 4, "connect": 3},
    "3x5x3": {"columns": 3, "rows": 5, "connect": 3},
    "3x3x4": {"columns": 3, "rows": 3, "connect": 4},  # always drawn
}
LEARNERS: dict[str, dict[str, Any]] = {
    "paper": {},
    "greedy": {"exploit": 1.0},
    "random": {"exploit": 0.0},
    "undiscounted": {"gamma": 1.0, "draw_return": 0.5},
    "both": {"both_sides": True, "draw_return": 0.25},
    "mirrored": {"mirror": True},
    "mean": {"error": "mean"},
    "all": {"both_sides": True, "mirror": True, "gamma": 0.8},
}
Vector = NDArray[np.float64]
BLOCK = 3
"""Games after which weights are compared; both then go on from the compiled learner's."""


@dataclass
class Pair:
    """The two learners; ``naive`` begins with the weights of ``compiled``."""

    compiled: MLPLearner
    naive: NaiveLearner

    @classmethod
    def create(cls, **settings: Any) -> "Pair":
        config = MLPConfig.model_validate({"hidden": 5, "eta": 0.5, "games": 60, **settings})
        own = ("gamma", "exploit", "draw_return", "both_sides", "mirror")
        board = config.columns, config.rows, config.connect
        compiled = MLPLearner(config)
        naive = NaiveLearner(*board, named(compiled), **{k: getattr(config, k) for k in own})
        naive.mean = config.error == "mean"
        return cls(compiled, naive)

    def learn_block(self) -> bool:
        """Learn some games; return whether no choice of the naive learner was too close."""
        config, first = self.compiled.config, self.compiled.games_done
        self.compiled.learn(BLOCK)
        try:
            for number in range(first, first + BLOCK):
                self.naive.learn_game(number, config.seed, config.eta.start)
        except CloseCallError:
            return False
        return True

    def compare(self) -> None:
        network, arrays = self.naive.network, self.compiled.network.arrays
        assert arrays["inputs"] == pytest.approx(network.w1, abs=3e-6)
        assert arrays["thresholds"] == pytest.approx(network.theta1, abs=3e-6)
        assert arrays["outputs"] == pytest.approx(network.w2, abs=3e-6)
        assert arrays["output_threshold"][0] == pytest.approx(network.theta2, abs=3e-6)

    def follow(self) -> None:
        self.naive.network = named(self.compiled)

    def compare_all(self) -> int:
        """Compare block by block; return how many blocks were compared."""
        compared = 0
        while self.compiled.games_done < self.compiled.config.games:
            if self.learn_block():
                self.compare()
                compared += 1
            self.follow()
        return compared


def named(learner: MLPLearner) -> NaiveNetwork:
    """The weights of a learner under the names of Table 1."""
    arrays = {name: a.astype(np.float64) for name, a in learner.network.arrays.items()}
    last = float(arrays["output_threshold"][0])
    return NaiveNetwork(arrays["inputs"], arrays["thresholds"], arrays["outputs"], last)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("learner", LEARNERS)
def test_compiled_learning_is_that_of_table_1(board: str, learner: str) -> None:
    pair = Pair.create(**BOARDS[board], **LEARNERS[learner])
    before = pair.compiled.network.parameters.copy()
    assert pair.compare_all() >= 15
    assert np.array_equal(before, pair.compiled.network.parameters) == (learner == "random")


@pytest.mark.parametrize("changed", [{"gamma": 0.9}, {"both_sides": True}, {"exploit": 0.8}])
def test_a_wrong_rule_is_noticed(changed: dict[str, Any]) -> None:
    """The comparison itself can fail: a naive learner with another rule ends elsewhere."""
    pair = Pair.create(**BOARDS["4x4x3"])
    for name, value in changed.items():
        setattr(pair.naive, name, value)
    with pytest.raises(AssertionError):
        pair.compare_all()


def test_games_of_others_are_learned_in_the_view_of_both_players() -> None:
    pair = Pair.create(**BOARDS["4x4x3"], draw_return=0.5)
    for seed in range(12):
        game = random_game(pair.compiled.config.geometry, seed)
        assert game.history is not None
        moves = [int(column) for column in game.history]
        after = [NaiveGame(4, 4, 3, moves[:n]) for n in range(1, len(moves) + 1)]
        metrics = pair.compiled.learn_from([game])
        pair.naive.learn(after, [True] * len(after), 0, 0.5, both=True)
        pair.compare()
        assert metrics["plies"] == game.ply
        assert metrics["return"] == 0.5
        pair.follow()
    assert pair.compiled.games_done == 0


def random_game(geometry: Geometry, seed: int) -> Position:
    rng = np.random.default_rng(seed)
    position = Position(geometry)
    while not position.is_over:
        position = position.play(int(rng.choice(position.legal_columns)))
    return position


# The gradient


class Episode:
    """A random game of so many plies on the standard board, some moves of which were explored."""

    def __init__(self, learner: MLPLearner, side: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.learner, self.side = learner, side
        self.scratch = make_scratch(learner.network, RMSPROP)
        self.states, self.times = [], []
        position = game = Position()
        plies = random_game(game.geometry, seed).history
        assert plies is not None
        self.plies = len(plies)
        self.visited = (self.plies - side + 1) // 2
        for ply, column in enumerate(plies):
            position = position.play(int(column))
            first, second = position.first_stones, position.occupied ^ position.first_stones
            self.scratch.stones[:, ply] = first, second
            self.scratch.chosen[ply] = rng.random() < 0.7
            if self.scratch.chosen[ply] and ply % 2 == side:
                stones = [to_cells(bits, 7, 6) for bits in (first, second)]
                self.states.append(encode(stones[side], stones[1 - side], 7, 6))
                self.times.append(ply // 2 + 1)

    def step(self, result: float, eta: float) -> NDArray[np.float32]:
        """What the compiled step adds to the parameters."""
        network = self.learner.network
        change = np.zeros_like(network.parameters)
        brain = network.brain
        assert learn_episode(
            self.side,
            self.plies,
            result,
            0.97,
            np.float32(eta),
            False,
            brain.places,
            change,
            brain,
            self.scratch,
        )
        return change


@pytest.mark.parametrize("hidden", [1, 31, 40, 250])
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("result", [0.0, 1.0])
def test_a_step_is_eta_times_minus_the_gradient_of_e(hidden: int, side: int, result: float) -> None:
    import torch

    learner = MLPLearner(MLPConfig(hidden=hidden))
    episode = Episode(learner, side, seed=hidden)
    assert len(episode.states) >= 3
    leaves = {
        name: torch.tensor(array.copy(), dtype=torch.float64, requires_grad=True)
        for name, array in learner.network.arrays.items()
    }
    states = torch.tensor(episode.states, dtype=torch.float64)
    targets = result * 0.97 ** (episode.visited - torch.tensor(episode.times))
    y = torch.sigmoid(states @ leaves["inputs"] - leaves["thresholds"])
    v = torch.sigmoid(y @ leaves["outputs"] - leaves["output_threshold"])
    ((targets - v) ** 2).sum().backward()
    before = learner.network.parameters.copy()
    change = episode.step(result, 0.3)
    assert np.array_equal(before, learner.network.parameters)
    learner.network.parameters[:] = change
    for name, array in learner.network.arrays.items():
        expected = -0.3 * leaves[name].grad.numpy()
        assert np.abs(expected).max() > 1e-4
        assert array == pytest.approx(expected, abs=2e-6), name
    assert not change[:, hidden:].any(), "neurons that fill up a register must stay 0"


def error_of(arrays: dict[str, Vector], episode: Episode, result: float) -> float:
    """E of Eq. (6), the whole episode at once, in 64 bits."""
    states, times = np.array(episode.states), np.array(episode.times)
    y = 1 / (1 + np.exp(arrays["thresholds"] - states @ arrays["inputs"]))
    v = 1 / (1 + np.exp(arrays["output_threshold"] - y @ arrays["outputs"]))
    return float(((result * 0.97 ** (episode.visited - times) - v) ** 2).sum())


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("result", [0.0, 1.0])
def test_a_step_goes_where_small_changes_of_single_weights_lower_e(
    side: int, result: float
) -> None:
    learner = MLPLearner(MLPConfig(hidden=12))
    episode = Episode(learner, side, seed=4)
    arrays = {name: a.astype(np.float64) for name, a in learner.network.arrays.items()}
    learner.network.parameters[:] = episode.step(result, 1.0)
    rng = np.random.default_rng(1)
    for name, change in learner.network.arrays.items():
        for _ in range(40):
            where = tuple(int(rng.integers(n)) for n in change.shape)
            found = []
            for shift in (1e-5, -1e-5):
                moved = {**arrays, name: arrays[name].copy()}
                moved[name][where] += shift
                found.append(error_of(moved, episode, result))
            slope = (found[0] - found[1]) / 2e-5
            assert change[where] == pytest.approx(-slope, abs=3e-6), (name, where)


def test_the_naive_stream_is_read_as_the_kernels_read_theirs() -> None:
    from connectlab.game.streams import GAMMA, below, mix, uniform

    stream = Stream(7, 3)
    state = int(mix(np.uint64(7) ^ mix(np.uint64(3))))
    for n in (2, 5, 7):
        state = (state + int(GAMMA)) % 2**64
        assert stream.uniform() == uniform(np.uint64(state))
        state = (state + int(GAMMA)) % 2**64
        assert stream.below(n) == below(np.uint64(state), n)
