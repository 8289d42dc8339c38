"""The page for each kind of model."""

import os
import pathlib

from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from .. import __version__
from ._codes import codes_page
from ._images import sources_page
from ._kept import kept_section, options_section, training_section
from ._masks import chains_section, inclusion_section
from ._page import Page, number
from ._scores import scores_section

_WHAT = {
    "linear": ("A linear", "features"),
    "rbf": ("A kernel", "training rows"),
    "elm": ("A hidden-layer", "hidden nodes"),
    "doubly-sparse": ("A doubly sparse kernel", "training rows"),
    "dictionary": ("A sparse-representation", "training rows as atoms"),
}


def report(model, X=None, y=None, path=None, *, title=None):
    """A page (HTML) that shows a fitted model: one file that needs nothing but a browser.

    What is kept, with errors; evidence and size by stage; inclusion and chains of doubly sparse
    models; sources and what they leave of an image. Given rows with labels: calibration, ROC and
    confusion, or predictions against observations. It follows the browser's light or dark colours,
    can be read on a phone, and can be printed. The same model and rows give the same bytes.

    Parameters
    ----------
    model : estimator of this package
        Fitted, or from ``load``, which knows neither stages nor chains.
    X : array-like or sparse matrix, or None, default=None
        Rows to measure the model on, best not those of training. For a ``SourceFinder`` the image
        that it was fitted to, for a ``SparseCoder`` signals: these need it.
    y : array-like or None, default=None
        Their classes or targets.
    path : str, path-like or None, default=None
        File to write, whole or not at all; None: the page is returned.
    title : str or None, default=None
        Heading of the page; None: the kind of model.

    Returns
    -------
    str or None
        The page, unless it is written to ``path``.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> import ardent
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = ardent.ARDClassifier().fit(X[:400], y[:400])
    >>> page = ardent.report(model, X[400:], y[400:], title="Tumours")
    >>> "<h1>Tumours</h1>" in page, page.count("<svg")
    (True, 5)
    """
    from .._coding import SparseCoder
    from .._imaging import SourceFinder

    if isinstance(model, (SourceFinder, SparseCoder)):
        if X is None:
            raise ValueError(f"a report of a {type(model).__name__} needs what it is applied to: X")
        check_is_fitted(model)
        page = (sources_page if isinstance(model, SourceFinder) else codes_page)(model, X, title)
        options_section(page, model)
    else:
        check_is_fitted(model, "model_")
        page = _model_page(model, X, y, title)
    text = page.finished(f"Made by ardent {__version__}.")
    if path is None:
        return text
    _write_whole(text, path)


def _model_page(model, X, y, title):
    if (X is None) != (y is None):
        raise ValueError("rows and their labels come together: give X and y, or neither")
    if X is not None and not hasattr(model, "predict"):
        X = y = None  # a selector predicts nothing
    page = Page(title or type(model).__name__, _lead(model))
    kept, total = model.model_.mean_active, model.model_.total
    sampled = model._map == "doubly-sparse"
    if model._map != "dictionary":
        meaning = f"of {number(total)} {_WHAT[model._map][1]}"
        several = len(model.model_.posteriors) > 1
        page.card("kept", number(kept, 3), meaning + (", mean of binary models" if several else ""))
    if hasattr(model, "log_evidence_"):
        page.card("log evidence", number(model.log_evidence_), "of the training data")
    if sampled:
        page.card("states", number(len(model.model_.masks(0))), "kept of the chains")
    reported = getattr(model, "report_", {})
    page.warnings(reported.get("warnings", ()))
    if X is not None:
        scores_section(page, model, X, y)
    if sampled:
        inclusion_section(page, model)
        chains_section(page, model)
    elif model._map != "dictionary":
        kept_section(page, model)
        training_section(page, model, X, y)
    for text in reported.get("notes", ()):
        page.text(text)
    options_section(page, model)
    return page


def _lead(model):
    kind, kept = _WHAT[model._map]
    count = number(model.model_.mean_active, 3)
    if is_classifier(model):
        names = [str(name) for name in model.classes_]
        listed = ", ".join(names[:8]) + ("…" if len(names) > 8 else "")
        what = f"{kind} classifier of {len(names)} classes ({listed})"
    else:
        what = f"{kind} {'model' if model.model_.task == 'classification' else 'regression'}"
    features = f"on {number(model.n_features_in_)} features"
    if model._map == "dictionary":
        return f"{what} {features}: rows are coded over {number(len(model.active_))} {kept}."
    if model._map == "doubly-sparse":
        total = number(model.model_.total)
        return f"{what} {features}: a sampled state has {count} of {total} {kept}, on average."
    return f"{what} {features}: the evidence keeps {count} of {number(model.model_.total)} {kept}."


def _write_whole(text, path):
    path = pathlib.Path(path)
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
