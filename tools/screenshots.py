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
SHOW_TRIMMED = """
const what = document.getElementById('what');
what.value = 'compressive';
what.dispatchEvent(new Event('change'));
document.querySelector('.columns').scrollIntoView();
window.scrollBy(0, -60);
"""
VIEWS = {
    "report.png": ("", "", 900),
    "distribution.png": ("#topic=t05", "document.getElementById('topics').scrollIntoView();", 1250),
    "trimmed.png": ("#topic=t03", SHOW_TRIMMED, 900),
    "oracle.png": ("#topic=t03", "document.querySelector('.controls select#what').scrollIntoView();", 900),
}


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
        for name, (place, script, height) in VIEWS.items():
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
