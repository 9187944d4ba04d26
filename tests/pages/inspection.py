"""What is looked for on every page: barriers that axe-core finds, and what the keyboard does not reach."""

from functools import cache
from pathlib import Path
from typing import Any

from tests.pages.browser import HEIGHT, Browser

AXE = Path(__file__).parents[1] / "axe" / "axe.min.js"
_MANY = 60  # a page with more folded parts is looked at with the first few open
_OPEN = """many => {
  const all = [...document.querySelectorAll("details")];
  for (const one of all.length > many ? all.slice(0, 4) : all) one.open = true;
}"""
_RUN = """async () => {
  const found = await axe.run({ exclude: [["details:not([open]) > :not(summary)"]] }, { resultTypes: ["violations"], rules: { "target-size": { enabled: true } } });
  return found.violations.map((one) => `${one.id}: ${one.help}: ` + one.nodes.map((node) => node.html.slice(0, 200) + " " + (node.any[0]?.message ?? node.all[0]?.message ?? node.none[0]?.message ?? "")).join(" | "));
}"""
# Whatever acts, numbered; of radio buttons that belong together, one: the arrows reach the others.
_ACTS = """() => {
  const seen = new Set();
  const acts = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [contenteditable], [tabindex]")];
  return acts.filter((one) => {
    if (one.type === "hidden" || one.disabled || !one.checkVisibility({ visibilityProperty: true })) return false;
    if (one.matches("summary") && one !== one.parentElement.querySelector("summary")) return false;
    if (!one.matches("a[href], button, input, select, textarea, summary") && one.tabIndex < 0) return false;
    if (one.type === "radio") {
      const group = `${one.form?.action} ${one.name}`;
      const first = !seen.has(group);
      seen.add(group);
      return first;
    }
    return true;
  }).map((one, at) => { one.dataset.act = String(at); return one.outerHTML.slice(0, 160); });
}"""
_POINTED = """() => [...document.querySelectorAll("body *")].filter((one) =>
  getComputedStyle(one).cursor === "pointer" && one.checkVisibility({ visibilityProperty: true })
  && !one.closest("a[href], button, input, select, textarea, summary, label, [tabindex]")
).map((one) => one.outerHTML.slice(0, 160))"""
# From now on, where the focus goes, and whether it can be seen: an outline on the element or close around it.
_LISTEN = """() => {
  document.activeElement?.blur();
  scrollTo(0, 0);
  const found = (window.irasFocus = []);
  document.addEventListener("focusin", ({ target: one }) => {
    let at = one.dataset.act ?? "";
    if (one.type === "radio") {
      const same = [...document.querySelectorAll("input[type=radio][data-act]")].find((other) => other.name === one.name && other.form === one.form);
      at = same?.dataset.act ?? at;
    }
    let seen = false;
    for (let near = one, up = 0; near && up < 4 && !seen; near = near.parentElement, up++) seen = getComputedStyle(near).outlineStyle !== "none";
    found.push({ at, seen, html: one.outerHTML.slice(0, 160) });
  });
}"""


@cache
def _axe() -> str:
    return AXE.read_text(encoding="utf-8")


async def barriers(browser: Browser) -> list[str]:
    """What axe-core finds on the page as it stands, its folded parts opened."""
    page = browser.page
    await page.evaluate(_OPEN, _MANY)
    # As high as the page, for what stays in view while it scrolls covers something everywhere.
    high = await page.evaluate("document.documentElement.scrollHeight")
    await page.set_viewport_size({"width": browser.width, "height": high + 300})
    await page.evaluate(_axe())
    found: list[str] = await page.evaluate(_RUN)
    await page.set_viewport_size({"width": browser.width, "height": HEIGHT})
    return found


async def out_of_reach(browser: Browser) -> list[str]:
    """What acts and the Tab key does not reach, or reaches unseen, or only a pointer can press."""
    page = browser.page
    await page.evaluate(_OPEN, _MANY)
    acts: list[str] = await page.evaluate(_ACTS)
    pointed: list[str] = await page.evaluate(_POINTED)
    missing = dict(enumerate(acts))
    await page.evaluate(_LISTEN)
    went: list[dict[str, Any]] = []
    # Tab by Tab until everything was reached, or the focus has been all around the page.
    for presses in (len(acts) + 2, len(acts)):
        for _ in range(presses):
            await page.keyboard.press("Tab")
        went = await page.evaluate("irasFocus")
        for one in went:
            missing.pop(int(one["at"] or -1), None)
        if not missing:
            break
    unseen = {one["html"] for one in went if not one["seen"]}
    return [
        *(f"not reached: {one}" for one in missing.values()),
        *(f"focus not seen: {one}" for one in unseen),
        *(f"only by pointer: {one}" for one in pointed),
    ]
