"""Evidence and weights kept, stage by stage."""

import numpy as np

from ._axes import COLOURS, axes_or_new, legend_above, part_of, whole_ticks


def stages(model, *, part=0, ax=None):
    """Log evidence (left) and number of weights kept (right) after each stage of training.

    Parameters
    ----------
    model : estimator
        Fitted; of a model from a file the stages are not known.
    part : int, default=0
        Which of several binary models.
    ax : matplotlib Axes or None, default=None
        None: a new figure.

    Returns
    -------
    matplotlib Axes
        Those of the evidence; those of the weights are its ``right_ax``.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from ardent import ARDClassifier, plot
    >>> model = ARDClassifier().fit(*load_breast_cancer(return_X_y=True))
    >>> ax = plot.stages(model)
    >>> int(ax.right_ax.lines[0].get_ydata()[-1]) == len(model.active_)
    True
    """
    reported = part_of(model.report_["parts"], part)["stages"]
    if len(reported["active"]) == 0:
        raise ValueError("the model does not know its stages")
    ax = axes_or_new(ax)
    number = np.arange(1, len(reported["active"]) + 1)
    evidence_colour, count_colour = COLOURS[:2]
    (evidence,) = ax.plot(
        number, reported["log_evidence"], color=evidence_colour, label="log evidence"
    )
    right = ax.right_ax = ax.twinx()
    (count,) = right.step(
        number, reported["active"], "--", where="post", color=count_colour, label="weights kept"
    )
    right.set_ylim(0, None)
    ax.set_xlabel("stage")
    ax.set_ylabel("log evidence", color=evidence_colour)
    ax.ticklabel_format(axis="y", useOffset=False)  # which would stand in the legend
    right.set_ylabel("weights kept", color=count_colour)
    ax.tick_params(axis="y", colors=evidence_colour)
    right.tick_params(axis="y", colors=count_colour)
    whole_ticks(ax.xaxis)
    whole_ticks(right.yaxis)
    legend_above(ax, [evidence, count])
    return ax
