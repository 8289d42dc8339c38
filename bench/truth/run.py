"""What probabilities and error bars promise, against what they keep: the tables of docs/reliability.md.

    .venv/bin/python bench/truth/run.py [--only intervals,classes,noise,sources,inclusion] [--short]

Fresh data of known truth, and fresh rows of ten real sets; every fit with its defaults, but for chains that are
shorter. Each line is nominal, attained, and the standard error of what is attained: the binomial one of that many
cases, or that between fits (whose cases are not independent), whichever is larger. --short: a few fits of each, to
see that it runs. Real sets that are not in $ARDENT_DATA (../shared/data) are left out, and named.
"""

import argparse
import os
import time
import warnings

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[_name] = "1"

import classes
import inclusion
import intervals
import noise
import sources

PARTS = {
    "intervals": intervals.lines,
    "classes": classes.lines,
    "noise": noise.lines,
    "sources": sources.lines,
    "inclusion": inclusion.lines,
}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--short", action="store_true")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| what | nominal | attained | standard error | cases |\n|---|---|---|---|---|")
    for part in args.only.split(","):
        begin = time.process_time()
        for line in PARTS[part](args.short):
            print(line, flush=True)
        print(f"<!-- {part}: {time.process_time() - begin:.0f} s of CPU -->", flush=True)


if __name__ == "__main__":
    main()
