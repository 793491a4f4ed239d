"""Sphinx configuration: MyST Markdown, warnings are errors (see the Makefile)."""

from topline import __version__

project = "Topline"
author = "The Topline authors"
copyright = "2026, The Topline authors"
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
myst_enable_extensions = ["colon_fence", "dollarmath", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"Topline {version}"
autodoc_typehints = "description"
suppress_warnings = ["misc.highlighting_failure"]
nitpicky = False
