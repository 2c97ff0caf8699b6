"""How submissions keep to the time they have, told by a clock that ticks when it is asked."""

from itertools import count
from pathlib import Path

import pytest
from submissions import question

from connectlab.agents import make_agent
from connectlab.agents.ntuple.agent import load_network
from connectlab.game import Position
from connectlab.integrations.kaggle.players import make_submission
from connectlab.integrations.kaggle.runtime.board import Board
from connectlab.integrations.kaggle.runtime.clock import Clock, OutOfTime
from connectlab.integrations.kaggle.runtime.deepening import deepen
from connectlab.integrations.kaggle.runtime.mcts import MCTSPlayer, TreePlan
from connectlab.integrations.kaggle.runtime.minimax import MinimaxPlayer
from connectlab.integrations.kaggle.runtime.negamax import NegamaxPlayer
from connectlab.integrations.kaggle.runtime.ntuple import NTupleNetwork
from connectlab.integrations.kaggle.runtime.ntuple_search import NTuplePlayer
from connectlab.integrations.kaggle.runtime.perfect import PerfectPlayer
from connectlab.integrations.kaggle.runtime.play import answer
from connectlab.integrations.kaggle.runtime.solver import Prover

BOARD = Board(7, 6, 4)
POSITION = Position.from_moves("44455")
NETWORK = Path(__file__).parents[2] / "golden" / "networks" / "ntuple-7x6-4.safetensors"


class Ticks:
    """A clock that goes on by a step whenever somebody looks at it."""

    def __init__(self, step_s: float) -> None:
        self.step_s, self.time_s = step_s, 0.0

    def __call__(self) -> float:
        self.time_s += self.step_s
        return self.time_s


def ntuple_player(depth: int) -> NTuplePlayer:
    submission = make_submission(make_agent(f"ntuple:{NETWORK}"))
    layout = load_network(str(NETWORK)).layout
    network = NTupleNetwork(BOARD, submission.arrays, layout.states, layout.mirror, 2, 1e6)
    return NTuplePlayer(network, depth, deepens=True)


def mcts_player(iterations: int | None) -> MCTSPlayer:
    return MCTSPlayer(BOARD, TreePlan(iterations, 1.0, False, True, False, True, False, 0.0))


PLAYERS = {
    "minimax": lambda: MinimaxPlayer(BOARD, 9, force_center=False),
    "negamax": lambda: NegamaxPlayer(BOARD, 9),
    "ntuple": lambda: ntuple_player(5),
    "mcts": lambda: mcts_player(1_000_000),
    "mcts by time": lambda: mcts_player(None),
    "perfect": lambda: PerfectPlayer(Prover(BOARD), distance=True),
}


def test_the_soft_limit_leaves_a_fifth_of_the_move() -> None:
    clock = Clock(2.0, 60.0, lambda: 100.0)
    assert clock.soft == pytest.approx(101.6)


def test_the_hard_limit_takes_a_quarter_of_the_purse_above_its_reserve() -> None:
    assert Clock(2.0, 60.0, lambda: 100.0).hard == pytest.approx(101.6 + 12.5)
    assert Clock(2.0, 9.0, lambda: 100.0).hard == pytest.approx(101.6)


def test_a_game_of_moves_to_the_hard_limit_never_empties_the_purse() -> None:
    purse_s = 60.0
    for _ in range(21):
        purse_s -= Clock(2.0, purse_s, lambda: 0.0).hard - 2.0
    assert purse_s > 9.0


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("step_s", [1e-4, 1e-2, 0.1, 3.0])
def test_no_player_looks_far_beyond_the_hard_limit(name: str, step_s: float) -> None:
    player = PLAYERS[name]()
    ticks = Ticks(step_s)
    seen, rules = question(POSITION, act_s=0.1)
    column = answer(player, {**seen, "remainingOverageTime": 12.0}, rules, ticks)
    assert column in POSITION.legal_columns
    assert ticks.time_s < 0.08 + 0.5 + 4 * step_s


@pytest.mark.parametrize("name", ["ntuple", "mcts by time", "perfect"])
def test_players_that_deepen_use_the_time_of_the_move_and_no_more(name: str) -> None:
    ticks = Ticks(1e-4)
    seen, rules = question(POSITION, act_s=0.1)
    answer(PLAYERS[name](), {**seen, "remainingOverageTime": 0.0}, rules, ticks)
    assert 0.05 < ticks.time_s < 0.081


def test_the_fixed_depth_is_reached_on_the_purse_and_nothing_beyond() -> None:
    levels = []

    def search(level: int) -> tuple[int, bool]:
        levels.append(level)
        return level, False

    clock = Clock(0.0, 60.0, Ticks(0.001))
    assert deepen(search, 5, 42, clock) == 5
    assert levels == [1, 3, 5]


def test_deepening_ends_with_the_last_search_that_was_finished() -> None:
    ticks = count()
    clock = Clock(12.5, 0.0, lambda: float(next(ticks)))  # ten looks

    def search(level: int) -> tuple[int, bool]:
        for _ in range(level):
            clock.check()
        return level, False

    assert deepen(search, 2, 42, clock) == 3


def test_deepening_stops_where_nothing_can_change() -> None:
    assert deepen(lambda level: (level, level >= 4), 2, 42, Clock(9.0, 0.0, lambda: 0.0)) == 4


def test_a_search_without_any_time_still_knows_its_shallowest_level() -> None:
    def search(level: int) -> tuple[int, bool]:
        if level > 1:
            raise OutOfTime
        return 7, False

    assert deepen(search, 5, 5, Clock(0.0, 0.0, lambda: 0.0)) == 7


def test_mcts_makes_its_iterations_though_the_move_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = []
    simulate = MCTSPlayer.simulate
    monkeypatch.setattr(
        MCTSPlayer, "simulate", lambda self, root: (made.append(root), simulate(self, root))
    )
    clock = Clock(0.0, 60.0, lambda: 0.0)
    mcts_player(200).policy(POSITION.mover, POSITION.occupied, clock)
    assert len(made) == 200


def test_seconds_are_two_where_the_configuration_says_nothing() -> None:
    ticks = Ticks(1e-3)
    seen, rules = question(POSITION)
    without = {key: value for key, value in rules.items() if key != "actTimeout"}
    answer(mcts_player(None), {**seen, "remainingOverageTime": 0.0}, without, ticks)
    assert 1.5 < ticks.time_s < 1.7
