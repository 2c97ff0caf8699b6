"""The server says when it is ready or what is wrong, and leaves no process behind."""

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from serving import Lab, family

from connectlab.web.options import Options, WebError
from living import die_out

Serve = Callable[..., Lab]
ENDLESS = {"position": {"columns": 9, "rows": 6}, "player": "perfect"}


def fail(*arguments: str, cwd: Path | None = None) -> tuple[int, str]:
    """Start a server that cannot start; return its exit code and what it says."""
    done = subprocess.run(
        [sys.executable, "-m", "connectlab", "serve", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=cwd,
    )
    assert done.stdout == ""
    return done.returncode, done.stderr


def test_a_port_in_use_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, said = fail("--port", str(port))
    assert code == 2
    assert said == (
        f"connectlab: cannot listen on 127.0.0.1 port {port}: address already in use "
        "(--port 0 takes a free one)\n"
    )


@pytest.mark.parametrize("host", ["no.such.host.invalid", "192.0.2.1", "a" * 300])
def test_a_host_that_is_not_ours_is_one_line(host: str) -> None:
    code, said = fail("--host", host, "--port", "0")
    assert code == 2
    assert said.startswith("connectlab: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize("option", ["--runs", "--data"])
def test_a_folder_that_is_a_file_is_one_line(option: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    code, said = fail(option, "file", "--port", "0", cwd=tmp_path)
    assert (code, said) == (2, f"connectlab: {option} file is no folder\n")


@pytest.mark.parametrize("token", ["", "sesame7", "open sesame", "ünïversity", "a" * 201])
def test_a_token_that_is_short_or_does_not_fit_an_address_is_refused(token: str) -> None:
    with pytest.raises(WebError, match="--token takes 8 to 200"):
        Options(host="0.0.0.0", token=token).check()
    Options(host="0.0.0.0", token=secrets.token_urlsafe(24)).check()


def test_an_empty_token_opens_nothing() -> None:
    code, said = fail("--host", "0.0.0.0", "--port", "0", "--token", "")
    assert code == 2
    assert said.startswith("connectlab: --token takes 8 to 200")
    assert said.count("\n") == 1


@pytest.mark.parametrize("missing", ["fastapi", "uvicorn"])
def test_a_missing_library_is_one_line_that_says_what_to_install(missing: str) -> None:
    program = (
        f"import sys; sys.modules[{missing!r}] = None; sys.argv[1:] = ['serve', '--port', '0']; "
        "from connectlab.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert done.stderr == "connectlab: the web lab needs: pip install 'connectlab[web]'\n"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_everything_even_while_players_think(
    serve: Serve, number: signal.Signals
) -> None:
    lab = serve("--workers", "1")
    everybody = family(lab.process.pid)
    with thinking(lab):
        os.kill(lab.process.pid, number)
        assert lab.process.wait(30) == 128 + number
    assert die_out(everybody)
    assert not any("Traceback" in line for line in lab.lines), lab.lines


@pytest.mark.slow
def test_a_server_that_is_killed_leaves_no_worker_behind(serve: Serve) -> None:
    lab = serve("--workers", "2")
    everybody = family(lab.process.pid)
    with thinking(lab):
        lab.process.kill()
        lab.process.wait(30)
        assert die_out(everybody)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_server_that_ends_before_it_is_ready_leaves_nobody_compiling(
    tmp_path: Path, number: signal.Signals
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "connectlab", "serve", "--port", "0"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "CONNECTLAB_CACHE_DIR": str(tmp_path / "empty")},
        start_new_session=True,
    )
    assert process.stdout is not None
    with process, process.stdout as said:
        assert "compiled" in said.readline()
        everybody = family(process.pid)
        assert len(everybody) > 1
        os.kill(process.pid, number)
        assert process.wait(30) == {signal.SIGINT: 130, signal.SIGKILL: -9}[number]
        assert die_out(everybody)
        assert "Traceback" not in said.read()


@contextmanager
def thinking(lab: Lab) -> Iterator[None]:
    """Let a worker be busy; at the end whoever asked goes away."""
    with socket.create_connection(("127.0.0.1", lab.port)) as connection:
        body = httpx.Request("POST", "http://localhost", json=ENDLESS).content
        head = (
            f"POST /api/move HTTP/1.1\r\nHost: localhost:{lab.port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        connection.sendall(head.encode() + body)
        wait_for(lambda: running(lab) == 1)
        yield


def running(lab: Lab) -> int:
    return int(httpx.get(f"{lab.url}/api/info").json()["running"])


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end, "it never came about"
        time.sleep(0.02)


def test_who_goes_away_cancels_and_others_go_on(lab: Lab) -> None:
    with thinking(lab):
        assert running(lab) == 1
    wait_for(lambda: running(lab) == 0)
    answer = httpx.post(f"{lab.url}/api/move", json={"position": {}, "player": "minimax"})
    assert answer.status_code == 200


@pytest.mark.slow
def test_a_server_for_others_warns_and_wants_its_token(serve: Serve) -> None:
    lab = serve("--host", "0.0.0.0", "--workers", "1", "--token", "open-sesame")
    assert any("Others can reach this server" in line for line in lab.lines)
    (ready,) = (line for line in lab.lines if "is ready" in line)
    assert ready.rstrip().endswith("/#token=open-sesame")
    url = f"http://127.0.0.1:{lab.port}"
    assert httpx.get(f"{url}/api/info").status_code == 401
    known = {"Authorization": "Bearer open-sesame"}
    assert httpx.get(f"{url}/api/info", headers=known).json()["needs_token"]
    zipped = httpx.get(f"{url}/js/api.js")
    assert zipped.headers["content-encoding"] == "gzip"


def test_the_page_is_never_stale_and_of_the_right_kind(lab: Lab) -> None:
    answer = httpx.get(f"{lab.url}/js/api.js")
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    again = httpx.get(f"{lab.url}/js/api.js", headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304
    assert httpx.get(f"{lab.url}/css/reference.css").headers["content-type"].startswith("text/css")


@pytest.mark.parametrize(
    "path",
    ["/../app.py", "/%2e%2e/app.py", "/..%2fapp.py", "/js/..%2f..%2fapp.py", "/js/%00", "//etc"],
)
def test_no_path_leads_out_of_the_page(lab: Lab, path: str) -> None:
    with socket.create_connection(("127.0.0.1", lab.port)) as connection:
        connection.sendall(
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
        )
        answer = b""
        while part := connection.recv(65536):
            answer += part
    assert int(answer.split()[1]) in (400, 404, 405), answer[:200]
    assert b"make_app" not in answer


def test_a_head_is_what_a_get_would_begin_with(lab: Lab) -> None:
    for path in ("/api/info", "/api/runs/events", "/", "/js/api.js"):
        head = httpx.head(f"{lab.url}{path}")
        assert (head.status_code, head.content) == (200, b""), path
    assert httpx.head(f"{lab.url}/api/runs/nobody").status_code == 404


def test_the_api_is_described_on_a_page_of_its_own(lab: Lab) -> None:
    page = httpx.get(f"{lab.url}/api", follow_redirects=True)
    assert page.status_code == 200
    assert "reference.js" in page.text
    assert "://" not in page.text.replace(f"{lab.url}/", "")
    document = httpx.get(f"{lab.url}/api/openapi.json").json()
    for path, methods in document["paths"].items():
        for method, described in methods.items():
            assert described["summary"], (method, path)
            assert {"400", "403", "422", "503", "504"} <= set(described["responses"])
