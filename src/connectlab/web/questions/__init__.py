"""What a worker can be asked, by name.

A question names "module:function": the function takes one pydantic model and returns another, and
only workers import it, because it needs the kernels. To add one, write the function, enter it
here, and let a route ask for it with :func:`connectlab.web.asking.ask`.
"""

from typing import Literal, NamedTuple, TypeAlias

Lane: TypeAlias = Literal["quick", "deep"]
"""deep questions, those to the solver, never take the last worker from the quick ones."""
Time: TypeAlias = Literal["quick_s", "move_s", "verdicts_s", "review_s"]
"""The limit of :class:`connectlab.web.limits.Limits` that ends a question."""

_HERE = "connectlab.web.questions"


class Question(NamedTuple):
    """Where the answer to a question is written, and what it may cost."""

    target: str
    """"module:function"."""
    lane: Lane = "quick"
    time: Time = "quick_s"
    finishes: bool = False
    """Whether it is worked on to its end even if nobody listens any more: it writes files."""


QUESTIONS: dict[str, Question] = {
    "move": Question(f"{_HERE}.table:choose_move", time="move_s"),
    "play": Question(f"{_HERE}.table:play_move"),
    "analysis": Question(f"{_HERE}.table:explain", time="move_s"),
    "verdicts": Question(f"{_HERE}.solver:judge", "deep", "verdicts_s"),
    "review": Question(f"{_HERE}.solver:review", "deep", "review_s"),
    "contents": Question(f"{_HERE}.contents:list_parts"),
    "part": Question(f"{_HERE}.contents:list_entries"),
    "draw_tuples": Question(f"{_HERE}.tuples:draw_tuples"),
    "tuples_of": Question(f"{_HERE}.tuples:tuples_of"),
    "coverage": Question(f"{_HERE}.tuples:cover"),
    "network": Question(f"{_HERE}.tuples:count_weights"),
    "home_boards": Question(f"{_HERE}.players:home_boards"),
    "check_player": Question(f"{_HERE}.players:check_player"),
    "read": Question(f"{_HERE}.games:read"),
    "keep_game": Question(f"{_HERE}.games:keep", finishes=True),
    "find_game": Question(f"{_HERE}.games:find"),
    "list_games": Question(f"{_HERE}.games:newest"),
    "make_pupil": Question(f"{_HERE}.pupils:make_pupil", finishes=True),
    "lesson": Question(f"{_HERE}.pupils:give_lesson", time="move_s", finishes=True),
}
