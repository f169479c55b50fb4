"""Parameters of functions. The elements of a tuple count as parameters, so that a tuple does not hide a long list."""

import re

HEAD = re.compile(r"\bfn (\w+)(?:<(?:[^()]|\([^()]*\))*?>)?\(")


def parts(text):
    """Yields the parts of a list at its commas, except for those in brackets."""
    depth, part = 0, ""
    for at, character in enumerate(text):
        if character in "([{<":
            depth += 1
        elif character in ")]}" or (character == ">" and text[at - 1] not in "-="):
            depth -= 1
        if character == "," and depth == 0:
            yield part.strip()
            part = ""
        else:
            part += character
    if part.strip():
        yield part.strip()


def count(parameter):
    """Returns the number of values that a parameter stands for; none for `self`."""
    if re.match(r"(&('\w+ )?)?(mut )?self\b", parameter):
        return 0
    pattern, _, kind = parameter.partition(":")
    elements = re.match(r"&?\((.*)\)$", (kind or pattern).strip(), re.S)
    return len(list(parts(elements[1]))) if elements else 1


def functions(text):
    """Yields the name and the number of parameters of each function in a text without comments."""
    for match in HEAD.finditer(text):
        depth, end = 1, match.end()
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        yield match[1], sum(count(it) for it in parts(text[match.end() : end - 1]))
