"""Take the documentation's pictures from a page of `topline demo`, in headless Chromium.

.venv/bin/python tools/screenshots.py topline-demo.html
"""

import shutil
import sys
from pathlib import Path
from typing import Any

from selenium import webdriver

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
SWITCHES = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--disable-background-networking",
)
TO_COLUMNS = "document.querySelector('.columns').scrollIntoView(); window.scrollBy(0, -170);"
SHOW = """
const choose = (id, value) => {
  const control = document.getElementById(id);
  control.value = value;
  control.dispatchEvent(new Event('change'));
  document.activeElement.blur();
};
"""
TRIMMED = SHOW + "choose('what', 'trimmed'); choose('beside', '');" + TO_COLUMNS
BESIDE = SHOW + "choose('beside', 'system:lexrank');" + TO_COLUMNS
RANKS = "document.getElementById('ranks').scrollIntoView();"
FIGURE = "document.querySelector('#topic-view figure').scrollIntoView(); window.scrollBy(0, -60);"
VIEWS = {
    "report.png": ("", "", 900, "light"),
    "ranks.png": ("", RANKS, 1050, "light"),
    "distribution.png": ("#topic=t05", FIGURE, 700, "light"),
    "oracle.png": ("#topic=t03", BESIDE, 1000, "light"),
    "trimmed.png": ("#topic=t03", TRIMMED, 1000, "dark"),
}
"""Place, script, height and colours of each picture."""


def browser() -> Any:
    """A headless Chromium."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for switch in SWITCHES:
        options.add_argument(switch)
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))


def main() -> None:
    """One picture a view."""
    page = Path(sys.argv[1]).resolve().as_uri()
    started = browser()
    try:
        for name, (place, script, height, colours) in VIEWS.items():
            features = [{"name": "prefers-color-scheme", "value": colours}]
            started.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            started.set_window_size(1100, height)
            started.get("about:blank")
            started.get(page + place)
            started.implicitly_wait(2)
            started.find_element("css selector", "#topic-title")
            started.execute_script(script)
            started.save_screenshot(str(IMAGES / name))
    finally:
        started.quit()


main()
