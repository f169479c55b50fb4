"""Simulated editor for the scripts in `editors/typing`: types text, closes brackets, indents lines, shows completion popups, and expands
snippets by the rules that VS Code documents. Standard library only."""

import re

# Characters before which VS Code closes a bracket or quote by default.
AUTO_CLOSE_BEFORE = ";:.,=}])> \n\t"
# Rows of a popup that are visible at a time.
VISIBLE_ROWS = 12
SEPARATORS = "_-. /\\'\":$<>()[]{}"


def fuzzy_score(word, label):
    """Returns the score of `label` for the typed `word`; `None` if it does not contain the letters in order, the first one at the
    start of a word."""
    low, low_label = word.lower(), label.lower()
    if len(word) > len(label):
        return None

    def starts_word(at):
        if at == 0 or (label[at].isupper() and not label[at - 1].isupper()):
            return True
        return label[at - 1] in SEPARATORS or (label[at] in SEPARATORS and label[at - 1] not in SEPARATORS)

    # Best score of each end position of the letters matched so far.
    best = {}
    for index, letter in enumerate(low):
        scores = {}
        for at in range(index, len(label)):
            if low_label[at] != letter:
                continue
            is_strong = at == index or starts_word(at)
            if index == 0 and not is_strong:
                continue
            same_case = word[index] == label[at]
            score = (7 if same_case else 5) if at == index else (5 if is_strong else 1)
            if index == 0:
                scores[at] = score - (0 if at == 0 else 3) - at
                continue
            before = [it + 1 if end == at - 1 else it + (2 if is_strong else 0) - 1 for end, it in best.items() if end < at]
            if before:
                scores[at] = score + max(before)
        best = scores
        if not best:
            return None
    return max(best.values()) + (2 if len(word) == len(label) else 0)


class Language:
    """Rules of a `language-configuration.json`."""

    def __init__(self, settings, lexical):
        self.lexical = lexical
        self.brackets = [tuple(pair) for pair in settings.get("brackets", [])]
        self.pairs = []
        for pair in settings.get("autoClosingPairs", []):
            if isinstance(pair, list):
                pair = {"open": pair[0], "close": pair[1]}
            self.pairs.append((pair["open"], pair["close"], set(pair.get("notIn", []))))
        surrounding = settings.get("surroundingPairs", [])
        self.surrounding = dict(tuple(it) if isinstance(it, list) else (it["open"], it["close"]) for it in surrounding)
        self.close_before = settings.get("autoCloseBefore", AUTO_CLOSE_BEFORE)
        self.word = self.pattern(settings.get("wordPattern", r"-?\d*\.\d\w*|[^\s`~!@#%^&*()=+\[{\]}\\|;:'\",.<>/?-]+"))
        rules = settings.get("indentationRules", {})
        self.increase = self.pattern(rules.get("increaseIndentPattern"))
        self.decrease = self.pattern(rules.get("decreaseIndentPattern"))
        self.enter_rules = settings.get("onEnterRules", [])

    @staticmethod
    def pattern(source):
        if isinstance(source, dict):
            source = source["pattern"]
        return re.compile(source) if source else None

    def enter_action(self, before, after, previous):
        for rule in self.enter_rules:
            wanted = [("beforeText", before), ("afterText", after), ("previousLineText", previous)]
            if all(name not in rule or self.pattern(rule[name]).search(text) for name, text in wanted):
                return rule["action"]
        if before and after:
            for open_, close in self.brackets:
                if before.rstrip().endswith(open_) and after.lstrip().startswith(close):
                    return {"indent": "indentOutdent"}
        if any(before.rstrip().endswith(open_) for open_, _ in self.brackets):
            return {"indent": "indent"}
        return None


def leading(line):
    return line[: len(line) - len(line.lstrip(" \t"))]


def lexical_context(text, kind):
    """Returns `code`, `string`, or `comment` for the position after `text`. Interpolated code is code."""
    # Open strings and interpolations, the innermost last.
    states, at = ["code"], 0
    while at < len(text):
        letter, state = text[at], states[-1]
        if state == "comment":
            if letter == "\n":
                states.pop()
        elif state in "'\"":
            if letter == "\\" and kind != "yaml":
                at += 1
            elif letter == state:
                states.pop()
            elif state == '"' and text.startswith("${", at):
                states.append("interpolation")
                at += 1
        elif state == "interpolation" and letter == "}":
            states.pop()
        elif letter in "'\"" and kind != "epp":
            states.append(letter)
        elif letter == "#" and kind != "epp":
            states.append("comment")
        at += 1
    return {"comment": "comment", "code": "code", "interpolation": "code"}.get(states[-1], "string")


class Snippet:
    """Expanded snippet: its text and its tab stops as (number, start, end)."""

    def __init__(self, source, indent):
        self.text, self.stops = "", []
        self.indent = indent
        end = self.parse(source, 0, False)
        assert end == len(source), f"snippet: {source}"
        if not any(it[0] == 0 for it in self.stops):
            self.stops.append((0, len(self.text), len(self.text)))
        self.stops.sort(key=lambda it: (it[0] == 0, it[0]))

    def parse(self, source, at, is_nested):
        while at < len(source):
            if source[at] == "\\" and at + 1 < len(source) and source[at + 1] in "\\$}":
                self.text += source[at + 1]
                at += 2
            elif found := re.compile(r"\$(\d+)|\$\{(\d+)\}").match(source, at):
                self.stops.append((int(found[1] or found[2]), len(self.text), len(self.text)))
                at = found.end()
            elif found := re.compile(r"\$\{(\d+):").match(source, at):
                start = len(self.text)
                at = self.parse(source, found.end(), True)
                self.stops.append((int(found[1]), start, len(self.text)))
            elif source[at] == "}" and is_nested:
                return at + 1
            else:
                self.text += source[at] + (self.indent if source[at] == "\n" else "")
                at += 1
        return at


class Popup:
    """Completion list with the position at which it was requested."""

    def __init__(self, items, is_incomplete, offset, word_start):
        self.items, self.is_incomplete = items, is_incomplete
        self.offset, self.word_start = offset, word_start
        self.shown, self.focus = [], 0


class Editor:
    """Document with a cursor. `server` answers `complete(character)` and `format(character)` and receives each edit."""

    def __init__(self, language, server):
        self.language, self.server = language, server
        self.text, self.cursor, self.anchor = "", 0, 0
        # Offsets of closing characters that were inserted automatically.
        self.closers = []
        # Open snippets, the innermost last: lists of tab stops with the index of the current one.
        self.snippets = []
        self.popup = None

    # Edits.

    def edit(self, start, end, new):
        """Replaces a range and moves everything after it; a position at the end of the range moves with the new text."""
        self.server.change(self.text, start, end, new)
        self.text = self.text[:start] + new + self.text[end:]
        delta = len(new) - (end - start)

        def moved(at, stays):
            if at < start or (at == start and stays):
                return at
            return at + delta if at >= end else start + len(new)

        self.closers = [moved(it, False) for it in self.closers if not start <= it < end]
        for snippet in self.snippets:
            # A tab stop grows with text typed at its edges while it is the current one.
            snippet["stops"] = [
                (number, moved(first, at <= snippet["at"]), moved(last, at < snippet["at"]))
                for at, (number, first, last) in enumerate(snippet["stops"])
            ]
        self.cursor, self.anchor = moved(self.cursor, False), moved(self.anchor, False)

    def line_start(self, at=None):
        return self.text.rfind("\n", 0, self.cursor if at is None else at) + 1

    def line_end(self):
        end = self.text.find("\n", self.cursor)
        return len(self.text) if end < 0 else end

    def before(self):
        return self.text[self.line_start() : self.cursor]

    def after(self):
        return self.text[self.cursor : self.line_end()]

    def put(self, new):
        start, end = sorted((self.cursor, self.anchor))
        self.edit(start, end, new)
        self.cursor = self.anchor = start + len(new)

    def put_pair(self, opening, closing):
        self.put(opening + closing)
        self.cursor = self.anchor = self.cursor - len(closing)
        self.closers.extend(range(self.cursor, self.cursor + len(closing)))

    # Typing.

    def type(self, text):
        for letter in text:
            self.type_letter(letter)

    def type_letter(self, letter):
        focused = self.focused()
        if focused and letter in (focused.get("commitCharacters") or []):
            self.accept()
        line = self.line_start()
        if self.cursor != self.anchor and letter in self.language.surrounding:
            start, end = sorted((self.cursor, self.anchor))
            self.edit(end, end, self.language.surrounding[letter])
            self.edit(start, start, letter)
            self.cursor, self.anchor = end + 1, start + 1
        elif self.cursor in self.closers and self.text[self.cursor : self.cursor + 1] == letter:
            self.closers.remove(self.cursor)
            self.cursor = self.anchor = self.cursor + 1
        else:
            opening, closing = self.closing_pair(letter)
            if closing:
                self.put_pair(letter, closing)
            else:
                self.put(letter)
        if letter in "}])" and self.text[line : self.cursor].strip() == letter:
            self.outdent(letter)
        self.moved()
        self.after_typing(letter)

    def closing_pair(self, letter):
        """Returns the pair that the typed letter opens."""
        before, after = self.before() + letter, self.after()
        pairs = sorted(self.language.pairs, key=lambda it: -len(it[0]))
        opened = next((it for it in pairs if it[0][-1] == letter and before.endswith(it[0])), None)
        if opened is None or self.cursor != self.anchor:
            return None, None
        opening, closing, excluded = opened
        if after and after[0] not in self.language.close_before:
            return None, None
        if opening == closing and re.search(r"\w$", before[:-1]):
            return None, None
        context = lexical_context(self.text[: self.cursor], self.language.lexical)
        if context in excluded or (len(opening) > 1 and after.lstrip().startswith(closing.strip())):
            return None, None
        # The end of a longer pair includes the closing bracket of a shorter one.
        if len(opening) > 1 and self.cursor in self.closers:
            closing = closing.removesuffix(self.text[self.cursor])
        return opening, closing

    def outdent(self, letter):
        """Gives a line with a closing bracket the indentation of the line with the opening one."""
        opening = next(it[0] for it in self.language.brackets if it[1] == letter)
        depth = 0
        for at in range(self.cursor - 1, -1, -1):
            depth += (self.text[at] == letter) - (self.text[at] == opening)
            if depth == 0:
                first = self.line_start(at)
                start = self.line_start()
                indent = leading(self.text[first:at])
                self.edit(start, start + len(leading(self.before())), indent)
                return

    def after_typing(self, letter):
        """Formats, then updates the popup or requests one."""
        if self.server.formats_on(letter):
            self.apply(self.server.format(self.cursor, letter))
        if self.server.completes_on(letter):
            self.request(letter)
        elif self.popup:
            self.refilter()
        elif self.should_suggest():
            self.request(None)

    def apply(self, edits):
        for start, end, new in sorted(edits, reverse=True):
            self.edit(start, end, new)

    def moved(self):
        """Ends the snippets that the cursor left."""
        while self.snippets:
            snippet = self.snippets[-1]
            inside = [at for at, it in enumerate(snippet["stops"]) if it[1] <= self.cursor <= it[2]]
            if inside:
                snippet["at"] = snippet["at"] if snippet["at"] in inside else inside[0]
                return
            self.snippets.pop()

    # Keys.

    def press(self, key):
        getattr(self, f"press_{key.lower()}")()

    def press_enter(self):
        if self.focused() and self.makes_change():
            self.accept()
            return
        self.popup = None
        before, after = self.before(), self.after()
        start = self.line_start()
        previous = self.text[self.line_start(start - 1) : start - 1] if start else ""
        indent = leading(before)
        if before and not before.strip() and not after:
            # The indentation of a line that stays empty is removed.
            self.edit(start, self.cursor, "")
        action = self.language.enter_action(before, after, previous)
        if action:
            kind, appended = action.get("indent", "none"), action.get("appendText", "")
            indent = indent[: len(indent) - action.get("removeText", 0)] if action.get("removeText") else indent
            if kind in ("indent", "indentOutdent"):
                appended = "  " + appended
            if kind == "outdent":
                indent = indent[:-2]
            self.put("\n" + indent + appended)
            if kind == "indentOutdent":
                at = self.cursor
                self.edit(at, at, "\n" + indent)
                self.cursor = self.anchor = at
        else:
            lines = (self.text[:start] + before).split("\n")
            line = next((it for it in reversed(lines) if it.strip()), "")
            indent = leading(line)
            if self.language.increase and self.language.increase.search(line):
                indent += "  "
            if self.language.decrease and self.language.decrease.search(after):
                indent = indent[:-2]
            self.put("\n" + indent)
            self.edit(self.cursor, self.cursor + len(leading(self.after())), "")
        self.moved()
        if self.server.formats_on("\n"):
            self.apply(self.server.format(self.cursor, "\n"))

    def press_tab(self):
        if self.focused():
            self.accept()
        elif self.snippets:
            self.go_to(self.snippets[-1]["at"] + 1)
        else:
            self.put(" " * (2 - len(self.before()) % 2))

    def press_escape(self):
        if self.popup:
            self.popup = None
        else:
            self.snippets = []

    def press_backspace(self):
        start, end = sorted((self.cursor, self.anchor))
        if start == end:
            before = self.before()
            if before and not before.strip() and len(before) % 2 == 0:
                start -= 2
            elif self.cursor in self.closers and self.text[self.cursor - 1 : self.cursor] in self.language.surrounding:
                start, end = start - 1, end + 1
            else:
                start = max(0, start - 1)
        self.edit(start, end, "")
        self.cursor = self.anchor = start
        self.moved()
        if self.popup:
            self.popup = None
            if self.word_before():
                self.request(None)

    def press_down(self):
        if self.popup and self.popup.shown:
            self.popup.focus = (self.popup.focus + 1) % len(self.popup.shown)
            return
        self.popup = None
        column = len(self.before())
        next_line = self.line_end() + 1
        if next_line > len(self.text):
            self.cursor = self.anchor = len(self.text)
            return
        end = self.text.find("\n", next_line)
        end = len(self.text) if end < 0 else end
        self.cursor = self.anchor = min(next_line + column, end)
        self.moved()

    # Completion.

    def word_before(self):
        """Returns the part before the cursor of the word at the cursor."""
        line, at = self.before() + self.after(), len(self.before())
        for found in self.language.word.finditer(line):
            if found.start() <= at <= found.end() and found.group():
                return line[found.start() : at]
        return ""

    def should_suggest(self):
        word = self.word_before()
        if not word or word.isdigit():
            return False
        following = self.after()[:1]
        if following and self.language.word.fullmatch(word + following) and len(word) > 1:
            return False
        return lexical_context(self.text[: self.cursor], self.language.lexical) != "comment"

    def request(self, character):
        items, is_incomplete = self.server.complete(self.cursor, character)
        items.sort(key=lambda it: ((it.get("sortText") or it["label"]).lower(), it["label"]))
        self.popup = Popup(items, is_incomplete, self.cursor, self.cursor - len(self.word_before()))
        self.filter()

    def refilter(self):
        """Updates the popup after a typed letter."""
        popup, word = self.popup, self.word_before()
        word_start = self.cursor - len(word)
        if self.cursor < popup.offset:
            self.popup = None
            if word:
                self.request(None)
        elif word and word_start > popup.word_start:
            self.request(None)
        elif word and popup.is_incomplete:
            self.request(None)
        else:
            self.filter()

    def filter(self):
        popup, rows = self.popup, []
        for index, item in enumerate(popup.items):
            start = item["range"][0]
            # Whitespace in the replaced range is not part of the typed word.
            replaced = self.text[start : popup.offset]
            word = self.text[start + len(replaced) - len(replaced.lstrip()) : self.cursor]
            score = fuzzy_score(word, item.get("filterText") or item["label"]) if word else 0
            if score is not None:
                rows.append((-score, index, item))
        rows.sort(key=lambda it: it[:2])
        popup.shown = [it[2] for it in rows]
        popup.focus = next((at for at, it in enumerate(popup.shown) if it.get("preselect")), 0)
        if not popup.shown:
            self.popup = None

    def rows(self):
        return [it["label"] for it in self.popup.shown] if self.popup else []

    def focused(self):
        return self.popup.shown[self.popup.focus] if self.popup and self.popup.shown else None

    def makes_change(self):
        """Returns false if Enter is a line break because the focused item is written already."""
        item = self.focused()
        written = self.text[item["range"][0] : self.cursor]
        return item["isSnippet"] or bool(item.get("additionalTextEdits")) or item["text"] != written

    def accept(self):
        item, popup = self.focused(), self.popup
        self.popup = None
        start, end = item["range"]
        end += self.cursor - popup.offset
        self.cursor = self.anchor = end
        if not item["isSnippet"]:
            self.edit(start, end, item["text"])
            self.cursor = self.anchor = start + len(item["text"])
            self.moved()
        else:
            snippet = Snippet(item["text"], leading(self.before()))
            self.edit(start, end, snippet.text)
            stops = [(number, first + start, last + start) for number, first, last in snippet.stops]
            self.snippets.append({"stops": stops, "at": 0})
            self.go_to(0)
        for first, last, new in sorted(item.get("edits", []), reverse=True):
            self.edit(first, last, new)
        if item.get("command", {}).get("command") == "editor.action.triggerSuggest":
            self.request(None)

    def go_to(self, stop):
        """Selects a tab stop; the last one ends the snippet."""
        snippet = self.snippets[-1]
        snippet["at"] = stop
        number, start, end = snippet["stops"][stop]
        self.anchor, self.cursor = start, end
        if number == 0:
            self.snippets.pop()
