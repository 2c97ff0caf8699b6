"""What the rules say of a position, in words and as groups of cells."""

from dataclasses import dataclass

import numpy as np

from connectlab.agents.allis.config import AllisSettings
from connectlab.agents.allis.control import NOTHING, WINS, Desk, all_solved, prove
from connectlab.agents.allis.decide import RULES as BY_RULES
from connectlab.agents.allis.decide import SEARCH, SIGHT, SOLVER
from connectlab.agents.allis.instances import RULES, WORD_BITS
from connectlab.agents.allis.judge import (
    BOTH_HOLD,
    FORCED,
    FULL,
    HELD,
    LOSES,
    OPEN,
    THEY_HOLD,
    THEY_WIN,
    WON,
    Verdicts,
)
from connectlab.agents.allis.solve import SOLVED, choose_instances
from connectlab.agents.analysis import Analysis, Cell, Group
from connectlab.game import Geometry, Position
from connectlab.game.notation import column_name
from connectlab.training.measurement import Plain

CLASS_WORDS = {
    FORCED: "wins by force",
    WON: "wins by rules",
    HELD: "holds by rules",
    BOTH_HOLD: "both hold by rules",
    OPEN: "nothing proven",
    THEY_HOLD: "they can hold by rules",
    THEY_WIN: "they can win by rules",
    LOSES: "loses by force",
}
UNIT = (
    "4 wins by force, 3 by the rules, 2 holds, 1 both sides hold, none where nothing is proven, "
    "-1 the other side can hold, -2 can win by the rules, -3 wins by force"
)
LEGEND = "cells +; X and O stones of a group of its own; columns a, b, … from the left, rows from 1"
WHO = {
    SIGHT: "a win at once",
    BY_RULES: "the rules",
    SEARCH: "proof-number search",
    SOLVER: "the solver",
}


@dataclass(frozen=True)
class UsedRule:
    """One instance of a proof."""

    rule: str
    cells: tuple[Cell, ...]
    """The empty cells it needs."""
    own: tuple[Cell, ...]
    """The follower's group that it rests on, stones included; empty for most rules."""

    def words(self) -> str:
        """Name the rule and its cells, as "claimeven c1-c2"."""
        return f"{self.rule} {cell_names(self.cells)}"


@dataclass(frozen=True)
class Proof:
    """What the rules say for the side not to move."""

    verdict: int
    """``NOTHING``, ``HOLDS`` or ``WINS``."""
    rules: tuple[UsedRule, ...]
    """What is used; without a verdict, what solves all groups but those unsolved."""
    threats: tuple[Cell, ...]
    """The follower's threats below which columns end."""
    unsolved: tuple[tuple[Cell, ...], ...]
    """Without a verdict, the empty cells of groups that remain."""
    steers: bool
    """Whether an even number of cells is left, so that the rules apply at all."""


def cells_of(bits: int, geometry: Geometry) -> tuple[Cell, ...]:
    """Return the cells of a bitboard, column by column."""
    size = geometry.rows + 1
    return tuple(divmod(i, size) for i in range(geometry.columns * size) if bits >> i & 1)


def cell_names(cells: tuple[Cell, ...]) -> str:
    """Name cells as the thesis does, as "c1-c2"."""
    return "-".join(f"{chr(ord('a') + column)}{row + 1}" for column, row in cells)


def find_proof(position: Position, desk: Desk) -> Proof:
    """Say what the rules prove for the side that is not to move."""
    leader, occupied = np.uint64(position.mover), np.uint64(position.occupied)
    geometry = position.geometry
    verdict = int(prove(leader, occupied, desk))
    if verdict != NOTHING:
        ended = cells_of(int(desk.ended[0]), geometry)
        return Proof(verdict, _used_rules(desk, geometry), ended, (), True)
    if (geometry.cells - position.ply) % 2:
        return Proof(verdict, (), (), (), False)
    all_solved(leader, occupied, np.uint64(0), desk)
    return _nearly(desk, geometry)


def _used_rules(desk: Desk, geometry: Geometry) -> tuple[UsedRule, ...]:
    found = desk.instances
    chosen = desk.choice.chosen[: desk.choice.length[0]].tolist()
    return tuple(
        UsedRule(
            RULES[found.kind[i]],
            cells_of(int(found.cells[i]), geometry),
            cells_of(int(found.own[i]), geometry),
        )
        for i in sorted(chosen, key=lambda i: int(found.kind[i]))
    )


def _nearly(desk: Desk, geometry: Geometry) -> Proof:
    """Leave out groups until the rest is solved: first what no instance solves, then the hardest.

    One group is looked for whose absence is enough before a second one is given up.
    """
    wanted = _all_groups(desk)
    n = len(wanted)
    reach = [
        sum(_solves(i, group, desk) for i in range(desk.instances.size[0])) for group in wanted
    ]
    left_out = {group for group in wanted if reach[group] == 0}
    order = sorted(set(wanted) - left_out, key=lambda group: reach[group])
    while not _solvable(set(wanted) - left_out, n, desk):
        single = [g for g in order if _solvable(set(wanted) - left_out - {g}, n, desk)]
        left_out.add(single[0] if single else order.pop(0))
    unsolved = tuple(cells_of(int(desk.live[group]), geometry) for group in sorted(left_out))
    _solvable(set(wanted) - left_out, n, desk)
    return Proof(NOTHING, _used_rules(desk, geometry), (), unsolved, True)


def _all_groups(desk: Desk) -> list[int]:
    """Return the numbers of the groups that the latest search set out to solve."""
    words = desk.choice.unsolved[0].tolist()
    return [
        number
        for number in range(len(words) * WORD_BITS)
        if words[number // WORD_BITS] >> number % WORD_BITS & 1
    ]


def _solves(instance: int, group: int, desk: Desk) -> bool:
    word = int(desk.instances.solved[instance, group // WORD_BITS])
    return bool(word >> group % WORD_BITS & 1)


def _solvable(groups: set[int], n: int, desk: Desk) -> bool:
    desk.choice.unsolved[0, :] = 0
    for group in groups:
        desk.choice.unsolved[0, group // WORD_BITS] |= np.uint64(1 << group % WORD_BITS)
    answer = choose_instances(n, desk.max_nodes, desk.instances, desk.choice, desk.shape)
    return int(answer) == SOLVED


def explain(
    position: Position,
    policy: tuple[float, ...],
    settings: AllisSettings,
    who: int,
    verdicts: Verdicts,
    desk: Desk,
) -> Analysis:
    """Tell what is known of every column, and why the best one holds or what is missing."""
    kinds = verdicts.kind.tolist()
    column = max(range(len(policy)), key=lambda c: policy[c])
    against = find_proof(position, desk)
    after = position.play(column)
    proof = None if after.is_over else find_proof(after, desk)
    shown, stands = (against, position) if against.verdict != NOTHING else (proof, after)
    return Analysis(
        position,
        policy,
        values=tuple(None if kind in (FULL, OPEN) else kind for kind in kinds),
        unit=UNIT,
        win_value=4,
        column_notes=_notes(kinds, verdicts),
        sentences=(
            *_decided(settings, who),
            *_say(against, position, "As it stands", need_proof=True),
            *(() if proof is None else _say(proof, after, f"After {_name(column, position)}")),
        ),
        facts=_facts(settings, who, against, proof),
        groups=() if shown is None else _draw(shown, stands, position),
        legend=LEGEND,
    )


def _name(column: int, position: Position) -> str:
    return f"column {column_name(column, position.geometry)}"


def _notes(kinds: list[int], verdicts: Verdicts) -> dict[int, str]:
    weights = verdicts.weight.tolist()
    return {
        column: f"{CLASS_WORDS[kind]}, lines {weights[column]:+d}"
        for column, kind in enumerate(kinds)
        if kind != FULL
    }


def _decided(settings: AllisSettings, who: int) -> tuple[str, ...]:
    if settings.level != "c":
        return ()
    return (f"Which moves keep the outcome was settled by {WHO[who]}.",)


def _say(proof: Proof, position: Position, when: str, need_proof: bool = False) -> tuple[str, ...]:
    """Put a proof, or what is missing, into a sentence or two."""
    side = "the second player" if position.first_to_move else "the first player"
    rules = ", ".join(rule.words() for rule in proof.rules) or "no rule: there is nothing to solve"
    if proof.verdict != NOTHING:
        result = "wins" if proof.verdict == WINS else "holds at least a draw"
        threats = f" beside the threat at {cell_names(proof.threats)}" if proof.threats else ""
        return (f"{when} {side} {result}{threats} by {rules}.",)
    if need_proof:
        return ()
    if not proof.steers:
        return (
            f"{when} the rules prove nothing for {side}: an odd number of cells is left, and no "
            "threat changes that.",
        )
    left = ", ".join(cell_names(cells) for cells in proof.unsolved)
    return (f"{when} the rules do not hold for {side}: unsolved {left}.", f"Solved by {rules}.")


def _facts(
    settings: AllisSettings, who: int, against: Proof, own: Proof | None
) -> dict[str, Plain]:
    words = {NOTHING: None, WINS: "wins"}
    facts: dict[str, Plain] = {
        "level": settings.level,
        "decided_by": WHO[who] if settings.level == "c" else "look-ahead and rules",
        "other_side": words.get(against.verdict, "holds"),
        "after_the_move": None if own is None else words.get(own.verdict, "holds"),
        "rules": None if own is None or not own.steers else len(own.rules),
        "unsolved_groups": None if own is None or not own.steers else len(own.unsolved),
    }
    return facts


def _draw(proof: Proof, position: Position, asked: Position) -> tuple[Group, ...]:
    """Draw unsolved groups first, then every rule that is used.

    A rule counts for or against the side to move in the position that was asked about.
    """
    weight = None if proof.verdict == NOTHING else (-1.0 if position is asked else 1.0)
    unsolved = tuple(
        Group(f"unsolved {cell_names(cells)}", cells, ("+",) * len(cells), weight=-1.0)
        for cells in proof.unsolved
    )
    return unsolved + tuple(_draw_rule(rule, position, weight) for rule in proof.rules)


def _draw_rule(rule: UsedRule, position: Position, weight: float | None) -> Group:
    stones = tuple(cell for cell in rule.own if position.occupied & position.geometry.cell(*cell))
    mark = "O" if position.first_to_move else "X"
    note = f"group {cell_names(rule.own)}" if rule.own else ""
    marks = ("+",) * len(rule.cells) + (mark,) * len(stones)
    return Group(rule.words(), rule.cells + stones, marks, weight=weight, note=note)
