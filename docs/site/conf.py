"""The documentation site: `make docs`. Sources are what scripts/make-docs puts together."""

import os
import re

import ardent

project = "ardent"
author = "The ardent authors"
copyright = "2026, the ardent authors"
release = version = ardent.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.autosummary",
    "breathe",
]
myst_heading_anchors = 4
nb_execution_mode = "off"  # scripts/make-notebooks has run them
breathe_projects = {"ardent": os.environ.get("ARDENT_DOXYGEN", "")}
breathe_default_project = "ardent"
breathe_show_include = False
autosummary_generate = False
autodoc_typehints = "none"
autodoc_member_order = "groupwise"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True


def escaped(text):
    """|a| is a size and n_iter_ a name, not marks; code between double backquotes is left alone."""
    parts = re.split(r"(``.*?``)", text)
    for k in range(0, len(parts), 2):
        parts[k] = re.sub(r"(?<=\w)_(?!\w)", r"\\_", parts[k].replace("|", r"\|"))
    return "".join(parts)


def plain_docstring(app, what, name, obj, options, lines):
    for k, line in enumerate(lines):
        if line.lstrip().startswith((">>>", "...")):
            continue
        named, found, kind = line.partition(" : ")  # numpydoc's "name : type"
        lines[k] = named + found + escaped(kind) if found else escaped(line)


def setup(app):
    app.connect("autodoc-process-docstring", plain_docstring, priority=400)  # before napoleon


html_theme = "pydata_sphinx_theme"
html_title = f"ardent {release}"
html_context = {"default_mode": "auto"}
html_static_path = []
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "logo": {"text": "ardent"},
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "navbar_align": "left",
    "show_nav_level": 1,
}
