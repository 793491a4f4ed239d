"""Run the cells of docs/example.ipynb and keep what they print and show, in plain Python.

.venv/bin/python tools/notebook.py          # run and rewrite
.venv/bin/python tools/notebook.py --check  # run, and fail if a cell fails
"""

import ast
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

PATH = Path(__file__).resolve().parents[1] / "docs" / "example.ipynb"


def run(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """A cell's outputs: what it printed, and its last expression as text and, if it can, as HTML."""
    tree = ast.parse(source)
    last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        if last is not None:
            value = eval(compile(last, "<cell>", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append(
            {"output_type": "stream", "name": "stdout", "text": printed.getvalue().splitlines(True)}
        )
    if value is not None:
        data = {"text/plain": [repr(value)]}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = [value._repr_html_()]
        outputs.append(
            {"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": data}
        )
    return outputs


def main() -> None:
    """Run all cells in order."""
    notebook = json.loads(PATH.read_text("utf-8"))
    names: dict[str, Any] = {}
    count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        count += 1
        cell["outputs"] = run("".join(cell["source"]), names)
        cell["execution_count"] = count
        for output in cell["outputs"]:
            if output["output_type"] == "execute_result":
                output["execution_count"] = count
    if "--check" not in sys.argv:
        PATH.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
