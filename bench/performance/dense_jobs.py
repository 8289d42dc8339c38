"""Kernels, dense regressions and predictions beside LIBSVM, dlib and scikit-learn."""

import subprocess
import tempfile

import kernels
import numpy as np
import prediction
from sklearn.linear_model import ARDRegression, LassoCV
from timing import Answer, Row, Used, alternate, call, json_of

import ardent


def kernel_rows(settings):
    for name, goal in (("german.numer", 0.1), ("diabetes", 0.04)):
        x, y = kernels.load(name)
        train, test = kernels.split(x, y, 0)
        with tempfile.TemporaryDirectory() as folder:
            own = kernels.Ardent(settings.ardent, folder)
            sigma = 2 * median_distance(train[0])

            def fit(*options):
                _, predicted, seconds = own.answer(train, test, "classification", *options)
                return Used(seconds, seconds), scores(kernels.class_scores(predicted, test[1]))

            def svm():
                accuracy, loss, seconds = kernels.libsvm(train, test)
                return Used(seconds, seconds), scores((accuracy, loss))

            contenders = {
                "default, width chosen": fit,
                "width given": lambda: fit("--sigma", sigma),
                "LIBSVM, 11 C": svm,
            }
            if settings.dlib:
                contenders["dlib RVM, width given"] = lambda: by_dlib(
                    settings.dlib, own, train, test, sigma
                )
            answers = alternate(contenders, 3)
        yield Row(f"RVM {name}, {len(train[1])} rows", answers, "LIBSVM, 11 C", 1)


def scores(found):
    return {"accuracy": found[0], "log_loss": found[1]}


def median_distance(x):
    """Of the columns as the command scales them: mean 0, standard deviation 1."""
    x = (x - x.mean(0)) / np.where(x.std(0) > 0, x.std(0), 1)
    pairs = np.random.default_rng(0).integers(0, len(x), (2, 2000))
    return np.median(np.linalg.norm(x[pairs[0]] - x[pairs[1]], axis=1))


def by_dlib(program, own, train, test, sigma):
    """Of columns scaled by hand; dlib's kernel is exp(-gamma d^2)."""
    mean, sd = train[0].mean(0), np.where(train[0].std(0) > 0, train[0].std(0), 1)
    for name, (x, y) in (("dlib.train", train), ("dlib.test", test)):
        sign = np.where(y == np.unique(train[1])[-1], 1, -1)
        np.savetxt(own.folder / name, np.c_[sign, (x - mean) / sd], fmt="%.17g")
    files = [own.folder / name for name in ("dlib.train", "dlib.test")]
    done = subprocess.run(
        [program, *files, str(train[0].shape[1]), str(1 / (2 * sigma**2))],
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, accuracy, kept = map(float, done.stdout.split())
    return Used(seconds, seconds), {"accuracy": accuracy, "active": kept}


def growth_rows(settings):
    random = np.random.default_rng(0)
    sizes, times = (500, 1000, 2000, 4000), []
    with tempfile.TemporaryDirectory() as folder:
        own = kernels.Ardent(settings.ardent, folder)
        for rows in sizes:
            x = random.uniform(-1, 1, (rows, 3))
            y = np.where(np.sin(3 * x).sum(1) + 0.5 * random.standard_normal(rows) > 0, 1, -1)
            words = ("classification", "--sigma", 1)
            times.append(own.answer((x, y), (x[:10], y[:10]), *words)[2])
    exponent = np.polyfit(np.log(sizes), np.log(times), 1)[0]
    answers = [Answer("width given", times[-1], {"exponent": exponent})]
    yield Row("RVM growth, 500 … 4,000 rows × 3: seconds at 4,000", answers)


def usps_rows(settings):
    files = [settings.data / f"usps{kind}.libsvm.xz" for kind in ("", ".t")]
    with tempfile.TemporaryDirectory() as folder:
        model = f"{folder}/usps.model"

        def fit(*options):
            words = ("train", files[0], "--map", "rbf", "--threads", 1, "-o", model, *options)
            used, _ = json_of(settings.ardent, *words)
            _, found = json_of(settings.ardent, "evaluate", model, files[1])
            return used, {key: found[key] for key in ("accuracy", "log_loss")}

        contenders = {
            "width given": lambda: fit("--sigma", 8),
            "default, width chosen": fit,
        }
        yield Row("usps, ten classes, rbf", alternate(contenders))


def ard_rows(settings):
    random = np.random.default_rng(0)
    x, w = random.standard_normal((2000, 5000)), np.zeros(5000)
    w[random.permutation(5000)[:20]] = random.standard_normal(20)
    y = x @ w + 0.5 * random.standard_normal(2000)
    models = {
        "ARDRegressor()": lambda: ardent.ARDRegressor(n_jobs=1),
        "ARDRegressor(support_prior='beta-binomial')": lambda: ardent.ARDRegressor(
            n_jobs=1, support_prior="beta-binomial"
        ),
        "LassoCV": lambda: LassoCV(n_jobs=1),
        "scikit-learn ARDRegression": lambda: ARDRegression(),
    }

    def fit(make):
        used, model = call(lambda: make().fit(x[:1000], y[:1000]))
        error = np.sqrt(np.mean((y[1000:] - model.predict(x[1000:])) ** 2))
        kept = len(getattr(model, "active_", np.flatnonzero(np.abs(model.coef_) > 1e-8)))
        return used, {"rmse": error, "active": kept}

    contenders = {name: lambda make=make: fit(make) for name, make in models.items()}
    yield Row("ARD 1,000 × 5,000, 20 true", alternate(contenders), "LassoCV", 0.07)


def prediction_rows(settings):
    random = np.random.default_rng(0)
    pairs = {
        "linear, 20 columns": (prediction.linear(20, random), "ARDClassifier", "LogisticRegression"),
        "linear, 200 columns": (
            prediction.linear(200, random),
            "ARDClassifier",
            "LogisticRegression",
        ),
        "kernels": (prediction.kernels(random), "RVMClassifier", "SVC"),
    }
    for name, (found, own, peer) in pairs.items():
        answers = [Answer(which, found[which] / 1e6) for which in (own, peer)]
        yield Row(f"predict, {name}: per row", answers, peer, 1)


def rows(settings):
    for part in (kernel_rows, growth_rows, usps_rows, ard_rows, prediction_rows):
        yield from part(settings)
