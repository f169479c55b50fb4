"""Reading of the scripts in `editors/typing`, whose README documents the format."""


def read_script(path):
    """Returns the path of the typed file, the steps as (line number, kind, argument), and the final text."""
    head, final = path.read_text().split("\nfinal:\n", 1)
    first, *lines = head.split("\n")
    steps = []
    for number, line in enumerate(lines, 2):
        if line.strip() and not line.startswith("#"):
            kind, argument = line.split(":", 1)
            steps.append((number, kind, argument[1:]))
    return first.removeprefix("file: "), steps, final
