"""The small faults that tests/mutation/run.py puts into a source: one at a place.

The sources are laid out by clang-format: a binary operator has blanks around it, the bracket of a template and the
star of a pointer have not.
"""

import dataclasses
import re

SWAPS = {
    " < ": [" <= ", " >= "],
    " <= ": [" < ", " > "],
    " > ": [" >= ", " <= "],
    " >= ": [" > ", " < "],
    " == ": [" != "],
    " != ": [" == "],
    " && ": [" || "],
    " || ": [" && "],
    " + ": [" - "],
    " - ": [" + "],
    " * ": [" / "],
    " / ": [" * "],
    " += ": [" -= "],
    " -= ": [" += "],
    " |= ": [" = "],
    "++": ["--"],
    "std::min": ["std::max"],
    "std::max": ["std::min"],
    "cwiseMin": ["cwiseMax"],
    "cwiseMax": ["cwiseMin"],
    "true": ["false"],
    "false": ["true"],
    "(!": ["("],
    " -": [" "],  # a sign: " - " is found first
    "break;": [";"],
    "continue;": [";"],
}
WORDS = re.compile("|".join(re.escape(word) for word in sorted(SWAPS, key=len, reverse=True)))
NUMBER = re.compile(r"(?<![\w.])(\d+\.?\d*(?:e[+-]?\d+)?)(?![\w.])")
# A statement of one line that can be left out: an assignment or a call, not a declaration.
STATEMENT = re.compile(
    r"^\s+(?!return|const |auto |throw|using|if|for|else|while|case|template|~)[\w.\[\]()>\-]+"
    r"(\([^;]*\)|(\.\w+\([^;]*\))+| [-+*|]?= [^;]*);$"
)
DECLARATION = re.compile(
    r"^\s+(Vector|Matrix|Index|double|bool|T|Block|Step|char|int|[A-Z]\w+) \w+"
)


@dataclasses.dataclass(frozen=True)
class Mutant:
    line: int  # from 1
    before: str
    after: str


def number_changed(text):
    """A whole number is one more, a factor twice, a tolerance (1e-10) a thousand times as large."""
    if "e" in text:
        return f"({text} * 1000)"
    if "." in text:
        return f"({text} * 2)"
    return str(int(text) + 1)


def condition_of(code):
    """Where the condition of an `if` stands, or None."""
    start = re.search(r"\bif \((?!const |auto )", code)
    if not start or "constexpr" in code:
        return None
    depth = 1
    for place in range(start.end(), len(code)):
        depth += {"(": 1, ")": -1}.get(code[place], 0)
        if depth == 0:
            inside = code[start.end() : place]
            return None if ";" in inside else (start.end(), place)
    return None


def mutants_of(source):
    """All mutants of a source text, line by line."""
    found = []
    for number, line in enumerate(source.split("\n"), 1):
        code = line.split("//")[0].rstrip()
        if not code.strip() or code.startswith(("#", "namespace", "template", "using", "}")):
            continue
        if '"' in code or "static_assert" in code:
            continue
        places = []
        for word in WORDS.finditer(code):
            if word.group() == " -" and not re.match(r"[\w(]", code[word.end() : word.end() + 1]):
                continue
            if word.group() == "++" and code.lstrip().startswith("for "):
                continue  # it never ends, or crashes: no test is needed to notice
            if word.group() in ("true", "false") and re.match(
                r"\w", code[word.end() : word.end() + 1]
            ):
                continue
            places += [(word.span(), other) for other in SWAPS[word.group()]]
        for digits in NUMBER.finditer(code):
            places.append((digits.span(), number_changed(digits.group())))
        condition = condition_of(code)
        if condition:
            places.append((condition, f"!({code[slice(*condition)]})"))
        if STATEMENT.match(code) and not DECLARATION.match(code):
            places.append(((len(code) - len(code.lstrip()), len(code)), ";"))
        for (begin, end), other in places:
            found.append(Mutant(number, line, code[:begin] + other + code[end:]))
    return found


def with_mutant(source, mutant):
    lines = source.split("\n")
    lines[mutant.line - 1] = mutant.after
    return "\n".join(lines)
