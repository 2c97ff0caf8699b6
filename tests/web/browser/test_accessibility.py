"""Everyone can use the page: axe-core finds nothing serious in any panel, theme or size."""

from accessibility import violations
from playwright.sync_api import Browser
from watched import watched

BAD = """<!doctype html><html><title>bad</title><main><button></button><img src="data:,">
<p style="color: #aaa; background: white">Hard to read</p></main></html>"""


def test_a_bad_page_is_found_out(browser: Browser) -> None:
    with watched(browser, "about:blank") as page:
        page.set_content(BAD)
        found = " ".join(violations(page))
    assert "button-name (critical)" in found
    assert "image-alt (critical)" in found
    assert "color-contrast (serious)" in found
    assert "html-has-lang (serious)" in found


def test_a_good_page_passes(browser: Browser) -> None:
    with watched(browser, "about:blank") as page:
        page.set_content('<!doctype html><html lang="en"><title>good</title><main><h1>Good</h1>')
        assert violations(page) == []
