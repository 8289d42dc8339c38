"""The front page: by paper, what is confirmed, what is not, what is better, from the JSON."""

from experiments import claims, pages

PICTURES = {
    "000": ("000-figure-5", "Accuracy against the number of weights kept, on text"),
    "001": ("001-figures-19-23", "Localisation and denoising over λ"),
    "002": ("002-figure-3", "Which pixels tell a noisy 3 from a noisy 8"),
}


def page(contents):
    modes = sorted({content["mode"] for content in contents.values()})
    parts = [
        "# Results: the three papers, run again",
        (
            f"Written by `make reproduce` ({' and '.join(modes)} mode). Each line is judged by a"
            " rule in `experiments/claims.py` from the JSON beside the pages; a dash is what was"
            " not run."
        ),
    ]
    for paper, content in contents.items():
        rows = [(c.verdict, c.text, c.evidence) for c in claims.of(content)]
        parts.append(f"## [Paper {paper}](paper-{paper}.md): {pages.TITLES[paper]}")
        parts.append(
            pages.table(["verdict", "claim", "what was measured"], rows).replace("---:", "---")
        )
        name, text = PICTURES[paper]
        parts.append(f"![{text}](images/{name}.png)")
    return "\n\n".join(parts) + "\n"
