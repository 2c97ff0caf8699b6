"""What a search has found, in words and as a picture: visits, values, proofs, the best line."""

from dataclasses import dataclass

import numpy as np

from connectlab.agents.analysis import Analysis, Cell, Group
from connectlab.agents.choice import Chances
from connectlab.agents.mcts.config import MCTSSettings
from connectlab.agents.mcts.tree import NONE, OPEN, Forest
from connectlab.agents.mcts.variants import VariantSearch
from connectlab.game import Position, PositionBatch
from connectlab.game.notation import format_moves
from connectlab.training.measurement import Plain

UNIT = "mean of its simulations, from -1 (lost) to 1 (won); 1, 0 and -1 where it is proven"
WORDS = {1: "won", 0: "drawn", -1: "lost"}
MOST_MARKS = 9
"""Moves of the principal line that are drawn: a mark is one character."""


@dataclass(frozen=True)
class Edge:
    """A column of a node, for the side that moves there."""

    column: int
    visits: int
    value: float
    """The exact result where it is proven, otherwise the mean of the simulations."""
    proven: bool
    child: int


def edges_of(node: int, forest: Forest) -> list[Edge]:
    """Return the columns of a node that were searched."""
    edges = []
    for column, child in enumerate(forest.children[node].tolist()):
        if child == NONE:
            continue
        visits = int(forest.visits[node, column])
        result = int(forest.result[child])
        mean = float(forest.totals[node, column]) / max(visits, 1)
        value = mean if result == OPEN else float(-result)
        edges.append(Edge(column, visits, value, result != OPEN, child))
    return edges


def principal_line(position: Position, forest: Forest) -> list[int]:
    """Return the columns that the search expects, 0-based: the best proven or most visited ones.

    It ends where the tree does, with the winning move where the search looked no further for one.
    """
    node, line = 0, []
    while edges := edges_of(node, forest):
        result = int(forest.result[node])
        fitting = [edge for edge in edges if _fits(edge, result)] or edges
        best = max(fitting, key=lambda edge: edge.visits)
        line.append(best.column)
        position, node = position.play(best.column), best.child
    if not position.is_over and forest.result[node] == 1:
        line.append(winning_columns(position)[0])
    return line


def _fits(edge: Edge, result: int) -> bool:
    """Say whether a move is in line with what is proven of its position."""
    if result == OPEN:
        return not (edge.proven and edge.value == -1)
    return edge.proven and edge.value == result


def winning_columns(position: Position) -> list[int]:
    """Return the columns that win at once."""
    afterwards = {c: position.play(c).outcome for c in position.legal_columns}
    return [c for c, outcome in afterwards.items() if outcome.first_player_value != 0]


def explain(
    position: Position, forest: Forest, settings: MCTSSettings, chances: Chances
) -> Analysis:
    """Tell what the first tree of a forest says of its root."""
    edges = {edge.column: edge for edge in edges_of(0, forest)}
    values, notes = _columns(position, edges, settings)
    line = principal_line(position, forest)
    facts = _facts(position, forest, edges, line, settings)
    return Analysis(
        position,
        tuple(float(chance) for chance in chances),
        tuple(values.get(column) for column in range(position.geometry.columns)),
        UNIT,
        win_value=1.0,
        column_notes=notes,
        sentences=_sentences(facts),
        facts=facts,
        groups=(_draw(position, line, facts["value"]),) if line else (),
        legend=f"the principal line, its first {MOST_MARKS} moves numbered in order",
    )


def explain_variant(position: Position, search: VariantSearch, *, stream: int) -> Analysis:
    """Tell what a search says of a position of a game with chance, or of one it does not see."""
    batch = PositionBatch.of([position], streams=[stream])
    root = search.search(batch.mover[0], batch.occupied[0], batch.streams[0])
    voices, worth = root.voices.tolist(), root.worth.tolist()
    heard = [column for column in position.legal_columns if voices[column]]
    n, value = int(root.visits.sum()), sum(worth) / max(sum(voices), 1.0)
    hidden = position.geometry.variant.counts
    where = f" on {root.boards} boards that fit the counts" if hidden else ""
    return Analysis(
        position,
        tuple(search.read(root, batch.occupied[0]).tolist()),
        tuple(worth[c] / voices[c] if c in heard else None for c in range(len(voices))),
        "mean of its simulations, from -1 (lost) to 1 (won); 1 where it wins at once",
        win_value=1.0,
        column_notes={c: _note(int(root.visits[c]), int(root.wins[c]), root.boards) for c in heard},
        sentences=(
            f"It values the position at {value:+.3f}.",
            f"{n:,} {_plural('simulation', n)} grew {root.nodes:,} "
            f"{_plural('node', root.nodes)}{where}.",
        ),
        facts={
            "simulations": n,
            "nodes": root.nodes,
            "boards": root.boards,
            "value": value,
            "reproducible": search.settings.seconds is None,
        },
    )


def _note(visits: int, wins: int, boards: int) -> str:
    """Tell how often a column was searched, and on how many boards it had not to be."""
    searched = f"{visits:,} {_plural('visit', visits)}"
    if not wins:
        return searched
    won = "wins at once" if boards == 1 else f"wins at once on {wins} of {boards} boards"
    return f"{searched}, {won}" if visits else won


def _columns(
    position: Position, edges: dict[int, Edge], settings: MCTSSettings
) -> tuple[dict[int, float], dict[int, str]]:
    """Return value and note of every playable column."""
    wins = winning_columns(position) if settings.stop_at_win else []
    values: dict[int, float] = {}
    notes: dict[int, str] = {}
    for column in position.legal_columns:
        edge = edges.get(column)
        if column in wins:
            values[column], notes[column] = 1.0, "wins at once"
        elif edge is not None:
            proven = f", proven {WORDS[int(edge.value)]}" if edge.proven else ""
            values[column] = edge.value
            notes[column] = f"{edge.visits:,} {_plural('visit', edge.visits)}{proven}"
        elif settings.forced_blocks and not wins and winning_columns(position.play(column)):
            values[column], notes[column] = -1.0, "lets the other side win at once"
        else:
            values[column], notes[column] = 0.0, "not searched"
    return values, notes


def _facts(
    position: Position,
    forest: Forest,
    edges: dict[int, Edge],
    line: list[int],
    settings: MCTSSettings,
) -> dict[str, Plain]:
    simulations = sum(edge.visits for edge in edges.values())
    size, result = int(forest.sizes[0]), int(forest.result[0])
    mean = float(forest.totals[0].sum()) / max(simulations, 1)
    deepest = int(np.bitwise_count(forest.occupied[:size]).max())
    facts: dict[str, Plain] = {
        "simulations": simulations,
        "nodes": size,
        "tree_depth": deepest - position.ply,
        "value": mean if result == OPEN else float(result),
        "proven": WORDS.get(result),
        "principal_line": format_moves(line, position.geometry),
        "reproducible": settings.seconds is None,
    }
    return facts if settings.seconds is None else facts | {"seconds": settings.seconds}


def _sentences(facts: dict[str, Plain]) -> tuple[str, ...]:
    proven, simulations, nodes = facts["proven"], facts["simulations"], facts["nodes"]
    verdict = (
        f"It values the position at {facts['value']:+.3f}."
        if proven is None
        else f"The position is proven {proven} for the side to move."
    )
    effort = (
        f"{simulations:,} {_plural('simulation', simulations)} grew a tree of "
        f"{nodes:,} {_plural('node', nodes)}, {facts['tree_depth']} plies deep."
    )
    found = [verdict, effort]
    if facts["principal_line"]:
        found.insert(1, f"It expects the moves {facts['principal_line']}.")
    if not facts["reproducible"]:
        found.append("The clock ended the search, so another one may find something else.")
    return tuple(found)


def _plural(noun: str, n: Plain) -> str:
    return noun if n == 1 else f"{noun}s"


def _draw(position: Position, line: list[int], value: Plain) -> Group:
    """Number the cells of the line in the order of its moves."""
    cells: list[Cell] = []
    bits = position.geometry.rows + 1
    for column in line[:MOST_MARKS]:
        after = position.play(column)
        cells.append(
            (column, (position.occupied ^ after.occupied).bit_length() - 1 - column * bits)
        )
        position = after
    marks = tuple(str(number) for number in range(1, len(cells) + 1))
    return Group("principal line", tuple(cells), marks, weight=float(value or 0.0))
