"""What requests are made of: nothing unknown, nothing that is no number, nothing without bounds."""

import pytest
from pydantic import BaseModel, ValidationError

from connectlab.web.models.games import GameIn
from connectlab.web.models.position import PositionIn
from connectlab.web.models.solver import VerdictsIn

GAME = '{"id": "c0ffee00", "record": {"geometry": {}, "moves": "4", "move_seconds": [0.5]}}'


def is_taken(model: type[BaseModel], text: str) -> bool:
    try:
        model.model_validate_json(text)
    except ValidationError:
        return False
    return True


def test_what_the_page_sends_is_taken() -> None:
    assert is_taken(PositionIn, '{"moves": "4453", "seed": 3}')
    assert is_taken(GameIn, GAME)
    assert is_taken(VerdictsIn, '{"position": {"moves": "44"}, "deadline_s": 20}')


@pytest.mark.parametrize("text", ['{"mvoes": "4453"}', '{"columns": "7"}', '{"columns": 7.5}'])
def test_names_and_kinds_must_be_right(text: str) -> None:
    assert not is_taken(PositionIn, text)


@pytest.mark.parametrize("seconds", ["NaN", "Infinity", "-1"])
def test_a_time_is_a_number(seconds: str) -> None:
    assert not is_taken(GameIn, GAME.replace("0.5", seconds))


@pytest.mark.parametrize("name", ["../../../etc", "c0ffee00/4453", "c0ffee00.json", "short", ""])
def test_a_game_has_a_name_that_is_no_path(name: str) -> None:
    assert not is_taken(GameIn, GAME.replace("c0ffee00", name))


def test_nobody_asks_for_ever() -> None:
    assert not is_taken(VerdictsIn, '{"position": {}, "deadline_s": 21}')
