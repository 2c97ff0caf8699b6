"""The compiled search grows the very tree that the naive one grows from the same numbers."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

import pytest
from naive_uct import NaiveUCT
from trees import Tree, tree_of

from connectlab.agents import make_agent
from connectlab.agents.mcts.agent import MCTSAgent
from connectlab.agents.mcts.config import MCTSSettings
from connectlab.game import Geometry, Position
from connectlab.game.notation import format_moves
from naive import NaiveGame

SMALL = Geometry(4, 4, 3)
FIVE = Geometry(5, 4, 4)
STREAM = 123456789


@dataclass(frozen=True)
class Search:
    geometry: Geometry
    moves: str = ""
    iterations: int = 120
    exploration: float = 1.0
    stop_at_win: bool = True
    forced_blocks: bool = False
    transpositions: bool = False
    solver: bool = True
    heuristic: bool = False

    def settings(self, **more: object) -> MCTSSettings:
        given = asdict(self) | more
        for key in ("geometry", "moves"):
            del given[key]
        if given.pop("heuristic"):
            given["rollouts"] = "heuristic"
        return MCTSSettings.model_validate(given)

    def compiled(self, **more: object) -> Tree:
        agent = MCTSAgent(self.settings(**more), self.geometry)
        position = Position.from_moves(self.moves, self.geometry)
        return tree_of(agent.search(position, stream=STREAM), self.geometry)

    def naive(self, **more: Callable[[NaiveGame], object]) -> Tree:
        settings = asdict(self) | more
        moves = [int(move) - 1 for move in settings.pop("moves")]
        iterations = settings.pop("iterations")
        search = NaiveUCT(**(settings | {"geometry": self.geometry}))
        search.search(moves, iterations, STREAM)
        found: Tree = {}

        def walk(game: NaiveGame) -> None:
            node = search.node(game)
            edges = {
                format_moves([column], self.geometry): (node.visits[column], node.totals[column])
                for column in sorted(node.visits)
            }
            found[format_moves(game.history[len(moves) :], self.geometry)] = (edges, node.result)
            for column in node.visits:
                walk(search.after(game, column))

        walk(search.game(moves))
        return found


PLAIN = Search(FIVE, stop_at_win=False, solver=False)


@pytest.mark.parametrize(
    "search",
    [
        PLAIN,
        replace(PLAIN, exploration=0.3, moves="33"),
        replace(PLAIN, geometry=SMALL, iterations=200),
        replace(PLAIN, geometry=Geometry(1, 6, 4)),
        replace(PLAIN, stop_at_win=True),
        replace(PLAIN, forced_blocks=True, moves="3322"),
        replace(PLAIN, solver=True, geometry=SMALL, moves="1122"),
        replace(PLAIN, heuristic=True),
        Search(FIVE, heuristic=True, forced_blocks=True, moves="33"),
        Search(SMALL, iterations=200),
        Search(SMALL, transpositions=True, iterations=200),
        Search(Geometry(3, 3, 3), transpositions=True, iterations=400),
        Search(FIVE, transpositions=True, solver=False, iterations=200),
        Search(FIVE, moves="3333", forced_blocks=True, transpositions=True),
    ],
    ids=str,
)
def test_grows_the_tree_of_the_naive_search(search: Search) -> None:
    assert search.compiled() == search.naive()


def test_another_number_gives_another_tree() -> None:
    """So the comparison above can fail."""
    assert PLAIN.compiled() != replace(PLAIN, exploration=1.01).naive()


def perfect_value(game: NaiveGame) -> float:
    position = Position.from_moves(game.history, SMALL)
    best = max(v for v in OUTCOMES.analyse(position).values or () if v is not None)
    return float(best)


def perfect_prior(game: NaiveGame) -> list[float]:
    policy = OUTCOMES.policy_of(Position.from_moves(game.history, SMALL))
    legal = game.legal_columns()
    return [
        0.75 * chance + 0.25 * ((column in legal) / len(legal))
        for column, chance in enumerate(policy)
    ]


OUTCOMES = make_agent("perfect:objective=outcome,table_mb=1", SMALL)
SPEC = OUTCOMES.spec


@pytest.mark.parametrize("transpositions", [False, True])
def test_values_of_another_player_judge_the_leaves(transpositions: bool) -> None:
    search = Search(SMALL, iterations=60, transpositions=transpositions)
    assert search.compiled(value=SPEC) == search.naive(value=perfect_value)


@pytest.mark.parametrize("solver", [False, True])
def test_the_prior_of_another_player_guides_puct(solver: bool) -> None:
    search = Search(SMALL, iterations=60, solver=solver)
    assert search.compiled(prior=SPEC) == search.naive(prior=perfect_prior)


def test_value_and_prior_work_together() -> None:
    search = Search(SMALL, iterations=60, stop_at_win=False)
    naive = search.naive(value=perfect_value, prior=perfect_prior)
    assert search.compiled(value=SPEC, prior=SPEC) == naive
