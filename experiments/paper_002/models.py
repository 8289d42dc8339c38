"""The models of tables II and III: ours, the published sampler, and the three baselines."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score, log_loss
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import ardent
from experiments import data
from experiments.measure import cpu_seconds

OURS = {
    "collapsed (default)": {},
    "paper's sampler": {"sampler": "paper"},
    "paper's, basis only": {"sampler": "paper-basis"},
}
REGRESSION = "regression form (FS-SKR-Sa)"
SAMPLED = (*OURS, REGRESSION)
BASELINES = ("LR ℓ1", "KLR ℓ1", "SVM RBF")
SLUGS = {
    "collapsed (default)": "collapsed",
    "paper's sampler": "paper",
    "paper's, basis only": "paper-basis",
    REGRESSION: "regression",
    "LR ℓ1": "lr-l1",
    "KLR ℓ1": "klr-l1",
    "SVM RBF": "svm",
}


class KernelLogistic(ClassifierMixin, BaseEstimator):
    """scikit-learn's l1 logistic regression on the columns of a Gaussian kernel."""

    def __init__(self, gamma=0.1, C=1.0):
        self.gamma = gamma
        self.C = C

    def fit(self, X, y):
        self.rows_ = X
        self.model_ = LogisticRegression(
            l1_ratio=1.0, C=self.C, solver="liblinear", random_state=1
        ).fit(rbf_kernel(X, X, self.gamma), y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X):
        return self.model_.predict(rbf_kernel(X, self.rows_, self.gamma))

    def predict_proba(self, X):
        return self.model_.predict_proba(rbf_kernel(X, self.rows_, self.gamma))


class RegressionAsClassifier(ClassifierMixin, BaseEstimator):
    """FS-SKR-Sa: doubly sparse regression of targets −1 and 1, and the sign of its mean."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        target = np.where(y == self.classes_[1], 1.0, -1.0)
        self.model_ = ardent.DoublySparseRegressor(n_jobs=1, random_state=self.random_state)
        self.model_.fit(X, target)
        self.n_features_in_ = self.model_.n_features_in_
        self.diagnostics_, self.report_ = self.model_.diagnostics_, self.model_.report_
        return self

    def predict(self, X):
        return self.classes_[(self.model_.predict(X) > 0).astype(int)]


def baseline(name, X):
    """A grid search with three inner folds; the kernel's is coarser, for it is slow."""
    strengths = [2.0**k for k in range(-4, 7, 2)]
    wide = [k / X.shape[1] for k in (0.1, 0.3, 1.0, 3.0)]
    if name == "LR ℓ1":
        model = LogisticRegression(l1_ratio=1.0, solver="liblinear", random_state=1)
        grid = {"C": strengths}
    elif name == "KLR ℓ1":
        model = KernelLogistic()
        grid = {"gamma": wide[1:3], "C": strengths[1:5]}
    else:
        model, grid = SVC(), {"gamma": wide, "C": strengths}
    inner = StratifiedKFold(3, shuffle=True, random_state=7)
    return make_pipeline(StandardScaler(), GridSearchCV(model, grid, cv=inner))


def sparsity(name, model):
    """Shares of features and of basis points that are on."""
    if name in SAMPLED:
        found = model.diagnostics_[0]
        features = found["features_on"]["mean"] / model.n_features_in_
        return features, found["basis_on"]["mean"] / len(found["candidates"])
    best = model[-1].best_estimator_
    if name == "LR ℓ1":
        return float(np.mean(best.coef_ != 0)), None
    if name == "KLR ℓ1":
        return None, float(np.mean(best.model_.coef_ != 0))
    return None, float(best.n_support_.sum() / best.shape_fit_[0])


def diagnostics(model):
    found = model.diagnostics_[0]
    worst = np.nanmax([*found["features"]["r_hat"], found["log_likelihood"]["r_hat"]])
    return {
        "r_hat": found["log_likelihood"]["r_hat"],
        "worst_r_hat": float(worst),
        "effective": found["log_likelihood"]["effective"],
        "feature_flips": found["feature_flips"],
        "basis_flips": found["basis_flips"],
        "warnings": len(model.report_["warnings"]),
    }


def digits_with_noise(draw):
    """3s and 8s between 0 and 1, and U(0, 1) added to every pixel."""
    X, y = data.dense("digits38")
    X = np.pad(X, ((0, 0), (0, 64 - X.shape[1])))
    return X / 16 + np.random.default_rng(100 + draw).uniform(0, 1, X.shape), y


def cross_validated(name, X, y, folds, seed):
    """F1, accuracy, log loss, shares on and diagnostics, fold by fold."""
    result = {k: [] for k in ("f1", "accuracy", "log_loss", "features", "basis", "chains")}
    splitter = StratifiedKFold(folds, shuffle=True, random_state=seed)
    with cpu_seconds() as clock:
        for train, test in splitter.split(X, y):
            if name in OURS:
                model = ardent.DoublySparseClassifier(n_jobs=1, random_state=seed, **OURS[name])
            elif name == REGRESSION:
                model = RegressionAsClassifier(random_state=seed)
            else:
                model = baseline(name, X)
            model.fit(X[train], y[train])
            found = model.predict(X[test])
            result["f1"].append(f1_score(y[test], found, pos_label=1))
            result["accuracy"].append(accuracy_score(y[test], found))
            if hasattr(model, "predict_proba"):
                result["log_loss"].append(log_loss(y[test], model.predict_proba(X[test])))
            features, basis = sparsity(name, model)
            result["features"].append(features)
            result["basis"].append(basis)
            if name in SAMPLED:
                result["chains"].append(diagnostics(model))
    return result, {"cpu": clock.seconds}
