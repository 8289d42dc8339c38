"""While a fit runs: other threads go on, Ctrl-C stops it, callbacks are called."""

import os
import signal
import threading
import time

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

import ardent

X, Y = load_breast_cancer(return_X_y=True)


def endless():
    """Sampling that would take days."""
    return ardent.DoublySparseClassifier(burn_in=0, sweeps=10**9, draws=10)


def long_engine():
    """A fit of few and long stages: what is heard between them is heard too late."""
    rng = np.random.default_rng(0)
    features = rng.normal(size=(1500, 1500))
    model = ardent.ARDClassifier(engine="exact", tol=1e-300, max_iter=10**6)
    return model, features, rng.integers(0, 2, size=1500)


@pytest.fixture(autouse=True)
def interrupts_are_heard():
    """A shell's background jobs ignore Ctrl-C, and so would Python's that it starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupt_soon():
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def test_control_c_stops_sampling():
    timer = interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        endless().fit(X, Y)
    timer.join()
    assert ardent.ARDClassifier().fit(X, Y).score(X, Y) > 0.9  # all is well afterwards


def test_control_c_stops_an_engine():
    model, features, y = long_engine()
    timer = interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        model.fit(features, y)
    timer.join()
    assert not hasattr(model, "model_")


def test_control_c_stops_several_binary_models_at_once():
    features, y = load_iris(return_X_y=True)
    timer = interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        endless().fit(features, y)
    timer.join()


def test_other_threads_go_on_while_a_fit_runs():
    events = []
    stop = threading.Event()

    def count():
        while not stop.is_set():
            events.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    rng = np.random.default_rng(0)
    features = rng.normal(size=(600, 600))
    y = rng.integers(0, 2, size=600)
    thread.start()
    begin = time.perf_counter()
    ardent.ARDClassifier(engine="exact", max_iter=20, n_jobs=1).fit(features, y)
    end = time.perf_counter()
    stop.set()
    thread.join()
    inside = np.array([t for t in events if begin < t < end])
    # Held, the GIL would let nothing happen but at the edges.
    assert ((begin + (end - begin) / 4 < inside) & (inside < end - (end - begin) / 4)).any()


def test_a_callback_is_told_of_every_stage():
    events = []
    model = ardent.ARDClassifier(callback=events.append, support_prior="none").fit(X, Y)
    assert [event["done"] for event in events] == list(range(1, model.n_iter_ + 1))
    assert events[-1]["active"] == len(model.active_)
    assert set(events[0]) == {
        *("task", "done", "total", "objective", "objective_name", "active", "active_name"),
        *("models", "models_done"),
    }
    assert {(event["models"], event["models_done"]) for event in events} == {(1, 0)}


def test_several_models_are_one_bar(capsys):
    features, y = load_iris(return_X_y=True)
    events = []
    ardent.ARDClassifier(callback=events.append, n_jobs=1).fit(features, y)
    assert {event["models"] for event in events} == {3}
    done = [event["models_done"] for event in events]
    assert done == sorted(done) and set(done) == {0, 1, 2}
    ardent.ARDClassifier(verbose=1, n_jobs=1).fit(features, y)
    bar = capsys.readouterr().err
    assert "models:" in bar and "/3 [" in bar and "log evidence" not in bar


def test_a_callback_can_stop_a_fit():
    model = ardent.ARDClassifier(callback=lambda event: event["done"] < 5).fit(X, Y)
    assert model.n_iter_ == 5 and model.report_["status"] == "stopped"
    assert model.score(X, Y) > 0.9


def test_what_a_callback_raises_is_raised():
    def fail(event):
        raise KeyError(event["task"])

    for estimator in (
        ardent.ARDClassifier(callback=fail, support_prior="none"),
        ardent.SBELMClassifier(callback=fail),
    ):
        with pytest.raises(KeyError, match="exact"):
            estimator.fit(X, Y)
    features, y = load_iris(return_X_y=True)
    with pytest.raises(KeyError, match="model"):
        ardent.ARDClassifier(callback=fail).fit(features, y)
    with pytest.raises(KeyError):
        ardent.DoublySparseClassifier(sweeps=10**9, callback=fail).fit(X, Y)
    with pytest.raises(KeyError):
        ardent.SparseCoder(callback=fail).fit(X).transform(X[:3])


def test_a_bar_or_lines_on_request(capsys):
    ardent.ARDClassifier().fit(X, Y)
    assert capsys.readouterr().err == ""
    ardent.ARDClassifier(verbose=1, support_prior="none").fit(X, Y)
    assert "exact:" in capsys.readouterr().err  # tqdm's bar
    model = ardent.ARDClassifier(verbose=2, support_prior="none").fit(X, Y)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == model.n_iter_
    assert lines[0].startswith("exact 1/1000  log evidence")


def test_fits_in_threads_give_the_same_model():
    from concurrent.futures import ThreadPoolExecutor

    reference = ardent.ARDClassifier().fit(X, Y).model_.to_bytes()
    with ThreadPoolExecutor(4) as pool:
        models = pool.map(lambda _: ardent.ARDClassifier().fit(X, Y), range(8))
    assert all(model.model_.to_bytes() == reference for model in models)
