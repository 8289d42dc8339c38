"""Python keywords and the core's option table: the same names, the same defaults.

A keyword is an option's name with underscores; ``True``, ``False`` and ``None`` stand for the
table's ``on``, ``off`` and ``none``. Two names differ: ``lambda``, a word of the language, is
``lam``, and ``seed`` is scikit-learn's ``random_state``.
"""

import numbers

import numpy as np

_RENAMED = {"lam": "lambda"}


def option_name(keyword):
    """Name in the option table of a Python keyword."""
    return _RENAMED.get(keyword, keyword).replace("_", "-")


def keyword_of(option):
    """Python keyword of a name in the option table."""
    return {name: keyword for keyword, name in _RENAMED.items()}.get(
        option, option.replace("-", "_")
    )


def option_text(value):
    """A value as the option table spells it."""
    if value is None:
        return "none"
    if isinstance(value, (bool, np.bool_)):
        return "on" if value else "off"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    return str(value)


def option_value(text):
    """The Python value of a text of the option table."""
    words = {"none": None, "on": True, "off": False}
    if text in words:
        return words[text]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def option_texts(estimator, keywords):
    """Options of the core from the estimator's parameters named."""
    return {option_name(k): option_text(getattr(estimator, k)) for k in keywords}


def seed_text(random_state):
    """A seed of the core: an integer is itself, a generator gives one, None is the default, 1."""
    if random_state is None:
        return "1"
    if isinstance(random_state, numbers.Integral):
        return str(int(random_state))
    if isinstance(random_state, np.random.Generator):
        return str(int(random_state.integers(2**32)))
    from sklearn.utils import check_random_state

    return str(int(check_random_state(random_state).randint(2**31 - 1)))


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
