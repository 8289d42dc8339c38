"""Records: one JSON file for each point of an experiment, so that a stopped run goes on.

A record holds the point's configuration, its result, and apart from that its timing: two runs with
the same seeds have the same configurations and results, and other timings. It also names the build
of the package that made it: after a change of the package every point is computed again.
"""

import hashlib
import json
import math
import os
import pathlib
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Point:
    """One unit of work: `compute(config)` of its experiment gives (result, timing)."""

    key: str
    config: dict = field(hash=False)


def plain(value):
    """The value as JSON reads it back: tuples are lists, NumPy's numbers Python's, NaN is None."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def build_of(package):
    """Name of an installed package as it is: the first digits of the checksum of its code."""
    checksum = hashlib.sha256()
    for path in sorted(pathlib.Path(package.__file__).parent.rglob("*")):
        if path.suffix in (".py", ".so"):
            checksum.update(path.name.encode() + path.read_bytes())
    return checksum.hexdigest()[:12]


class Store:
    """The records of one run in a folder, a file `experiment/key.json` each."""

    def __init__(self, folder, build):
        self.folder = pathlib.Path(folder)
        self.build = build

    def path(self, experiment, key):
        return self.folder / experiment / f"{key}.json"

    def get(self, experiment, point):
        """The record of a point, or None where there is none of this configuration and build."""
        try:
            record = json.loads(self.path(experiment, point.key).read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            return None
        same = record["config"] == plain(point.config) and record.get("build") == self.build
        return record if same else None

    def put(self, experiment, point, result, timing):
        """Write a record; a run killed meanwhile leaves the old one or none, never half of one."""
        path = self.path(experiment, point.key)
        path.parent.mkdir(parents=True, exist_ok=True)
        record = {"config": point.config, "result": result, "timing": timing, "build": self.build}
        record = plain(record)
        temporary = path.with_suffix(f".{os.getpid()}.part")
        temporary.write_text(compact(record) + "\n")
        os.replace(temporary, path)
        return record


def compact(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def write_content(path, content):
    """A paper's records as JSON, a line each: compact, and a change of one shows as one line."""
    head = {key: value for key, value in content.items() if key != "experiments"}
    experiments = [
        f"{compact(name)}:{{\n"
        + ",\n".join(f"{compact(key)}:{compact(record)}" for key, record in sorted(records.items()))
        + "\n}"
        for name, records in sorted(content["experiments"].items())
    ]
    together = ",\n".join(experiments)
    path.write_text(f'{compact(head)[:-1]},\n"experiments":{{\n{together}\n}}}}\n')


def differences(first, second):
    """Keys of records whose configuration or result differ between two runs' experiments."""
    found = []
    for name in sorted(set(first) | set(second)):
        a, b = first.get(name, {}), second.get(name, {})
        for key in sorted(set(a) | set(b)):
            left, right = ({**r.get(key, {}), "timing": None} for r in (a, b))
            if left != right:
                found.append(f"{name}/{key}")
    return found
