"""How a page fits its screen and the fingers that use it."""

from patience import soon
from playwright.sync_api import Page

LEAST_PX = 40

OVERFLOW = """() => {
  const wide = document.documentElement.clientWidth;
  const over = [...document.querySelectorAll('body *')].filter((element) => {
    if (!element.checkVisibility({ visibilityProperty: true })) return false;
    const box = element.getBoundingClientRect();
    if (!box.width || box.right <= wide + 1 && box.left >= -1) return false;
    for (let parent = element.parentElement; parent; parent = parent.parentElement) {
      const style = getComputedStyle(parent);
      if (style.overflowX !== 'visible' || style.position === 'fixed') {
        const frame = parent.getBoundingClientRect();
        return frame.right > wide + 1 || frame.left < -1;
      }
    }
    return true;
  });
  const scrolls = document.documentElement.scrollWidth > wide
    ? [`the page is ${document.documentElement.scrollWidth} wide`] : [];
  return scrolls.concat(over.map((element) => element.outerHTML.slice(0, 140)));
}"""

SMALL = """(least) => [...document.querySelectorAll(
  'button, summary, select, input:not([type=hidden]), [role=tab], [role=button]')]
  .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .map((element) => {
    const label = element.matches('[type=checkbox], [type=radio]') && element.closest('label');
    return { element, box: (label || element).getBoundingClientRect() };
  })
  .filter(({ box }) => box.width && (box.width < least - 0.5 || box.height < least - 0.5))
  .map(({ element, box }) =>
    `${Math.round(box.width)}x${Math.round(box.height)} ${element.outerHTML.slice(0, 120)}`)
"""

OVERLAPS = """(selector) => {
  const shown = [...document.querySelectorAll(selector)].filter((element) =>
    element.checkVisibility({ visibilityProperty: true }));
  const named = (element) => (element.matches('[class]')
    ? `.${element.classList[0]} ` : '') + element.textContent.trim().slice(0, 12);
  const boxes = shown.map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.width && box.height);
  return boxes.flatMap((one, index) => boxes.slice(index + 1)
    .filter((other) => one.box.left < other.box.right - 0.5 && other.box.left < one.box.right - 0.5
      && one.box.top < other.box.bottom - 0.5 && other.box.top < one.box.bottom - 0.5)
    .map((other) => `${named(one.element)} | ${named(other.element)}`));
}"""


def overlapping(page: Page, selector: str) -> list[str]:
    """Return the pairs of what is selected that lie on each other, by class and words."""
    found: list[str] = page.evaluate(OVERLAPS, selector)
    return found


def longer_than_seen(page: Page) -> int:
    """Return by how many pixels the page is longer than its window."""
    found: int = page.evaluate("document.documentElement.scrollHeight - innerHeight")
    return found


def overflowing(page: Page) -> list[str]:
    """Return what sticks out of the screen to the left or right, unless its frame scrolls."""
    found: list[str] = page.evaluate(OVERFLOW)
    return found


def small_targets(page: Page) -> list[str]:
    """Return the things to tap that are smaller than a fingertip."""
    found: list[str] = page.evaluate(SMALL, LEAST_PX)
    return found


def expect_to_fit(page: Page, *, but: str = "") -> None:
    """Wait until all fits the screen and the finger, apart from small things named ``but``."""

    def faults() -> list[str]:
        small = [each for each in small_targets(page) if not but or but not in each]
        return overflowing(page) + small

    soon(page, faults, [])
