"""The three codes that the applications compare, over lambda/lambda_max."""

import numpy as np

import ardent

# The paper starts its reweighting at u = 1; ours at gamma = 0 takes lambda as a noise variance.
METHODS = {
    "one LASSO": {"method": "lasso"},
    "SBL, as published": {"method": "sbl", "code_start": "ones"},
    "SBL from γ = 0": {"method": "sbl", "code_start": "zero"},
}


def coder(method, ratio, dictionary, **more):
    options = METHODS[method] | {"lambda_ratio": ratio, "n_jobs": 1} | more
    return ardent.SparseCoder(**options).fit(dictionary)


def class_sums(codes, digits):
    """ABS_k of equation 53: the sum of |theta| over the atoms of each digit."""
    membership = np.eye(10)[digits]
    return np.asarray(abs(codes) @ membership)
