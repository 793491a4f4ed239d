"""The page in a real browser: sorting, choosing a topic, other best extracts, pointing at words."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.test_report import NASTY, SETTINGS, corpus
from topline.corpus.records import Document, Reference, Sentence, Topic
from topline.report.report import html
from topline.report.settings import Settings
from topline.report.study import study
from topline.rouge.metric import Metric
from topline.run.engine import Serial
from topline.text.budget import Budget
from topline.text.tokens import Preprocessing

SHOWN = NASTY.split("\ud800")[0]
"""What the driver can hand back: it refuses lone surrogates and control characters."""
SWITCHES = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--window-size=1200,1400",
]  # fmt: skip


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="pip install selenium")
    binary = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if not binary or not driver:
        pytest.skip("no Chromium with its driver: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for switch in (*SWITCHES, f"--user-data-dir={tmp_path_factory.mktemp('browser')}"):
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    started = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    started.set_page_load_timeout(60)
    yield started
    started.quit()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text("".join(html(study(corpus(SHOWN), SETTINGS, Serial()), SHOWN)), "utf-8")
    return path


@pytest.fixture
def opened(browser: Any, page: Path) -> Any:
    browser.get("about:blank")
    browser.get(page.as_uri())
    until(browser, lambda: bool(find(browser, "#topic-title")))
    return browser


def until(browser: Any, true: Callable[[], bool]) -> None:
    """Wait for what the page does after an event, however busy the machine is."""
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 20, 0.05).until(lambda _: true())


def find(browser: Any, selector: str) -> list[Any]:
    found: list[Any] = browser.find_elements("css selector", selector)
    return found


def test_the_page_opens_without_an_error_and_nothing_of_a_document_runs(opened: Any) -> None:
    until(opened, lambda: len(find(opened, "#topic-view .sentence")) == 3)
    assert opened.get_log("browser") == []
    assert opened.title.startswith('Topline: </script><script>alert("owned")</script>')
    assert find(opened, "main img") == []


def test_a_click_sorts_a_table_and_says_so(opened: Any) -> None:
    table = find(opened, "table.sortable")[0]
    button = table.find_elements("css selector", "th button")[1]
    column = lambda: [float(c.text) for c in table.find_elements("css selector", "tbody td:nth-child(2)")]  # noqa: E731
    before = column()
    button.click()
    assert column() == sorted(before, reverse=True)
    assert table.find_elements("css selector", "th")[1].get_attribute("aria-sort") == "descending"
    button.click()
    assert column() == sorted(before)


def test_a_topic_can_be_chosen_and_stepped_through(opened: Any) -> None:
    titles = []
    for _ in range(3):
        title = find(opened, "#topic-title")[0].text
        titles.append(title.split(":")[0])
        find(opened, "#topic-next")[0].click()
        until(opened, lambda before=title: find(opened, "#topic-title")[0].text != before)  # type: ignore[misc]
    assert titles[0] == "t1"
    assert titles[2] == "t3"
    assert find(opened, "#topic-title")[0].text.startswith("t1")
    option = next(o for o in find(opened, "#topic-choice option") if o.get_attribute("value") == "t3")
    option.click()
    until(opened, lambda: find(opened, "#topic-title")[0].text.startswith("t3"))
    assert opened.current_url.endswith("#topic=t3")


def test_another_best_extract_is_one_click_away(opened: Any) -> None:
    opened.execute_script("location.hash = 'topic=t3'")
    until(opened, lambda: find(opened, "#topic-title")[0].text.startswith("t3"))
    chosen = lambda: [e.text for e in find(opened, ".sentence.in-oracle .number")]  # noqa: E731
    first = chosen()
    assert first
    find(opened, "#oracle-next")[0].click()
    assert chosen() != first
    find(opened, "#oracle-back")[0].click()
    assert chosen() == first


def choose(opened: Any, control: str, value: str) -> None:
    next(o for o in find(opened, f"#{control} option") if o.get_attribute("value") == value).click()


def test_a_systems_choice_stands_beside_the_oracles(opened: Any) -> None:
    numbers = lambda kind: [e.text for e in find(opened, f".sentence.in-{kind} .number")]  # noqa: E731
    script = "return JSON.parse(document.querySelector('script.topic').textContent).optima.list[0]"
    best = [str(number) for number in opened.execute_script(script)]
    assert (numbers("oracle"), numbers("system")) == (best, ["0"])
    assert [e.text for e in find(opened, ".panel.text h4")] == ["best extract", "first"]
    choose(opened, "beside", "")
    assert (numbers("oracle"), numbers("system")) == (best, [])
    choose(opened, "what", f"system:{SHOWN}")
    assert (numbers("oracle"), numbers("system")) == ([], []), "its text is not made of source sentences"
    assert [e.text for e in find(opened, ".panel.text p")] == [" ".join(SHOWN.split())]
    find(opened, "#topic-next")[0].click()
    until(opened, lambda: not find(opened, "#topic-title")[0].text.startswith("t1"))
    assert find(opened, "#what")[0].get_attribute("value") == f"system:{SHOWN}", "it stays in view"


def test_pointing_at_a_word_lights_it_on_the_other_side(opened: Any) -> None:
    from selenium.webdriver import ActionChains

    word = next(e for e in find(opened, ".reference .word") if e.text == "cat")
    opened.execute_script("arguments[0].scrollIntoView({block: 'center'})", word)
    ActionChains(opened).move_to_element(word).perform()
    until(opened, lambda: bool(find(opened, ".glow")))
    assert {e.text.lower() for e in find(opened, ".glow")} == {"cat"}
    assert find(opened, ".sentence .glow")


def test_bigrams_light_up_as_wholes_and_only_where_both_sides_have_them(browser: Any, tmp_path: Path) -> None:
    from selenium.webdriver import ActionChains

    sentences = (Sentence("The old ferry sank at night."), Sentence("A ferry came."))
    given = Topic("t", (Document("d", sentences),), (Reference("A", ("An old ferry went down.",)),))
    settings = Settings(Metric.parse("rouge-2"), Metric.parse("rouge-2"), Budget.parse("9w"), ("oracle",))
    path = tmp_path / "page.html"
    path.write_text("".join(html(study([(given, [])], settings, Serial()), "x")), "utf-8")
    browser.get(path.as_uri())
    until(browser, lambda: bool(find(browser, ".reference .hit")))
    assert [e.text for e in find(browser, ".reference .hit")] == ["old", "ferry"]
    words = {e.text: e for e in find(browser, ".reference .word")}
    ActionChains(browser).move_to_element(words["ferry"]).perform()
    until(browser, lambda: bool(find(browser, ".glow")))
    assert [e.text for e in find(browser, ".glow")] == ["old", "ferry", "old", "ferry"]
    ActionChains(browser).move_to_element(words["down"]).perform()
    until(browser, lambda: not find(browser, ".glow"))


def test_what_is_covered_in_a_reference_is_what_the_extract_holds(opened: Any) -> None:
    covered = [e.text for e in find(opened, ".reference .hit")]
    script = "return JSON.parse(document.querySelector('script.topic').textContent).scale"
    best = opened.execute_script(f"{script}.find((row) => row.name === 'best extract').score")
    assert len(covered) == round(best * 10), "ten words in the references, n-grams marked once each"


def test_it_can_be_used_with_the_keyboard(opened: Any) -> None:
    from selenium.webdriver import Keys

    body = opened.find_element("css selector", "body")
    body.send_keys(Keys.TAB)
    assert opened.switch_to.active_element.get_attribute("class") == "skip"
    button = find(opened, "table.sortable th button")[0]
    button.send_keys(Keys.ENTER)
    assert find(opened, "table.sortable th")[0].get_attribute("aria-sort") == "ascending"


def test_it_fits_a_narrow_window_without_scrolling_sideways(opened: Any) -> None:
    opened.set_window_size(480, 900)
    width, visible = opened.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
    opened.set_window_size(1200, 1400)
    assert width <= visible


def test_words_of_other_scripts_are_found_too(browser: Any, tmp_path: Path) -> None:
    given = Topic(
        "t", (Document("d", (Sentence("Ein größeres 猫 lief."), Sentence("Zum Größeren."))),),
        (Reference("A", ("GRÖSSERES 猫",)),),
    )  # fmt: skip
    metric = Metric.parse("rouge-1", Preprocessing("unicode", stem=False))
    settings = Settings(metric, metric, Budget.parse("4w"), ("oracle",))
    path = tmp_path / "page.html"
    path.write_text("".join(html(study([(given, [])], settings, Serial()), "x")), "utf-8")
    browser.get(path.as_uri())
    until(browser, lambda: bool(find(browser, ".reference .hit")))
    assert [e.text for e in find(browser, ".reference .hit")] == ["GRÖSSERES", "猫"]
    assert [e.text for e in find(browser, ".sentence .word")] == ["größeres", "猫"]


def test_figures_follow_the_dark(opened: Any) -> None:
    ink = "return getComputedStyle(document.querySelector('.drawing svg text')).fill"
    light = opened.execute_script(ink)
    features = [{"name": "prefers-color-scheme", "value": "dark"}]
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    dark, paper = opened.execute_script(
        f"{ink} + '/' + getComputedStyle(document.body).backgroundColor"
    ).split("/")
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert dark != light
    assert dark != paper
