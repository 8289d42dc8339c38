"""Models as code for devices."""

from sklearn.utils.validation import check_is_fitted

from . import _core
from ._options import option_text


def export_c(
    estimator,
    path=None,
    *,
    name=None,
    real="double",
    arithmetic="paired",
    exp="auto",
    exp_table=0,
    probability=None,
    variance="auto",
):
    """Write a fitted estimator as a C99 header that predicts without any library but ``math.h``.

    Its functions allocate nothing. Of classes, ``NAME_predict(x)`` returns the number of the most
    probable one, ``NAME_probabilities(x, p)`` all probabilities, ``NAME_label(k)`` the label of
    class ``k``; of a regression ``NAME_predict(x)`` returns the mean, ``NAME_moments(x, &v)`` its
    variance, too. Each has a form for sparse rows. Classes are in the order of the command line,
    by first appearance: compare labels, not positions in ``classes_``.

    Parameters
    ----------
    estimator : ARDClassifier, RVMClassifier, SBELMClassifier or their regressors
    path : str, path-like or None
        Header to write, whole or not at all; None: none.
    name : str or None, default=None
        What the names in the code begin with; None: the file's name, or ``model``.
    real : {'double', 'float'}, default='double'
        Type of all numbers. double agrees with ``predict`` to rounding, float to 1e-6.
    arithmetic : {'paired', 'plain'}, default='paired'
        Of float. 'paired': the model's numbers and sums are pairs of floats. 'plain': floats, in
        half of the bytes and a fraction of the time; where large weights cancel, results are off.
    exp : {'auto', 'libm', 'own'}, default='auto'
        exp and log of ``math.h``, or a polynomial in the code itself; 'auto': 'own' by paired
        arithmetic, else 'libm'.
    exp_table : int, default=0
        Entries of the table that exp of its own uses, a power of two up to 256; 0: none.
    probability : {'auto', 'moderated', 'plug-in'} or None, default=None
        As ``moderated`` of the estimator; None: that of the estimator.
    variance : {'auto', 'weights', 'full'} or None, default='auto'
        A function of the variance, too. 'weights': that of the posterior of the weights; 'full':
        as ``predict`` has it, for an ``RVMRegressor`` with the training rows; 'auto': full for a
        regression where that needs no training rows, else None.

    Returns
    -------
    str
        The code.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ardent import RVMClassifier, export_c
    >>> model = RVMClassifier().fit(*load_iris(return_X_y=True))
    >>> code = export_c(model, name="iris", real="float")
    >>> "static inline int iris_predict(const iris_real *x)" in code
    True
    """
    check_is_fitted(estimator, "model_")
    kernel = getattr(estimator, "kernel", "rbf")
    if callable(kernel) or kernel not in ("rbf", "precomputed"):
        raise ValueError(f"the kernel {kernel!r}, which Python computes, cannot be exported to C")
    if name is None:
        name = "model" if path is None else _core.c_identifier(str(path))
    if probability is None:
        moderated = getattr(estimator, "moderated", None)
        probability = {None: "auto", True: "moderated", False: "plug-in"}[moderated]
    given = {
        "name": name,
        "real": real,
        "exp": exp,
        "probability": probability,
        "variance": variance,
    }
    if arithmetic != "paired":
        given["arithmetic"] = arithmetic
    if exp_table:
        given["exp-table"] = exp_table
    code = _core.export_c(estimator.model_, {k: option_text({}, v) for k, v in given.items()})
    if path is not None:
        _core.write_file(str(path), code["code"])
    return code["code"]
