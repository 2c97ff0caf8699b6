"""Take the pictures of the web lab: docs/images/web-*.png (``make screenshots``).

A server of its own gets real content first: a short training run, a tournament. The position of the
analysis is one in which the champion errs. Pictures are reduced to few colours, so that they stay
small.
"""

import argparse
import json
import os
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from serving import Lab

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"
"""Starting and ending a server is what the tests of the web lab do too."""
MOST_BYTES = 150_000
COLOURS = (256, 128, 64, 32)
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
DARK = {"color_scheme": "dark"}
CHAMPION = "ntuple:champion"
ERRS = "23653362"
"""Only column 5 wins, and the champion would play column 6, which loses."""
MIDDLE = "44444326625533"
RUN: dict[str, object] = {
    "learner": "ntuple",
    "preset": "quick",
    "name": "first",
    "settings": {"games": 160_000, "tuples": 50, "length": 8},
    "evaluation_every": 8_000,
}
TOURNAMENT: dict[str, object] = {
    "players": [CHAMPION, "mcts:iterations=500", "minimax:depth=4", "negamax", "extend", "random"],
    "games": 100,
}
PATIENCE_S = 300.0


@dataclass
class Picture:
    """One picture: which game, on which screen, and what is done there first."""

    name: str
    moves: str
    screen: dict[str, Any]
    prepare: Callable[["Page"], None] = lambda _page: None
    players: dict[str, str] = field(default_factory=lambda: {"second": CHAMPION})


def analyse(page: "Page") -> None:
    """Switch the analysis on and wait for all of it."""
    page.keyboard.press("a")
    page.get_by_test_id("bar-1-1").wait_for()
    page.wait_for_timeout(1_500)


def show(panel: str) -> Callable[["Page"], None]:
    """Return what opens a panel."""

    def prepare(page: "Page") -> None:
        page.get_by_test_id(f"tab-{panel}").click()
        page.wait_for_timeout(2_000)

    return prepare


def analyse_inside(page: "Page") -> None:
    """Switch the analysis on and look inside."""
    analyse(page)
    show("inside")(page)


PICTURES = (
    Picture("web-desktop", MIDDLE, DESKTOP),
    Picture("web-dark", MIDDLE, DESKTOP | DARK, analyse),
    Picture("web-analysis", ERRS, DESKTOP, analyse),
    Picture("web-inside", ERRS, DESKTOP, analyse_inside),
    Picture("web-training", MIDDLE, DESKTOP, show("training")),
    Picture("web-tournament", MIDDLE, DESKTOP | DARK, show("tournament")),
    Picture("web-phone", ERRS, PHONE, analyse),
)
FILLED = {"web-training", "web-tournament"}
"""Pictures for which the lab has to be filled first."""


def post(lab: "Lab", path: str, body: object = None) -> dict[str, Any]:
    """Ask the server; without a body, only look."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        f"{lab.url}/api{path}", data, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as response:
        answer: dict[str, Any] = json.load(response)
    return answer


def fill(lab: "Lab") -> None:
    """Let a learner learn and players meet, and wait until both are done."""
    run = f"/runs/{post(lab, '/runs', RUN)['name']}"
    tournament = f"/tournaments/{post(lab, '/tournaments', TOURNAMENT)['name']}"
    end = time.monotonic() + PATIENCE_S
    while True:
        states = {post(lab, run)["run"]["state"], post(lab, tournament)["state"]}
        if states == {"finished"}:
            return
        if time.monotonic() > end or states & {"failed", "damaged"}:
            raise SystemExit(f"the lab could not be filled: {states}")
        time.sleep(1.0)


@contextmanager
def browsing() -> Iterator["Browser"]:
    """Have a browser for a while."""
    from playwright.sync_api import sync_playwright

    path = os.environ.get("CHROMIUM") or "/usr/bin/chromium"
    with sync_playwright() as playwright:
        playwright.selectors.set_test_id_attribute("data-test")
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


def take(browser: "Browser", lab: "Lab", picture: Picture) -> bytes:
    """Return one picture as PNG."""
    from hands import address

    context = browser.new_context(base_url=lab.url, reduced_motion="reduce", **picture.screen)
    page = context.new_page()
    page.goto(address(picture.moves, **picture.players))
    page.get_by_test_id("status").get_by_text("Your turn").wait_for()
    picture.prepare(page)
    image = page.screenshot()
    context.close()
    return image


def reduced(image: bytes) -> bytes:
    """Return a picture with as many colours as fit into the size that is allowed."""
    from PIL import Image

    for colours in COLOURS:
        out = BytesIO()
        with Image.open(BytesIO(image)) as opened:
            few = opened.convert("RGB").quantize(colours, dither=Image.Dither.NONE)
            few.save(out, "PNG", optimize=True)
        if out.tell() <= MOST_BYTES:
            return out.getvalue()
    raise SystemExit("a picture is too large, even with few colours")


def main() -> None:
    """Take all pictures, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="such as web-desktop; all without")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "images")
    options = parser.parse_args()
    chosen = [each for each in PICTURES if not options.names or each.name in options.names]
    sys.path[:0] = [str(TESTS / folder) for folder in ("", "web", "web/browser")]
    from serving import serving

    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as lab,
        browsing() as browser,
    ):
        if any(picture.name in FILLED for picture in chosen):
            fill(lab)
        for picture in chosen:
            image = reduced(take(browser, lab, picture))
            (options.out / f"{picture.name}.png").write_bytes(image)
            print(f"{picture.name}.png: {len(image):,} bytes", flush=True)


if __name__ == "__main__":
    main()
