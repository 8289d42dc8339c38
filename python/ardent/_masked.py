"""Masked arrays: what is masked is missing."""

import numpy as np


def with_nan(image):
    """An image as an array of floats, NaN where it is masked."""
    if isinstance(image, np.ma.MaskedArray):
        return image.astype(np.float64).filled(np.nan)
    return image


def refuse_masked(**arrays):
    """ValueError for an array that has masked values: rows must be complete.

    scikit-learn would drop the mask and use what lies under it.
    """
    for name, array in arrays.items():
        if not isinstance(array, np.ma.MaskedArray):
            continue
        mask = np.ma.getmaskarray(array)
        if not mask.any():
            continue
        first = ", ".join(str(place) for place in np.argwhere(mask)[0])
        raise ValueError(
            f"{name} is a masked array: {mask.sum()} of its values are masked, the first at [{first}]. "
            "Masked is missing, and rows must be complete: leave such rows out, or fill them with "
            f"{name}.filled(numpy.nan) and a Pipeline with sklearn.impute.SimpleImputer"
        )
