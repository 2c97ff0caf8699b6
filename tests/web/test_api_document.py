"""Whatever the API's own document allows, and what it does not, gets an answer that it promises."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import APIOperation, Case, GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)
from serving import Lab

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES = {GenerationMode.POSITIVE: 30, GenerationMode.NEGATIVE: 6}
BUSY = {503, 504}
"""Full or too slow: both are meant, and told as such."""
SHORT_S = 0.2
DEEP = ["/api/move", "/api/verdicts", "/api/analysis", "/api/review", "/api/players/check"]
"""Questions of which some must get as far as to an answer."""
PLAYERS = [
    "random",
    "minimax:depth=2",
    "ntuple:champion",
    "mcts:iterations=50",
    "qtable:cheng-known",
]
MOVES = ["", "4", "4453", "44444", "12121", "444444", "1212121", "4444444", "8"]


def operations(document: dict[str, Any]) -> Iterator[APIOperation]:
    """Yield what can be asked, apart from streams, which have no end."""
    for result in schemathesis.openapi.from_dict(document).get_all_operations():
        operation = result.ok()
        if not operation.path.endswith("/events"):
            yield operation


@st.composite
def cases(draw: st.DrawFn, operation: APIOperation, mode: GenerationMode) -> Case:
    """Draw a question; three of four have players and moves that exist, which lots never find."""
    case = draw(operation.as_strategy(generation_mode=mode))
    if isinstance(case.body, dict):
        if isinstance(case.body.get("deadline_s"), float):
            case.body["deadline_s"] = min(case.body["deadline_s"], SHORT_S)
        if mode is GenerationMode.POSITIVE and draw(st.integers(0, 3)):
            furnish(case.body, draw(st.sampled_from(PLAYERS)), draw(st.sampled_from(MOVES)))
    return case


def furnish(body: dict[str, Any], player: str, moves: str) -> None:
    """Put a player and moves that exist where a question names some."""
    for key, value in {"player": player, "spec": player, "name": None, "board": {}}.items():
        if key in body:
            body[key] = value
    if isinstance(body.get("position"), dict):
        body["position"] = {"moves": moves, "seed": body["position"].get("seed", 0)}


def try_out(operation: APIOperation, mode: GenerationMode, url: str) -> Counter[int]:
    """Ask many things of one operation and count the answers; raise if one breaks a promise."""
    answers: Counter[int] = Counter()

    @settings(
        max_examples=EXAMPLES[mode],
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(cases(operation, mode))
    def ask(case: Case) -> None:
        response = case.call(base_url=url, session=session, timeout=60)
        answers[response.status_code] += 1
        checks = [check for check in CHECKS if response.status_code not in BUSY]
        case.validate_response(response, checks=checks or [status_code_conformance])

    with requests.Session() as session, suppress(Unsatisfiable):
        ask()  # a question without anything to say cannot be asked wrongly
    return answers


@pytest.mark.slow
def test_every_answer_is_one_that_the_document_promises(
    serve: Callable[..., Lab], subtests: pytest.Subtests
) -> None:
    lab = serve()
    document = requests.get(f"{lab.url}/api/openapi.json", timeout=30).json()
    answers: dict[str, Counter[int]] = defaultdict(Counter)
    for operation in operations(document):
        for mode in EXAMPLES:
            with subtests.test(operation.label, mode=mode.value):
                answers[operation.path] += try_out(operation, mode, lab.url)
    for path in DEEP:
        assert answers[path][200] >= 5, f"{path} has hardly been asked: {answers[path]}"


SLOPPY = {
    "openapi": "3.1.0",
    "info": {"title": "sloppy", "version": "1"},
    "paths": {
        "/whole": {
            "get": {
                "responses": {
                    "200": {
                        "description": "A whole number",
                        "content": {"application/json": {"schema": {"type": "integer"}}},
                    }
                }
            }
        }
    },
}


class Sloppy(BaseHTTPRequestHandler):
    """Answers whatever its server was told to."""

    def do_GET(self) -> None:
        status, body = self.server.answer  # type: ignore[attr-defined]
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.mark.parametrize(
    ("answer", "passes"),
    [((200, b"1"), True), ((200, b'"one"'), False), ((500, b"1"), False), ((404, b"1"), False)],
)
def test_a_server_that_breaks_a_promise_is_noticed(answer: tuple[int, bytes], passes: bool) -> None:
    (operation,) = operations(SLOPPY)
    with ThreadingHTTPServer(("127.0.0.1", 0), Sloppy) as server:
        server.answer = answer  # type: ignore[attr-defined]
        Thread(target=server.serve_forever, args=[0.01]).start()
        try:
            try_out(operation, GenerationMode.POSITIVE, f"http://127.0.0.1:{server.server_port}")
            noticed = False
        except BaseException as error:
            assert "FailureGroup" in type(error).__name__, error
            noticed = True
        finally:
            server.shutdown()
    assert noticed != passes
