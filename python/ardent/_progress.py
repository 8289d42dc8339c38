"""What a person sees of a long fit: a bar, or one line per stage."""

import sys
from contextlib import contextmanager


@contextmanager
def progress(verbose, callback):
    """The callback to hand to the core: the user's, a bar (verbose 1) or lines (2 and more).

    The bar is tqdm's; where tqdm is not installed, lines take its place.
    """
    if not verbose:
        yield callback
        return
    show = _bar() if verbose == 1 else None
    show = show or _Lines()

    def both(event):
        show(event)
        return callback(event) if callback is not None else None

    try:
        yield both
    finally:
        show.close()


class _Lines:
    def __call__(self, event):
        objective = ""
        if event["objective_name"]:
            objective = f"  {event['objective_name']} {event['objective']:.4f}"
        print(
            f"{event['task']} {event['done']}/{event['total']}{objective}  "
            f"{event['active_name']} {event['active']}",
            file=sys.stderr,
        )

    def close(self):
        pass


class _Bar:
    def __init__(self, tqdm):
        self._bar = tqdm(unit="step")

    def __call__(self, event):
        bar = self._bar
        if event["models"] > 1:  # one bar for all of them: tqdm adds the time left
            bar.unit, bar.total = "model", event["models"]
            bar.set_description("models", refresh=False)
            bar.update(event["models_done"] - bar.n)
            return
        bar.total = event["total"] or None
        bar.set_description(event["task"], refresh=False)
        shown = {event["active_name"]: event["active"]}
        if event["objective_name"]:
            shown = {event["objective_name"]: f"{event['objective']:.4f}", **shown}
        bar.set_postfix(shown, refresh=False)
        bar.update(event["done"] - bar.n)

    def close(self):
        self._bar.close()


def _bar():
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return _Bar(tqdm)
