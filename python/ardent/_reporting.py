"""Estimators that show themselves."""


class Reporting:
    """A page about the estimator."""

    def report(self, X=None, y=None, path=None, *, title=None):
        """A page (HTML) that shows the model, as ``ardent.report`` makes it.

        Parameters
        ----------
        X : array-like or sparse matrix, or None, default=None
            Rows to measure the model on; of a ``SourceFinder`` its image, of a ``SparseCoder``
            signals.
        y : array-like or None, default=None
            Their classes or targets.
        path : str, path-like or None, default=None
            File to write; None: the page is returned.
        title : str or None, default=None
            Heading of the page; None: the kind of model.

        Returns
        -------
        str or None
            The page, unless it is written to ``path``.
        """
        from ._report import report  # its pictures are imported when the first page is made

        return report(self, X, y, path, title=title)
