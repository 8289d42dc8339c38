"""Time and memory of one call."""

import contextlib
import multiprocessing
import time


MOST_RUNS, LONG_ENOUGH = 5, 3.0  # short work is run again, up to so many times and seconds


class Clock:
    seconds = 0.0


@contextlib.contextmanager
def cpu_seconds():
    """Processor time of this process: what a busy machine does not stretch much."""
    clock = Clock()
    start = time.process_time()
    yield clock
    clock.seconds = time.process_time() - start


def _status(field):
    with open("/proc/self/status") as file:
        for line in file:
            if line.startswith(field + ":"):
                return int(line.split()[1]) / 1024
    return float("nan")


def _measured(function, arguments, pipe):
    work = function(*arguments)
    with contextlib.suppress(OSError), open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # the peak starts again from here
    before = _status("VmRSS")
    with cpu_seconds() as clock:
        result = work()
    peak = max(0.0, _status("VmHWM") - before)
    seconds = [clock.seconds]
    while len(seconds) < MOST_RUNS and sum(seconds) < LONG_ENOUGH:
        with cpu_seconds() as clock:
            work()
        seconds.append(clock.seconds)
    pipe.send((result, min(seconds), peak))


def alone(function, *arguments):
    """`function(*arguments)()` in a process of its own: result, CPU seconds, MiB above the start.

    `function` prepares, and what it returns is measured: the memory of its first run, the least
    time of a few.
    """
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_measured, args=(function, arguments, there))
    process.start()
    there.close()
    try:
        return here.recv()
    except EOFError:
        raise RuntimeError(f"{function.__name__}{arguments} did not finish") from None
    finally:
        process.join()
