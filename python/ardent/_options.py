"""The core's option schemas as Python keywords: the same names, the same defaults.

A keyword is an option's name with underscores; ``True``, ``False`` and ``None`` stand for ``on``,
``off`` and ``none``. Five names differ (``keyword_of`` in the core): ``lambda``, a word of the
language, is ``lam``; ``seed``, ``bias``, ``max-stages`` and ``tolerance`` are scikit-learn's
``random_state``, ``fit_intercept``, ``max_iter`` and ``tol``.
"""

import numbers

import numpy as np


def option_text(option, value):
    """A value as the command line spells it."""
    if value is None:
        return "none"
    if isinstance(value, (bool, np.bool_)):
        return "on" if value else "off"
    if isinstance(value, (list, tuple, np.ndarray)) and option["separator"]:
        return option["separator"].join(option_text(option, item) for item in value)
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    return str(value)


def option_value(option, text):
    """The Python value of a text of the command line."""
    if text == "none":
        return None
    if option["kind"] in ("on_off", "flag"):
        return text == "on"
    if option["kind"] == "whole":
        return int(text)
    if option["kind"] != "number":
        return text
    if option["separator"] and option["separator"] in text:
        return tuple(float(part) for part in text.split(option["separator"]))
    try:
        return float(text)
    except ValueError:  # a word: auto
        return text


def option_texts(estimator):
    """Options of the core from the estimator's parameters."""
    return {o["name"]: option_text(o, getattr(estimator, o["keyword"])) for o in estimator._schema}


def seed_texts(random_state):
    """The core's seed: an integer is itself, a generator gives one, None leaves the default."""
    if random_state is None:
        return {}
    if isinstance(random_state, numbers.Integral):
        return {"seed": str(int(random_state))}
    if isinstance(random_state, np.random.Generator):
        return {"seed": str(int(random_state.integers(2**32)))}
    from sklearn.utils import check_random_state

    return {"seed": str(int(check_random_state(random_state).randint(2**31 - 1)))}


def thread_count(n_jobs):
    """Threads of the core: None and -1 are all cores, as 0 is there."""
    if n_jobs is None or n_jobs == -1:
        return 0
    if n_jobs < -1:
        from joblib import cpu_count

        return max(1, cpu_count() + 1 + n_jobs)
    if n_jobs == 0:
        raise ValueError("n_jobs must not be 0: None or -1 for all cores, or a number of threads")
    return int(n_jobs)
