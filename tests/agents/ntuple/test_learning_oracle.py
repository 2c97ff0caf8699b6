"""The compiled learner against a naive one, game by game."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from greedy import greedy_columns
from naive_td import CloseCallError, Grid, NaiveLearner, NaiveRule, NaiveStarts, stones
from numpy.typing import NDArray

from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.agents.ntuple.layout import Layout
from connectlab.agents.ntuple.selfplay import LOOK_BACK
from connectlab.agents.ntuple.starts import Starts
from connectlab.agents.ntuple.step_sizes import RULES
from connectlab.agents.ntuple.training import NTupleLearner
from connectlab.game import Geometry, Outcome, Position, PositionBatch
from connectlab.game.streams import GAMMA, below, mix, uniform
from connectlab.solver import Solver
from connectlab.training.learner import LearnerError, Metrics
from naive_streams import Stream

BLOCK = 4
"""Games after which weights are compared. Both then go on from the compiled learner's weights, so
that rounding cannot add up until the two choose different moves."""

PLACES = 12
"""Positions that the learners note before they forget the oldest: soon, so that it is seen."""

BOARDS = {
    "4x4x3": {"columns": 4, "rows": 4, "connect": 3},
    "5x4x3": {"columns": 5, "rows": 4, "connect": 3},
    "4x4x4": {"columns": 4, "rows": 4, "connect": 4},
    "5x5x4": {"columns": 5, "rows": 5, "connect": 4},
}
BASE: dict[str, Any] = {
    "tuples": 5,
    "length": 4,
    "creation": "walk",
    "alpha": 0.05,
    "epsilon": 0.2,
    "initial_weights": 0.02,
    "trace_lambda": 0.0,
    "traces": "et",
}
ALPHAS = {"tcl": 0.2, "tcl-linear": 0.2, "tcl-exp": 0.2, "alpha-bounds": 1.0}

NETWORKS: dict[str, dict[str, Any]] = {
    f"{board}-P{states}-{tables}table-{'mirror' if mirror else 'plain'}-{weights:g}": {
        **BOARDS[board],
        "states": states,
        "tables": tables,
        "mirror": mirror,
        "initial_weights": weights,
    }
    for board, states, tables, mirror, weights in (
        ("4x4x3", 3, 1, False, 0.02),
        ("4x4x3", 4, 2, True, 0.0),
        ("5x4x3", 3, 2, True, 0.02),
        ("5x4x3", 4, 1, True, 0.0),
        ("4x4x4", 3, 1, True, 0.0),
        ("4x4x4", 4, 2, False, 0.02),
        ("5x5x4", 4, 2, True, 0.02),
        ("5x5x4", 3, 2, False, 0.0),
    )
}
LEARNERS: dict[str, dict[str, Any]] = {
    f"{rule}-{lam:g}-{traces}": {
        "rule": rule,
        "trace_lambda": lam,
        "traces": traces,
        "alpha": ALPHAS.get(rule, 0.05),
        "theta": 2.0,
        "mu": 0.05,
    }
    for rule in RULES
    for lam, traces in (
        (0.0, "et"),
        (0.0, "rr"),
        (0.8, "et"),
        (0.8, "res"),
        (0.8, "rep"),
        (0.8, "rr"),
    )
}


@dataclass
class Pair:
    """The same learner twice."""

    compiled: NTupleLearner
    naive: NaiveLearner
    keys: NDArray[np.int64]
    """Where the naive learner keeps each weight of the compiled one."""

    @classmethod
    def create(cls, config: NTupleConfig) -> "Pair":
        compiled = NTupleLearner(config)
        if config.restarts:
            compiled._starts = Starts(np.zeros(PLACES, np.uint64), np.zeros(1, np.int64))
        layout = compiled.network.layout
        size = config.tables * layout.all_states
        rule = RULES[config.rule]
        parameter = getattr(config, rule.parameter) if rule.parameter else 0.0
        naive = NaiveLearner(
            config.columns,
            config.rows,
            config.connect,
            layout.tuples,
            config.states,
            config.tables,
            config.mirror,
            np.zeros(size),
            NaiveRule(
                config.rule,
                parameter,
                np.zeros((size, rule.numbers)),
                linear=config.output == "linear",
            ),
            config.gamma,
            config.trace_lambda,
            config.replace,
            config.reset,
            config.bounded,
            config.updates,
            config.safe_second,
            config.restarts,
            config.surprise,
            config.haste,
            LOOK_BACK,
            NaiveStarts(PLACES),
        )
        pair = cls(compiled, naive, naive_keys(layout, config.tables))
        pair.follow()
        return pair

    def follow(self) -> None:
        """Let the naive learner go on from the state of the compiled one."""
        self.naive.weights[self.keys] = self.compiled.network.weights
        self.naive.rule.greatest_pull = float(self.compiled._shared[0])
        for column, numbers in enumerate(self.compiled_memory()):
            self.naive.rule.memory[self.keys, column] = numbers
        self.naive.starts = NaiveStarts(PLACES, self.compiled_starts(), self.compiled_noted)

    @property
    def compiled_noted(self) -> int:
        return int(self.compiled._starts.noted[0])

    def compiled_starts(self) -> list[Grid]:
        """The positions that the compiled learner has noted."""
        keys = self.compiled._starts.keys[: self.compiled_noted].tolist()
        return [grid_of(key, self.compiled.config) for key in keys]

    def compiled_memory(self) -> list[NDArray[np.float32]]:
        """The numbers that the compiled rule keeps: the first of every weight, the second, …"""
        memory = self.compiled._memory
        columns = [*memory.pairs.T, memory.third_number]
        return [numbers for numbers in columns if len(numbers)]

    def learn_block(self) -> bool:
        """Learn some games both ways; return False if a choice of the games was too close."""
        config, first = self.compiled.config, self.compiled.games_done
        rates = self.compiled._rates(first, BLOCK)
        before = self.compiled.plies_done, self.naive.plies
        self.naive.deltas.clear()
        metrics = self.compiled.learn(BLOCK)
        try:
            for game, (alpha, *epsilons) in enumerate(rates.tolist(), start=first):
                self.naive.learn_game(alpha, tuple(epsilons), Stream(config.seed, game))
        except CloseCallError:
            return False
        plies = self.compiled.plies_done - before[0], self.naive.plies - before[1]
        assert plies[0] == plies[1], "they played different games"
        self.compare_metrics(metrics, rates, plies[1] / BLOCK)
        return True

    def compare_metrics(self, found: Metrics, rates: NDArray[np.float64], plies: float) -> None:
        alpha, epsilon, of_second = rates.mean(axis=0)
        td_error = np.abs(self.naive.deltas).mean() if self.naive.deltas else 0.0
        expected = {"alpha": alpha, "epsilon": epsilon, "td_error": td_error, "plies": plies}
        if self.compiled.config.epsilon_second is not None:
            expected["epsilon_second"] = of_second
        assert found == pytest.approx(expected, rel=1e-4, abs=1e-6)

    def compare(self) -> None:
        compared = [(self.naive.weights[self.keys], self.compiled.network.weights)]
        remembered = self.naive.rule.memory[self.keys].T
        compared += zip(remembered, self.compiled_memory(), strict=True)
        for expected, found in compared:
            np.testing.assert_allclose(found, expected, rtol=2e-4, atol=2e-6)
        outside = np.delete(self.naive.weights, self.keys)
        assert not outside.any(), "a state that the layout takes for impossible has occurred"
        assert self.naive.starts.grids == self.compiled_starts()
        assert self.naive.starts.noted == self.compiled_noted


def grid_of(key: int, config: NTupleConfig) -> Grid:
    """Read a key: in each column a marker above the stones, under it a 1 for the first player."""
    grid = []
    for column in range(config.columns):
        content = key >> column * (config.rows + 1) & (2 << config.rows) - 1
        under = bin(content)[3:]  # less "0b" and the marker; the highest stone comes first
        found = [1 if bit == "1" else 2 for bit in reversed(under)]
        grid.append((*found, *[0] * (config.rows - len(found))))
    return tuple(grid)


def naive_keys(layout: Layout, tables: int) -> NDArray[np.int64]:
    """Return where the naive learner keeps each weight: its place among all P^n states."""
    keys = []
    for table in range(tables):
        offset = table * layout.all_states
        for number, cells in enumerate(layout.tuples):
            for state in range(layout.sizes[number]):
                seen = layout.cell_states(number, state)
                keys.append(offset + sum(z * layout.states**j for j, z in enumerate(seen)))
            offset += layout.states ** len(cells)
    return np.array(keys)


def check(games: int, **settings: Any) -> Pair:
    """Compare the two learners after every few games; return them for more questions."""
    pair = Pair.create(NTupleConfig.model_validate({**BASE, "games": games, **settings}))
    start = pair.compiled.network.weights.copy()
    compared = 0
    while pair.compiled.games_done < games:
        if pair.learn_block():
            pair.compare()
            compared += BLOCK
        pair.follow()
    assert compared > 0.7 * games, f"only {compared} games could be compared"
    assert not np.array_equal(start, pair.compiled.network.weights)
    return pair


@pytest.mark.parametrize("network", NETWORKS)
def test_compiled_td_learns_the_same_weights_as_the_naive_learner(network: str) -> None:
    check(120, **NETWORKS[network])


@pytest.mark.parametrize("learner", LEARNERS)
def test_every_rule_and_trace_learns_the_same_weights_as_the_naive_learner(learner: str) -> None:
    network = {**BOARDS["4x4x3"], "states": 4, "tables": 2, "mirror": True}
    check(60, **network, **LEARNERS[learner])


@pytest.mark.parametrize("updates", ["thill", "konen", "framework"])
@pytest.mark.parametrize("traces", ["et", "res", "rep", "rr"])
@pytest.mark.parametrize("lam", [0.0, 0.8])
def test_each_reading_learns_from_the_same_moves_as_the_naive_learner(
    updates: str, traces: str, lam: float
) -> None:
    check(40, **BOARDS["4x4x3"], updates=updates, traces=traces, trace_lambda=lam, epsilon=0.7)


@pytest.mark.parametrize("rule", ["tcl-exp", "alpha-bounds"])
@pytest.mark.parametrize("updates", ["thill", "framework"])
def test_other_rules_read_the_end_of_a_game_as_the_naive_learner(rule: str, updates: str) -> None:
    learner = LEARNERS[f"{rule}-0.8-rr"]
    check(40, **BOARDS["4x4x3"], **{**learner, "updates": updates, "epsilon": 0.7})


@pytest.mark.parametrize(
    ("updates", "traces", "learns"),
    [
        ("thill", "et", False),
        ("thill", "rr", False),
        ("konen", "et", True),
        ("konen", "rep", True),
        ("konen", "res", False),
        ("konen", "rr", False),
        ("framework", "et", True),
        ("framework", "rr", True),
    ],
)
@pytest.mark.parametrize("lam", [0.0, 0.8])
def test_games_at_random_teach_by_their_last_move_or_not_at_all(
    updates: str, traces: str, learns: bool, lam: float
) -> None:
    """With epsilon 1 every move is random, so only the last one can teach."""
    settings = {**BASE, **BOARDS["4x4x3"], "epsilon": 1.0, "games": 20}
    reading = {"updates": updates, "traces": traces, "trace_lambda": lam}
    learner = NTupleLearner(NTupleConfig.model_validate({**settings, **reading}))
    before = learner.network.weights.copy()
    metrics = learner.learn(20)
    assert (not np.array_equal(before, learner.network.weights)) == learns
    assert (metrics["td_error"] > 0) == learns


def test_only_the_position_before_the_last_move_is_taught_where_random_moves_reset() -> None:
    """The framework resets after every random move, so nothing older is eligible at the end."""
    settings = {**BASE, **BOARDS["4x4x3"], "epsilon": 1.0, "games": 20, "updates": "framework"}
    faded, reset = (
        NTupleLearner(
            NTupleConfig.model_validate({**settings, "traces": "rr", "trace_lambda": lam})
        )
        for lam in (0.8, 0.0)
    )
    faded.learn(20)
    reset.learn(20)
    np.testing.assert_allclose(faded.network.weights, reset.network.weights, atol=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("learner", ["fixed-0.8-et", "tcl-exp-0.8-rr", "autostep-0.8-rep"])
def test_every_network_learns_with_traces_as_the_naive_learner(network: str, learner: str) -> None:
    check(240, **{**NETWORKS[network], **LEARNERS[learner]})


@pytest.mark.parametrize("learner", ["fixed-0-et", "tcl-exp-0.8-rr", "alpha-bounds-0.8-et"])
def test_gamma_and_schedules_enter_as_in_the_naive_learner(learner: str) -> None:
    rates = {"gamma": 0.9, "epsilon": "0.5->0.1:sigmoid"}
    alpha = f"{LEARNERS[learner]['alpha']}->0.01"
    check(100, **{**BOARDS["5x4x3"], **LEARNERS[learner], **rates, "alpha": alpha})


@pytest.mark.parametrize("learner", ["fixed-0-et", "tcl-exp-0.8-rr"])
def test_either_player_may_explore_on_its_own(learner: str) -> None:
    board = {**BOARDS["5x4x3"], **LEARNERS[learner]}
    check(60, **{**board, "epsilon": 0.0, "epsilon_second": "0.9->0.2:linear"})
    check(60, **{**board, "epsilon": 0.6, "epsilon_second": 0.0})


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("learner", ["fixed-0-et", "tcl-exp-0.8-rr", "fixed-0.8-res"])
def test_a_careful_second_player_is_that_of_the_naive_learner(board: str, learner: str) -> None:
    careful = {"safe_second": True, "epsilon": 0.4, "epsilon_second": 0.8}
    pair = check(60, **{**BOARDS[board], **LEARNERS[learner], **careful})
    assert pair.naive.forced > 5


@pytest.mark.parametrize("updates", ["thill", "konen", "framework"])
def test_each_reading_learns_from_forced_moves_as_the_naive_learner(updates: str) -> None:
    """With epsilon 1 a careful player still has moves that are no matter of chance."""
    careful = {"safe_second": True, "epsilon": 1.0, "updates": updates, "traces": "rr"}
    pair = check(40, **BOARDS["4x4x3"], **{**careful, "trace_lambda": 0.8})
    assert pair.naive.forced > 5


@pytest.mark.parametrize("network", NETWORKS)
def test_games_begin_where_those_of_the_naive_learner_begin(network: str) -> None:
    pair = check(80, **NETWORKS[network], restarts=0.6, surprise=0.1)
    begun = [stones(grid) for grid in pair.naive.begun]
    assert begun.count(0) > 5
    assert {0, 1} == {n % 2 for n in begun if n > 0}, "either side is the first to move"
    assert pair.compiled_noted > PLACES, "old positions gave way to new ones"


@pytest.mark.parametrize("learner", ["tcl-exp-0-et", "tcl-exp-0.8-rr", "alpha-bounds-0.8-et"])
@pytest.mark.parametrize("updates", ["thill", "konen", "framework"])
def test_other_learners_are_surprised_as_the_naive_learner(learner: str, updates: str) -> None:
    both = {"restarts": 0.8, "surprise": 0.05, "safe_second": True, "epsilon": 0.5}
    pair = check(60, **{**BOARDS["5x4x3"], **LEARNERS[learner], **both, "updates": updates})
    assert pair.compiled_noted > PLACES


def test_nothing_is_noted_where_no_delta_is_a_surprise() -> None:
    pair = check(40, **BOARDS["4x4x3"], restarts=1.0, surprise=2.0)
    assert pair.compiled_noted == 0
    assert not any(stones(grid) for grid in pair.naive.begun)


@pytest.mark.parametrize("rule", ["fixed", "tcl-exp", "idbd"])
@pytest.mark.parametrize("lam", [0.0, 0.8])
def test_bounded_steps_are_those_of_the_naive_learner(rule: str, lam: float) -> None:
    learner = {"rule": rule, "trace_lambda": lam, "traces": "rr", "alpha": 0.4, "bounded": True}
    check(60, **BOARDS["4x4x3"], **learner)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("lam", [0.0, 0.8])
def test_a_linear_output_learns_as_the_naive_learner(rule: str, lam: float) -> None:
    learner = LEARNERS[f"{rule}-{lam:g}-rr"]
    check(60, **{**BOARDS["5x4x3"], **learner, "output": "linear", "haste": 0.02})


@pytest.mark.parametrize(
    "learner", ["fixed-0-et", "tcl-exp-0-et", "fixed-0.8-et", "idbd-mse-0.8-rr"]
)
def test_rewards_fall_with_the_stones_as_those_of_the_naive_learner(learner: str) -> None:
    pair = check(60, **{**BOARDS["4x4x3"], **LEARNERS[learner], "haste": 1 / 15})
    plain = check(60, **{**BOARDS["4x4x3"], **LEARNERS[learner]})
    assert not np.array_equal(pair.compiled.network.weights, plain.compiled.network.weights)


@pytest.mark.parametrize("output", ["tanh", "linear"])
def test_rewards_fall_alike_where_games_begin_later_and_the_second_is_careful(output: str) -> None:
    settings = {"restarts": 0.6, "surprise": 0.1, "safe_second": True, "epsilon": 0.4}
    learner = {**LEARNERS["tcl-exp-0.8-et"], **settings, "haste": 0.04, "output": output}
    pair = check(60, **{**BOARDS["5x4x3"], **learner})
    assert any(stones(grid) > 1 for grid in pair.naive.begun)


@pytest.mark.parametrize("rule", ["fixed", "tcl-exp"])
def test_bounded_steps_of_a_linear_output_are_those_of_the_naive_learner(rule: str) -> None:
    learner = {"rule": rule, "trace_lambda": 0.8, "traces": "et", "alpha": 0.4, "bounded": True}
    check(60, **{**BOARDS["4x4x3"], **learner, "output": "linear", "haste": 0.02})


@pytest.mark.parametrize("traces", ["rr", "et"])
@pytest.mark.parametrize("learner", ["fixed-0-et", "tcl-exp-0-et", "tcl-exp-0.8-rr", "idbd-0.8-et"])
def test_given_games_are_learned_as_by_the_naive_learner(learner: str, traces: str) -> None:
    settings = {**BASE, **BOARDS["4x4x3"], **LEARNERS[learner], "traces": traces, "epsilon": 1.0}
    settings["haste"] = 0.03
    pair = Pair.create(NTupleConfig.model_validate({**settings, "games": 100}))
    start = pair.compiled.network.weights.copy()
    for seed in range(20):
        game = random_game(pair.compiled.config.geometry, seed)
        pair.naive.deltas.clear()
        metrics = pair.compiled.learn_from([game])
        assert game.history is not None
        pair.naive.learn_game(metrics["alpha"], (0.0, 0.0), Stream(0, 0), game.history)
        pair.compare()
        assert metrics["td_error"] == pytest.approx(np.abs(pair.naive.deltas).mean(), rel=1e-4)
        assert metrics["plies"] == game.ply == len(pair.naive.deltas)
        pair.follow()
    assert not np.array_equal(start, pair.compiled.network.weights)
    assert pair.compiled.games_done == 0


def random_game(geometry: Geometry, seed: int) -> Position:
    rng = np.random.default_rng(seed)
    position = Position(geometry)
    while not position.is_over:
        position = position.play(int(rng.choice(position.legal_columns)))
    return position


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("trace_lambda", 0.7),
        ("safe_second", False),
        ("restarts", 0.4),
        ("surprise", 0.2),
        ("look_back", LOOK_BACK - 1),
        ("haste", 0.01),
        ("rule", NaiveRule("fixed", 0.0, np.zeros((0, 0)), linear=True)),
    ],
)
def test_a_learner_that_differs_is_noticed(name: str, value: object) -> None:
    """The comparison itself can fail: the naive learner with another setting ends elsewhere."""
    settings = {"safe_second": True, "restarts": 0.5, "surprise": 0.1, "epsilon": 0.5}
    learner = {**BASE, **BOARDS["4x4x3"], **LEARNERS["fixed-0.8-rr"], **settings, "games": 40}
    pair = Pair.create(NTupleConfig.model_validate(learner))
    setattr(pair.naive, name, value)
    with pytest.raises(AssertionError):
        while pair.compiled.games_done < 40:
            if pair.learn_block():
                pair.compare()
            pair.follow()


def test_learning_in_pieces_gives_the_same_bits() -> None:
    config = NTupleConfig.model_validate(
        {**BASE, **BOARDS["4x4x3"], "rule": "alpha-bounds", "alpha": 1.0, "games": 300}
    )
    whole, pieces = NTupleLearner(config), NTupleLearner(config)
    whole.learn(300)
    pieces.learn(113)
    saved, pieces = pieces.state(), NTupleLearner(config)
    pieces.restore(saved)
    pieces.learn(187)
    assert np.array_equal(whole.network.weights, pieces.network.weights)
    assert np.array_equal(whole._shared, pieces._shared)


def perfect_play(config: NTupleConfig, learner: NTupleLearner) -> list[str]:
    """Return the positions in which the learner's move spoils the outcome, on all its paths.

    The learner plays the side that can force a result; the other side plays every move.
    """
    geometry = config.geometry
    solver = Solver(geometry, table_mb=1, book=False)
    score = solver.solve(Position(geometry)).score
    assert score is not None
    side = score >= 0
    spoiled, pending, known = [], [Position(geometry)], set()
    while pending:
        position = pending.pop()
        if position.outcome is not Outcome.ONGOING or str(position) in known:
            continue
        known.add(str(position))
        if position.first_to_move == side:
            column = chosen(learner, position)
            if np.sign(score_of(solver, position.play(column))) != -np.sign(
                score_of(solver, position)
            ):
                spoiled.append(str(position))
                continue
            pending.append(position.play(column))
        else:
            pending += [position.play(column) for column in position.legal_columns]
    return spoiled


def score_of(solver: Solver, position: Position) -> int:
    score = solver.solve(position).score
    assert score is not None
    return score


def chosen(learner: NTupleLearner, position: Position) -> int:
    return int(greedy_columns(learner.network, PositionBatch.of([position]))[0])


@pytest.mark.parametrize("settings", [{}, {"rule": "tcl-exp", "alpha": 0.1}], ids=["td", "tcl-exp"])
def test_connect_3_on_4x4_is_learned_to_perfect_play(settings: dict[str, Any]) -> None:
    small = {**BOARDS["4x4x3"], "tuples": 20, "length": 6, "games": 30_000, "epsilon": 0.3}
    config = NTupleConfig.model_validate({**small, "alpha": 0.01, **settings})
    learner = NTupleLearner(config)
    assert perfect_play(config, learner), "an untrained network should not play perfectly"
    learner.learn(config.games)
    assert not perfect_play(config, learner)


def test_an_absurd_step_size_stops_with_the_game_and_the_settings() -> None:
    config = NTupleConfig(**BOARDS["4x4x3"], alpha=900, tuples=5, length=4, games=1000)
    with pytest.raises(LearnerError, match=r"in game \d+:.*rule=fixed, alpha=900, lambda=0\.8"):
        NTupleLearner(config).learn(1000)


def test_a_weight_that_is_no_number_stops_the_run() -> None:
    config = NTupleConfig(**BOARDS["4x4x3"], tuples=5, length=4, games=100)
    learner = NTupleLearner(config)
    learner.network.weights[:] = np.nan
    with pytest.raises(LearnerError, match="in game 1:"):
        learner.learn(100)


def test_the_naive_stream_draws_what_the_compiled_one_draws() -> None:
    stream = Stream(7, 3)
    state = mix(np.uint64(7) ^ mix(np.uint64(3)))
    for n in (2, 5, 7):
        state = (int(state) + int(GAMMA)) % 2**64
        assert stream.uniform() == uniform(np.uint64(state))
        state = (state + int(GAMMA)) % 2**64
        assert stream.below(n) == below(np.uint64(state), n)
