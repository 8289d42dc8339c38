"""docs/performance.md from its JSON and notes.md."""

import pathlib

NOTES = pathlib.Path(__file__).with_name("notes.md")

UNITS = ((1, 1, "s"), (1e-3, 1e3, "ms"), (0, 1e6, "µs"))


def seconds_text(seconds):
    for least, factor, unit in UNITS:
        if seconds >= least:
            value = seconds * factor
            return f"{value:.2f} {unit}" if value < 10 else f"{value:.1f} {unit}"
    return "0"


def quality_text(quality):
    cells = []
    for name, value in quality.items():
        value = value[0] if isinstance(value, list) else value
        plain = isinstance(value, (bool, int)) or float(value).is_integer()
        cells.append(f"{name.replace('_', ' ')} {value if plain else format(value, '.4g')}")
    return ", ".join(cells)


def verdict(row):
    """Our seconds over the peer's that the goal names, for our first answer."""
    peer = [a for a in row["answers"] if a["name"] == row["against"]]
    if not peer:
        return ""
    ratio = row["answers"][0]["seconds"] / peer[0]["seconds"]
    word = "held" if ratio <= row["goal"] else "missed"
    return f"{ratio:.2f} of {row['against']}; goal {row['goal']:g}: {word}"


def job_table(rows):
    lines = ["| job | answer | CPU | quality | ratio |", "|---|---|---|---|---|"]
    for row in rows:
        fastest = min(answer["seconds"] for answer in row["answers"])
        for k, answer in enumerate(row["answers"]):
            text = seconds_text(answer["seconds"])
            text = f"**{text}**" if answer["seconds"] == fastest else text
            text += " †" if answer["busy"] else ""
            head, tail = (row["job"], verdict(row)) if k == 0 else ("", "")
            lines.append(
                f"| {head} | {answer['name']} | {text} | {quality_text(answer['quality'])} | {tail} |"
            )
    return lines


def growth_table(families):
    lines = [
        "| against | sizes | CPU s | MiB | exponent of time | of memory | theory, time |",
        "|---|---|---|---|---|---|---|",
    ]
    for family in families:
        cells = [
            family["name"],
            " · ".join(f"{size:,}" for size in family["sizes"]),
            " · ".join(f"{value:.2f}" for value in family["seconds"]),
            " · ".join(f"{value:.0f}" for value in family["mebibytes"]),
            f"{family['time_exponent']:.2f}",
            f"{family['memory_exponent']:.2f}",
            str(family["theory"]),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def floor_lines(report):
    floors = " · ".join(f"{name} {value:.3g}" for name, value in report["machine"].items())
    lines = [f"This machine, one thread: {floors}.", ""]
    lines += [
        "| loop, 200,000 × 3.2 million, 23 million values | ms | floor: the same gather alone, ms | ratio |",
        "|---|---|---|---|",
    ]
    for loop in report["loops"]:
        floor = max(loop["gather"], loop["stream"])
        lines.append(
            f"| {loop['product']} | {1e3 * loop['seconds']:.1f} | {1e3 * floor:.1f} | {loop['ratio']:.2f} |"
        )
    return lines


def page(report):
    parts = [
        "# Performance",
        "",
        "Written by `make bench`, ours and the peers in one run on one thread. CPU seconds, user and system; the",
        "least of the rounds, in which contenders take turns. The fastest answer to a job is in bold, also where it is",
        "a peer's. A † marks what another process on the machine disturbed. `bench/threads` measures the gain of",
        "threads, `make bench-guard` counts instructions without a clock.",
        "",
        f"{report['processor']}, {report['date']}, ardent {report['version']}.",
        "",
        *job_table(report["jobs"]),
        "",
        "## Floors",
        "",
        *floor_lines(report["floors"]),
        "",
        "## Growth",
        "",
        "Memory is that of the whole program; less than the measuring program has itself does not show.",
        "",
        *growth_table(report["growth"]),
        "",
    ]
    if report["skipped"]:
        parts += ["Left out: " + "; ".join(report["skipped"]) + ".", ""]
    parts += ["## Notes", "", NOTES.read_text()]
    return "\n".join(parts)
