"""What the page is told at the table is what the lab says: the same moves, scores and words."""

from typing import Any

import httpx
import pytest
from serving import Lab

from connectlab.agents import make_agent
from connectlab.agents.perfect import shared_solver
from connectlab.game import STANDARD, Geometry, Position
from connectlab.game.variants import Variant
from connectlab.lab.disagreement import disagreements, wrong_columns
from connectlab.lab.table import Table
from connectlab.lab.verdicts import Verdicts, ask_solver

MOVES = "4453"


def post(lab: Lab, path: str, body: object) -> httpx.Response:
    return httpx.post(f"{lab.url}/api/{path}", json=body, timeout=60)


def told(lab: Lab, path: str, body: object) -> Any:
    answer = post(lab, path, body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(lab: Lab, path: str, body: object) -> tuple[int, str]:
    answer = post(lab, path, body)
    document = answer.json()
    assert list(document) == ["detail"]
    assert "\n" not in document["detail"]
    assert "Traceback" not in document["detail"]
    return answer.status_code, document["detail"]


@pytest.mark.parametrize("player", ["random", "minimax:depth=2", "mcts:iterations=100"])
def test_a_whole_game_is_the_same_as_at_a_table(lab: Lab, player: str) -> None:
    table = Table((player, player), seed=7, game=3)
    moves = ""
    while not table.position.is_over:
        table.think().result()
        position = {"moves": moves, "seed": 7, "game": 3}
        answer = told(lab, "move", {"position": position, "player": player})
        assert answer["spec"] == player
        moves += answer["landed"]
        assert moves == table.position.moves


def test_a_game_with_chance_is_the_same_as_at_a_table(lab: Lab) -> None:
    variant = "slip:0.4+drop-row:0.2"
    geometry = Geometry(7, 6, 4, Variant.parse(variant))
    table = Table(("human", "random"), Position(geometry), seed=5)
    moves = ""
    slips = falls = 0
    for _ in range(30):
        if table.position.is_over:
            break
        position = {"moves": moves, "seed": 5, "variant": variant}
        if table.person_to_move:
            column = table.position.legal_columns[0]
            table.play(column)
            answer = told(lab, "play", {"position": position, "column": str(column + 1)})
            slips += answer["landed"] != str(column + 1)
        else:
            table.think().result()
            answer = told(lab, "move", {"position": position, "player": "random"})
            slips += answer["landed"] != answer["column"]
        falls += answer["fell"]
        moves += answer["landed"] + "_" * answer["fell"]
        assert moves == table.position.moves
    assert slips and falls


def test_a_game_may_begin_on_a_drawing(lab: Lab) -> None:
    drawing = Position.from_moves("44").drawing()
    asked = {"position": {"start_drawing": drawing, "moves": "53"}, "player": "minimax:depth=3"}
    plain = {"position": {"moves": "4453"}, "player": "minimax:depth=3"}
    assert told(lab, "move", asked)["column"] == told(lab, "move", plain)["column"]


def test_verdicts_are_those_of_the_solver(lab: Lab) -> None:
    found = told(lab, "verdicts", {"position": {"moves": MOVES}})
    position = Position.from_moves(MOVES)
    verdicts = ask_solver(shared_solver(STANDARD, 64), position)
    assert list(found["scores"].values()) == list(verdicts.scores)
    assert list(found["words"].values()) == [verdicts.words(c) for c in range(7)]
    assert list(found["notes"].values()) == verdicts.notes()
    assert found["best"] == verdicts.names(verdicts.best)
    assert found["outcome"] == verdicts.outcome
    assert found["advice"] == verdicts.advice
    assert found["unknown"] == []
    for column, words in found["words"].items():
        assert found["scores"][column] == 0 or f" {found['distances'][column]} pl" in words


def test_a_full_column_has_no_verdict(lab: Lab) -> None:
    found = told(lab, "verdicts", {"position": {"moves": "444444"}})
    assert "4" not in found["scores"]
    assert len(found["scores"]) == 6


def test_what_is_not_found_in_time_is_said_to_be_unknown(lab: Lab) -> None:
    hard = {"columns": 9, "rows": 6, "moves": ""}
    found = told(lab, "verdicts", {"position": hard, "deadline_s": 0.1})
    assert found["unknown"]
    assert found["best"] == []


def test_an_analysis_is_that_of_the_player_with_its_errors(lab: Lab) -> None:
    position = Position.from_moves(MOVES)
    scores = ask_solver(shared_solver(STANDARD, 64), position).scores
    named = {str(column + 1): score for column, score in enumerate(scores)}
    asked = {"position": {"moves": MOVES}, "player": "minimax:depth=2", "scores": named}
    found = told(lab, "analysis", asked)
    analysis = make_agent("minimax:depth=2").analyse(position)
    expected = {**analysis.to_json(), "spec": "minimax:depth=2"}
    for key, value in expected.items():
        assert found[key] == value, key
    assert tuple(found["value_texts"].values()) == analysis.value_texts
    errors = disagreements(analysis, Verdicts(position, scores))
    assert errors, "a position in which it does not err tests nothing"
    assert [each["sentence"] for each in found["disagreements"]] == [
        each.sentence for each in errors
    ]
    wrong = wrong_columns(analysis, Verdicts(position, scores))
    assert found["wrong_columns"] == [str(column + 1) for column in sorted(wrong)]


def test_an_analysis_without_scores_judges_nobody(lab: Lab) -> None:
    found = told(lab, "analysis", {"position": {}, "player": "ntuple:champion"})
    assert found["disagreements"] == found["wrong_columns"] == []
    assert found["reassurance"] is None
    assert found["groups"]
    assert {len(group["cells"]) == len(group["marks"]) for group in found["groups"]} == {True}


def test_a_review_finds_the_move_that_lost_and_the_score_of_every_position(lab: Lab) -> None:
    moves = "4444432"
    found = told(lab, "review", {"position": {"moves": moves}})
    solver = shared_solver(STANDARD, 64)
    expected = []
    for ply in range(len(moves) + 1):
        score = solver.solve(Position.from_moves(moves[:ply])).score
        assert score is not None
        expected.append(score if ply % 2 == 0 else -score)
    assert found["first_player_scores"] == expected
    table = Table(("human", "human"), Position.from_moves(""))
    for column in moves:
        table.play(int(column) - 1)
    review = table.review().result()
    assert found["sentences"] == list(review.sentences)
    assert [move["thrown_away"] for move in found["moves"]] == [
        move.thrown_away for move in review.moves
    ]
    assert any(move["thrown_away"] for move in found["moves"])


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("move", {"position": {"moves": "48"}, "player": "random"}, 400, "no column '8'"),
        ("move", {"position": {"moves": "4444444"}, "player": "random"}, 400, "column 4 is full"),
        ("move", {"position": {"moves": "1212121"}, "player": "random"}, 400, "game is over"),
        ("move", {"position": {"columns": 32, "rows": 63}, "player": "random"}, 400, "too large"),
        ("move", {"position": {}, "player": "nobody"}, 400, "has no player 'nobody'"),
        ("move", {"position": {}, "player": "ntuple:/etc/passwd"}, 403, "runs folder"),
        ("move", {"position": {}, "player": "external:command=ls"}, 400, "has no player"),
        ("move", {"position": {"rows": 5}, "player": "ntuple:champion"}, 400, "was trained on"),
        ("move", {"position": {"moves": 4}, "player": "random"}, 422, "position.moves"),
        ("move", {"position": {"seed": 2**63}, "player": "random"}, 422, "position.seed"),
        ("move", {"position": {"moves": "1" * 30_000}, "player": "random"}, 422, "at most"),
        ("move", {"position": {}, "player": "random", "x": 1}, 422, "x: extra inputs"),
        ("move", {"position": {"start_drawing": "hello"}, "player": "random"}, 400, "drawing"),
        ("move", {"position": {"variant": "sloppy"}, "player": "random"}, 400, "no variant"),
        ("move", [], 422, "valid dictionary"),
        ("play", {"position": {}, "column": "8"}, 400, "no column"),
        ("play", {"position": {}, "column": "44"}, 422, "column"),
        ("play", {"position": {"moves": "444444"}, "column": "4"}, 400, "is full"),
        ("verdicts", {"position": {"variant": "slip:0.1"}}, 400, "only the plain game"),
        ("verdicts", {"position": {"moves": "1212121"}}, 400, "game is over"),
        ("verdicts", {"position": {}, "deadline_s": 1000}, 422, "deadline_s"),
        ("review", {"position": {"variant": "slip:0.1"}}, 400, "only the plain game"),
        ("review", {"position": {"moves": "4444444"}}, 400, "is full"),
        ("analysis", {"position": {}, "player": "random", "scores": {"8": 1}}, 400, "no column"),
    ],
)
def test_a_mistake_is_one_sentence(
    lab: Lab, path: str, body: object, status: int, words: str
) -> None:
    found, detail = refused(lab, path, body)
    assert (found, words in detail) == (status, True), detail


def test_what_is_no_json_is_refused(lab: Lab) -> None:
    for content in (b"{", b"\xff\xfe", b"", b"[" * 100_000, b'{"a":' * 50_000):
        answer = httpx.post(
            f"{lab.url}/api/move", content=content, headers={"Content-Type": "application/json"}
        )
        assert answer.status_code in (400, 422), content[:10]
        assert set(answer.json()) == {"detail"}
