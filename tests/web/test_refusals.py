"""A refusal is one sentence, whatever went wrong."""

import json

import pytest
from pydantic import ValidationError

from connectlab.web.errors import refuse, sentence
from connectlab.web.models.table import MoveIn
from connectlab.web.workers.worker import answer


def test_a_refusal_is_one_line_and_says_when_to_try_again() -> None:
    busy = refuse(503, "too\nmany   questions")
    assert json.loads(bytes(busy.body)) == {"detail": "too many questions"}
    assert busy.headers["retry-after"] == "2"
    assert "retry-after" not in refuse(400, "no").headers


def test_what_does_not_fit_is_told_by_its_place() -> None:
    with pytest.raises(ValidationError) as wrong:
        MoveIn.model_validate({"position": {"moves": 4}, "player": "random"})
    errors = [{**error, "loc": ("body", *error["loc"])} for error in wrong.value.errors()]
    assert sentence(errors) == "position.moves: input should be a valid string"
    assert sentence([]) == "the request does not fit its description"


def test_a_body_that_is_no_json_is_told_in_words() -> None:
    wrong = {"type": "json_invalid", "loc": ("body", 5), "msg": "JSON decode error"}
    assert sentence([wrong]) == "the body of the request is no JSON"
    assert sentence([{"loc": ("body", "text"), "msg": "JSON it is not"}]) == "text: JSON it is not"


def test_a_long_complaint_is_cut() -> None:
    assert len(sentence([{"loc": ("x" * 1_000,), "msg": "y" * 1_000}])) <= 300


def test_a_mistake_of_ours_in_a_worker_is_no_mistake_of_the_visitor(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An answer that does not fit its model is our fault, and not a request of a wrong form."""

    def broken(_asked: MoveIn) -> MoveIn:
        return MoveIn.model_validate({"secret": 1})

    monkeypatch.setattr("connectlab.web.workers.worker._find", lambda _name: (broken, MoveIn))
    said = answer(b'move\n{"position": {}, "player": "random"}')
    assert said[:3] == b"500"
    assert b"secret" not in said
    assert "secret" in caplog.text
    assert answer(b'move\n{"position": 1}')[:3] == b"422"
