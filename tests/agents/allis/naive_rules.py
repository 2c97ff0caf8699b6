"""The nine rules once more, in plain Python over sets of (column, row), slow and plain to read."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations, product

from connectlab.game import Geometry, Position

Cell = tuple[int, int]
Cells = frozenset[Cell]
NONE: frozenset[Cells] = frozenset()
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


class Lister:
    """Collects the instances of an area."""

    def __init__(self, area: Area, geometry: Geometry) -> None:
        self.area = area
        self.geometry = geometry
        self.live = live_groups(area, geometry)
        self.claims = {cell for cell in area.even if below(cell) in area.open}
        self.verticals = {cell for cell in area.open - area.even if below(cell) in area.open}
        self.found: list[Instance] = []

    def with_all(self, *cells: Cell) -> frozenset[Cells]:
        return frozenset(group for group in self.live if set(cells) <= group)

    def add(
        self,
        rule: str,
        cells: set[Cell] | Cells,
        more: frozenset[Cells],
        parts: frozenset[Cells] = NONE,
        *,
        lows: set[Cell] | Cells = frozenset(),
        solo: set[Cell] | Cells = frozenset(),
        own: Cells = frozenset(),
    ) -> None:
        """Note an instance that solves something, and not only what its parts solve."""
        if more - parts:
            sets = (frozenset(cells), frozenset(lows), frozenset(solo))
            self.found.append(Instance(rule, *sets, own, parts | more))

    def add_pairs(self) -> None:
        for cell in self.claims:
            lower = {below(cell)}
            self.add("claimeven", {cell} | lower, self.with_all(cell), lows=lower)
        for cell in self.verticals:
            self.add("vertical", {cell, below(cell)}, self.with_all(cell, below(cell)))
        for one, two in combinations(self.area.playable, 2):
            self.add("baseinverse", {one, two}, self.with_all(one, two))

    def add_inverses(self) -> None:
        for one, two in combinations(self.verticals, 2):
            if one[0] != two[0]:
                parts = self.with_all(one, below(one)) | self.with_all(two, below(two))
                cells = {one, two, below(one), below(two)}
                self.add("lowinverse", cells, self.with_all(one, two), parts)
        for one, two in combinations(self.claims, 2):
            lows = {below(below(one)), below(below(two))}
            if one[0] != two[0] and lows <= self.area.open:
                self.add_highinverse(one, two)

    def add_highinverse(self, one: Cell, two: Cell) -> None:
        solved = self.with_all(one, two) | self.with_all(below(one), below(two))
        solved |= self.with_all(one, below(one)) | self.with_all(two, below(two))
        low_one, low_two = below(below(one)), below(below(two))
        if low_one in self.area.playable:
            solved |= self.with_all(low_one, two)
        if low_two in self.area.playable:
            solved |= self.with_all(low_two, one)
        cells = {one, two, below(one), below(two), low_one, low_two}
        self.add("highinverse", cells, solved)

    def add_baseclaims(self) -> None:
        for one, two, three in permutations(self.area.playable, 3):
            upper = above(two)
            first, second = self.with_all(one, upper), self.with_all(two, three)
            if upper in self.area.even and first and second:
                self.add("baseclaim", {one, two, three, upper}, first | second, lows={two})

    def add_afterevens(self) -> None:
        for group, empty in own_groups(self.area, self.geometry):
            if empty <= self.claims:
                parts = NONE.union(*(self.with_all(cell) for cell in empty))
                after = frozenset(
                    other
                    for other in self.live
                    if all(any(c == column and r > row for c, r in other) for column, row in empty)
                )
                lows = {below(cell) for cell in empty}
                self.add("aftereven", empty | lows, after, parts, lows=lows, own=group)

    def ways(self, empty: Cells) -> Iterator[tuple[set[Cell], set[Cell], frozenset[Cells], bool]]:
        """Each way to give the cells to claimevens and verticals.

        The cells needed, the lower cells of claimevens, what the parts solve, if any is a vertical.
        """
        for kinds in product(("claimeven", "vertical"), repeat=len(empty)):
            cells, lows, parts, fits = set[Cell](), set[Cell](), NONE, True
            for cell, kind in zip(empty, kinds, strict=True):
                even = cell in self.area.even
                partner = above(cell) if even and kind == "vertical" else below(cell)
                fits &= partner in self.area.open and (even or kind == "vertical")
                cells |= {cell, partner}
                lows |= {partner} if kind == "claimeven" else set()
                parts |= self.with_all(*({cell} if kind == "claimeven" else {cell, partner}))
            if fits:
                yield cells, lows, parts, "vertical" in kinds

    def add_befores(self) -> None:
        for group, empty in own_groups(self.area, self.geometry):
            columns, tops = {column for column, _ in empty}, {above(cell) for cell in empty}
            if len(columns) < len(empty) or not tops <= self.area.open | self.area.poison:
                continue
            for cells, lows, parts, any_vertical in self.ways(empty):
                if any_vertical:
                    self.add("before", cells, self.with_all(*tops), parts, lows=lows, own=group)
            for inside, outside in product(empty & self.area.playable, self.area.playable):
                if outside[0] in columns:
                    continue
                two = {inside, outside}
                for cells, lows, parts, _ in self.ways(empty - {inside}):
                    self.add(
                        "specialbefore",
                        cells | two,
                        self.with_all(*tops, outside),
                        parts | self.with_all(*two),
                        lows=lows,
                        solo=two,
                        own=group,
                    )


def instances(area: Area, geometry: Geometry) -> list[Instance]:
    """Every instance that solves something, composite ones something that their parts do not."""
    lister = Lister(area, geometry)
    lister.add_pairs()
    lister.add_inverses()
    lister.add_baseclaims()
    lister.add_afterevens()
    lister.add_befores()
    return lister.found


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
    if not {one.rule, two.rule} <= {*WITH_OWN_GROUP, *INVERSES}:
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
