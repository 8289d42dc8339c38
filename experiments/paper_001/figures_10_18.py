"""Figures 10 to 18: a scene, atoms, screening, and the code closing in on the sources."""

import numpy as np

import ardent
from experiments import figures, pages
from experiments.measure import cpu_seconds
from experiments.paper_001 import figures_3_6 as screening
from experiments.paper_001.coding import coder
from experiments.paper_001.scenes import SIZE, detections, dictionary, merged, scene
from experiments.store import Point

TITLE = "Figures 10 to 18: scenes, screening and localisation"

STAGES = (0.05, 0.2, 0.4, 0.6)


def points(quick):
    atoms = 3000 if quick else 10000
    yield Point("example", {"kind": "example", "atoms": atoms, "scene": 3, "decibels": 10})
    config = {"kind": "screening", "atoms": atoms, "scenes": 4 if quick else 10, "decibels": 10}
    for ratio in screening.ratios(quick):
        yield Point(f"screening-{ratio:g}", config | {"ratio": ratio})


def compute(config):
    atoms, places = dictionary(config["atoms"], 1)
    return (example if config["kind"] == "example" else rejected)(config, atoms, places)


def example(config, atoms, places):
    clean, noisy, truth, variance = scene(config["scene"], config["decibels"])
    stages = []
    for ratio in STAGES:
        codes, _, report = coder("SBL, as published", ratio, atoms).code(noisy[None])
        code = codes.toarray()[0]
        found = detections(code, places)
        iou = ardent.group_iou(found, truth), ardent.group_iou(merged(found), truth)
        stages.append({"ratio": ratio, "found": np.round(found, 3), "iou": iou})
        stages[-1] |= {
            "psnr": ardent.psnr(*(v.reshape(SIZE, SIZE) for v in (clean, atoms.T @ code)))
        }
    ours = ardent.SourceFinder(background="none", n_jobs=1).find(noisy.reshape(SIZE, SIZE))
    ours = np.column_stack([ours["x"], ours["y"], ours["flux"]])
    result = {"clean": np.round(clean, 4), "noisy": np.round(noisy, 4), "truth": np.round(truth, 3)}
    result |= {"atoms": np.round(atoms[:4], 4), "stages": stages, "ours": np.round(ours, 3)}
    return result | {"ours_iou": ardent.group_iou(ours, truth)}, {}


def rejected(config, atoms, places):
    Phi = np.asfortranarray(atoms.T)
    shares, seconds = {t: [] for t in screening.TESTS}, {}
    for number in range(1, config["scenes"] + 1):
        _, y, _, _ = scene(number, config["decibels"])
        lam = config["ratio"] * float(np.abs(Phi.T @ y).max())
        for solver in ("ardent", "scikit-learn"):
            solve = screening.SOLVERS[solver]
            with cpu_seconds() as clock:
                solve(Phi, y, lam)
            seconds[f"{solver}, raw"] = seconds.get(f"{solver}, raw", 0) + clock.seconds
            for test in ("paper's ball", "half ball"):
                with cpu_seconds() as clock:
                    gone = ardent.screen(Phi, y, None, lam, n_jobs=1, **screening.TESTS[test])
                    if not gone.all():
                        solve(Phi[:, ~gone], y, lam)
                key = f"{solver}, {test}"
                seconds[key] = seconds.get(key, 0) + clock.seconds
        for test, options in screening.TESTS.items():
            shares[test].append(float(ardent.screen(Phi, y, None, lam, n_jobs=1, **options).mean()))
    return {"rejected": shares}, {"cpu": seconds}


def screened(records):
    found = [r for r in records.values() if r["config"]["kind"] == "screening"]
    return sorted(found, key=lambda r: r["config"]["ratio"])


def pictures(records, folder):
    if "example" in records:
        stages(records["example"]["result"], folder)
    found = screened(records)
    if not found:
        return
    figure, (share, time) = figures.panels(2, columns=2, width=4.0, height=3.3)
    x = [r["config"]["ratio"] for r in found]
    for index, test in enumerate(screening.TESTS):
        y = [100 * pages.mean(r["result"]["rejected"][test]) for r in found]
        share.plot(x, y, label=test, **figures.style(index))
    curves = [(s, t) for s in ("ardent", "scikit-learn") for t in ("paper's ball", "half ball")]
    for index, (solver, test) in enumerate(curves):
        y = [screening.time_ratio(r, solver, test) for r in found]
        time.plot(x, y, label=f"{solver}, {test}", **figures.style(index + 3))
    time.axhline(1, color="#777777", linewidth=1)
    time.set(yscale="log", ylim=(0.03, 10))
    figures.plain_log(time.yaxis)
    share.set(xlabel="λ/λ_max", ylabel="rejected %", title="Figure 13")
    time.set(xlabel="λ/λ_max", ylabel="time, screened/raw", title="Figure 14")
    figures.legend_below(figure, share, time, columns=3)
    figures.save(figure, folder, "001-figures-13-14")


def stages(result, folder):
    """Scene, blurred scene, atoms, the four stages and our finder."""
    figure, axes = figures.panels(8, columns=4, width=2.5, height=2.6)

    def image(ax, values, title):
        extent = (0.5, SIZE + 0.5, 0.5, SIZE + 0.5)
        pixels = np.reshape(values, (SIZE, SIZE))
        ax.imshow(pixels, origin="lower", cmap="gray", extent=extent)
        ax.set_title(title)
        figures.bare(ax)

    image(axes[0], result["clean"], "10: target")
    image(axes[1], np.sum(result["atoms"], axis=0), "11: four atoms")
    image(axes[2], result["noisy"], "12: with noise")
    truth = np.array(result["truth"])
    shown = [
        (f"{15 + k}: λ/λ_max = {s['ratio']:g}", s["found"]) for k, s in enumerate(result["stages"])
    ]
    for ax, (title, found) in zip(
        axes[3:], [*shown, ("ardent's SourceFinder", result["ours"])], strict=True
    ):
        image(ax, result["noisy"], title)
        found = np.reshape(found, (-1, 3))
        ax.scatter(*found[:, :2].T, s=60, facecolors="none", edgecolors="#E69F00", linewidths=1.4)
        ax.scatter(*truth[:, :2].T, s=45, marker="+", color="#56B4E9", linewidths=1.8)
    figure.supxlabel("blue crosses: true sources; orange circles: found", fontsize=11)
    figures.save(figure, folder, "001-figures-10-18")


def section(records):
    parts = []
    if "example" in records:
        result = records["example"]["result"]
        rows = [
            [
                f"{s['ratio']:g}",
                len(s["found"]),
                *(f"{v:.3f}" for v in s["iou"]),
                f"{s['psnr']:.1f}",
            ]
            for s in result["stages"]
        ]
        rows.append(
            [
                "SourceFinder",
                len(result["ours"]),
                pages.DASH,
                f"{result['ours_iou']:.3f}",
                pages.DASH,
            ]
        )
        head = ["λ/λ_max", "detections", "group IoU", "group IoU, merged", "PSNR dB"]
        parts += [
            "One scene of four sources, 10 dB, as published (start u = 1):",
            pages.table(head, rows),
        ]
        parts.append(pages.picture("001-figures-10-18", "A scene and what the code finds in it"))
    found = screened(records)
    if found:
        rows = [
            [
                f"{r['config']['ratio']:g}",
                *(f"{100 * pages.mean(r['result']['rejected'][t]):.1f}" for t in screening.TESTS),
                *(
                    f"{screening.time_ratio(r, s, t):.2f}"
                    for s in ("ardent", "scikit-learn")
                    for t in ("paper's ball", "half ball")
                ),
            ]
            for r in found
        ]
        head = [
            "λ/λ_max",
            *(f"rejected %, {t}" for t in screening.TESTS),
            "time ratio: ardent, paper's ball",
        ]
        head += ["ardent, half ball", "scikit-learn, paper's ball", "scikit-learn, half ball"]
        count = found[0]["config"]["scenes"]
        parts += [f"Figures 13 and 14, {count} scenes:", pages.table(head, rows)]
        parts.append(pages.picture("001-figures-13-14", "Screening on scenes"))
    parts.append(
        "Published: the share rises rapidly above λ/λ_max = 0.3, and below that screening costs"
        " more time than it saves. Both (here it saves next to nothing) are confirmed for the paper's ball and coordinate descent."
        " The published stages close in on the sources as λ grows and are best from 0.5 to 0.7."
        " Here the detections grow fewer, too, but at these λ faint sources are lost, and the group"
        " IoU says so."
    )
    return "\n\n".join(parts)
