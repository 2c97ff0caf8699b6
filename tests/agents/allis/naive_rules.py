"""The nine rules once more, in plain Python over sets of (column, row), slow and plain to read."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations, product

from connectlab.game import Geometry, Position

Cell = tuple[int, int]
Cells = frozenset[Cell]
INVERSES = ("lowinverse", "highinverse")
WITH_OWN_GROUP = ("aftereven", "before", "specialbefore")


@dataclass(frozen=True)
class Area:
    leader: Cells
    follower: Cells
    open: Cells
    even: Cells
    playable: Cells
    poison: Cells


@dataclass(frozen=True)
class Instance:
    rule: str
    cells: Cells
    lows: Cells
    solo: Cells
    own: Cells
    solved: frozenset[Cells]


def above(cell: Cell) -> Cell:
    return cell[0], cell[1] + 1


def below(cell: Cell) -> Cell:
    return cell[0], cell[1] - 1


def all_groups(geometry: Geometry) -> list[Cells]:
    found = []
    for column, row in product(range(geometry.columns), range(geometry.rows)):
        for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
            group = [(column + i * right, row + i * up) for i in range(geometry.connect)]
            if all(c < geometry.columns and 0 <= r < geometry.rows for c, r in group):
                found.append(frozenset(group))
    return found


def cells_of(bits: int, geometry: Geometry) -> Cells:
    board = product(range(geometry.columns), range(geometry.rows))
    return frozenset(cell for cell in board if bits & geometry.cell(*cell))


def make_area(position: Position, threats: Cells) -> Area:
    """The area when the columns of these threats end below them."""
    geometry = position.geometry
    stones = cells_of(position.occupied, geometry)
    opened, even, playable, poison = set(), set(), set(), set()
    for column in range(geometry.columns):
        rows = [row for row in range(geometry.rows) if (column, row) not in stones]
        ends = [row - 1 for row in rows if (column, row) in threats]
        if ends:
            poison.add((column, min(ends)))
            rows = [row for row in rows if row < min(ends)]
        opened |= {(column, row) for row in rows}
        even |= {(column, row) for i, row in enumerate(reversed(rows)) if i % 2 == 0}
        playable |= {(column, row) for row in rows[:1]}
    return Area(
        cells_of(position.mover, geometry),
        cells_of(position.opponent, geometry),
        *map(frozenset, (opened, even, playable, poison)),
    )


def live_groups(area: Area, geometry: Geometry) -> frozenset[Cells]:
    """What is empty of the groups the leader may still complete, without those that hold others."""
    reach = area.leader | area.open | area.poison
    empty = {group - area.leader for group in all_groups(geometry) if group <= reach}
    return frozenset(group for group in empty if not any(other < group for other in empty))


def own_groups(area: Area, geometry: Geometry) -> Iterator[tuple[Cells, Cells]]:
    """Each group the follower may still complete on open cells, and its empty cells."""
    for group in all_groups(geometry):
        empty = group - area.follower
        if empty <= area.open:
            yield group, empty


def instances(area: Area, geometry: Geometry) -> list[Instance]:
    """Every instance that solves something, composite ones something that their parts do not."""
    live = live_groups(area, geometry)
    found: list[Instance] = []

    def with_all(*cells: Cell) -> frozenset[Cells]:
        return frozenset(group for group in live if set(cells) <= group)

    def add(
        rule: str,
        cells: set[Cell] | Cells,
        parts: frozenset[Cells],
        more: frozenset[Cells],
        *,
        lows: set[Cell] | None = None,
        solo: set[Cell] | None = None,
        own: Cells = frozenset(),
    ) -> None:
        if more - parts:
            found.append(
                Instance(
                    rule,
                    frozenset(cells),
                    frozenset(lows or ()),
                    frozenset(solo or ()),
                    own,
                    parts | more,
                )
            )

    none: frozenset[Cells] = frozenset()
    claims = {cell for cell in area.even if below(cell) in area.open}
    verticals = {cell for cell in area.open - area.even if below(cell) in area.open}
    for cell in claims:
        add("claimeven", {cell, below(cell)}, none, with_all(cell), lows={below(cell)})
    for cell in verticals:
        add("vertical", {cell, below(cell)}, none, with_all(cell, below(cell)))
    for one, two in combinations(area.playable, 2):
        add("baseinverse", {one, two}, none, with_all(one, two))
    for one, two in combinations(verticals, 2):
        if one[0] != two[0]:
            parts = with_all(one, below(one)) | with_all(two, below(two))
            cells = {one, two, below(one), below(two)}
            add("lowinverse", cells, parts, with_all(one, two))
    for one, two in combinations(claims, 2):
        low_one, low_two = below(below(one)), below(below(two))
        if one[0] != two[0] and {low_one, low_two} <= area.open:
            solved = with_all(one, two) | with_all(below(one), below(two))
            solved |= with_all(one, below(one)) | with_all(two, below(two))
            if low_one in area.playable:
                solved |= with_all(low_one, two)
            if low_two in area.playable:
                solved |= with_all(low_two, one)
            cells = {one, two, below(one), below(two), low_one, low_two}
            add("highinverse", cells, none, solved)
    for one, two, three in permutations(area.playable, 3):
        upper = above(two)
        if upper in area.even and with_all(one, upper) and with_all(two, three):
            solved = with_all(one, upper) | with_all(two, three)
            add("baseclaim", {one, two, three, upper}, none, solved, lows={two})
    for group, empty in own_groups(area, geometry):
        if empty <= claims:
            parts = frozenset[Cells]().union(*(with_all(cell) for cell in empty))
            after = frozenset(
                other
                for other in live
                if all(any(c == column and r > row for c, r in other) for column, row in empty)
            )
            lows = {below(cell) for cell in empty}
            add("aftereven", empty | lows, parts, after, lows=lows, own=group)
        for inside in [None, *(empty & area.playable)]:
            rest = empty - {inside}
            tops = {above(cell) for cell in empty}
            columns = {column for column, _ in empty}
            if (
                not rest <= area.even
                or not tops <= area.open | area.poison
                or len(columns) < len(empty)
            ):
                continue
            for ways in product(("claim", "vertical"), repeat=len(rest)):
                pairs, lows, parts, fits = set[Cell](), set[Cell](), none, True
                for cell, way in zip(rest, ways, strict=True):
                    partner = below(cell) if way == "claim" else above(cell)
                    fits &= partner in area.open
                    pairs |= {cell, partner}
                    lows |= {partner} if way == "claim" else set()
                    parts |= with_all(cell) if way == "claim" else with_all(cell, partner)
                if not fits:
                    continue
                if inside is None:
                    if "vertical" in ways:
                        add("before", pairs, parts, with_all(*tops), lows=lows, own=group)
                    continue
                for outside in area.playable:
                    if outside[0] not in columns:
                        two_playable = {inside, outside}
                        add(
                            "specialbefore",
                            pairs | two_playable,
                            parts | with_all(inside, outside),
                            with_all(*tops, outside),
                            lows=lows,
                            solo=two_playable,
                            own=group,
                        )
    return found


def may_combine(one: Instance, two: Instance) -> bool:
    """The table of combinations, as docs/allis.md has it."""
    for inverse, other in ((one, two), (two, one)):
        if inverse.rule in INVERSES:
            heights = {
                column: max(r for c, r in inverse.cells if c == column)
                for column, _ in inverse.cells
            }
            if any(row <= heights.get(column, -1) for column, row in other.lows):
                return False
            if other.rule in INVERSES and any(column in heights for column, _ in other.cells):
                return False
    if not one.cells & two.cells:
        return True
    if one.rule not in WITH_OWN_GROUP or two.rule not in WITH_OWN_GROUP:
        return False
    if (one.solo | two.solo) & one.cells & two.cells:
        return False
    for column in {column for column, _ in one.cells & two.cells}:
        if {c for c in one.cells if c[0] == column} != {c for c in two.cells if c[0] == column}:
            return False
    return True


def can_solve(groups: frozenset[Cells], usable: list[Instance]) -> bool:
    """Whether some instances that all go together solve all these groups."""
    if not groups:
        return True
    hardest = min(groups, key=lambda group: sum(group in each.solved for each in usable))
    return any(
        can_solve(groups - each.solved, [other for other in usable if may_combine(each, other)])
        for each in usable
        if hardest in each.solved
    )


def threats_of(position: Position) -> Cells:
    """The lowest cell of each column on which the follower would win, if it is not playable."""
    stones, empty = cells_of(position.opponent, position.geometry), set[Cell]()
    for group in all_groups(position.geometry):
        if len(group - stones) == 1:
            empty |= group - stones
    occupied = cells_of(position.occupied, position.geometry)
    empty -= occupied
    lowest = {cell for cell in empty if not any(c == cell[0] and r < cell[1] for c, r in empty)}
    return frozenset(cell for cell in lowest if cell[1] > 0 and below(cell) not in occupied)


def prove(position: Position) -> str:
    """What the rules prove for the side not to move: "wins", "holds" or "nothing"."""
    threats = threats_of(position)
    kinds = [threats, *(threats - {one} for one in threats)]
    for chosen in [kind for kind in kinds if kind] + [frozenset()]:
        area = make_area(position, chosen)
        if len(area.open) % 2 == 0:
            groups = live_groups(area, position.geometry)
            if can_solve(groups, instances(area, position.geometry)):
                return "wins" if chosen else "holds"
    return "nothing"
