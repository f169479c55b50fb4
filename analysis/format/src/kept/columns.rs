//! Columns of `=` and of parameter names: kept where the author has aligned them.

use rustc_hash::FxHashMap;
use syntax::SyntaxKind::{EQ, PARAMETER, STAR, VARIABLE};
use syntax::{FlatElement, FlatNode, TextRange};

use crate::EqualsAlignment;
use crate::builder::{DocumentBuilder, Separator, children};
use crate::document::width;
use crate::kept::near_columns::join_near_columns;

/// Number of characters by which a line must be longer than all shorter ones of its run to be in no column
/// with them.
const OUTLIER: u32 = 20;

/// Line that may have an element in a column.
#[derive(Clone, Copy)]
pub(crate) struct ColumnEntry {
    /// Range from the first token of the line to its last one.
    pub(crate) line: TextRange,
    /// Element in the column; `None` if the line has none, or if the text before it spans several lines.
    pub(crate) element: Option<ColumnElement>,
}

#[derive(Clone, Copy)]
pub(crate) struct ColumnElement {
    /// Width in characters of the formatted text before the element, without the space before it.
    pub(crate) head_width: u32,
    /// Offset of the element.
    pub(crate) start: u32,
    /// Number of characters by which the text before the element moves.
    pub(crate) shift: i32,
}

/// Kind of the elements in a column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    /// `=`: one that is near the column of others joins it.
    Equals,
    /// Names after types, and attributes after titles.
    Other,
}

/// Line with an element that may be in a column. Columns count from the start of the code on the line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct ColumnLine {
    /// Index of the entry.
    index: usize,
    pub(super) column: u32,
    /// Minimum column.
    pub(super) minimum: u32,
    /// Minimum column if the text before the element stays as it is.
    source_minimum: u32,
    /// Width from the element to the end of its line.
    rest: u32,
    indent: u32,
    pub(super) is_padded: bool,
    /// True if there is no space before the element.
    is_tight: bool,
}

impl ColumnLine {
    fn moved(self, column: u32) -> ColumnLine {
        ColumnLine { column, is_padded: column > self.minimum, ..self }
    }
}

/// Padding before an element.
#[derive(Clone, Copy, Default)]
pub(crate) struct ColumnPadding {
    pub(crate) width: u32,
    /// True if the text before it stays as in the source, since it does not fit into the column otherwise.
    pub(crate) keeps_head: bool,
    /// True if there is no space, since the element is in the column of the others only without it.
    pub(crate) is_tight: bool,
}

impl ColumnPadding {
    /// Returns the separator between the padding and the element.
    pub(crate) fn separator(self) -> Separator {
        if self.is_tight { Separator::Nothing } else { Separator::Space }
    }
}

/// Maximum number of rounds until the columns no longer change.
const MAX_ROUNDS: usize = 6;

/// Minimum number of adjacent lines without padding that are outside of the column of other lines on purpose.
const GROUP: usize = 3;

/// Maximum number of lines in a run that moves because of lines that do not fit into its column.
const SHORT_RUN: usize = 8;

/// Maximum number of columns that the lines of a list or run have on purpose.
const COLUMNS_PER_LIST: usize = 5;

/// A longer run moves if at least one line of this number does not fit.
const LINES_PER_MOVE: usize = 2;

impl DocumentBuilder<'_> {
    /// Returns the padding before the element of each line, by the columns of the author. `None` separates
    /// columns.
    pub(crate) fn padding(
        &self,
        entries: &[Option<ColumnEntry>],
        alignment: EqualsAlignment,
        kind: ColumnKind,
    ) -> Vec<ColumnPadding> {
        let mut padding = vec![ColumnPadding::default(); entries.len()];
        if alignment == EqualsAlignment::Never || entries.iter().flatten().all(|it| it.element.is_none()) {
            return padding;
        }
        let mut runs = self.runs(entries, alignment);
        let formatted: Vec<u32> = runs.iter().flatten().map(|it| it.minimum).collect();
        if alignment == EqualsAlignment::Keep {
            keep_heads(&mut runs);
            if kind == ColumnKind::Equals {
                keep_tight(&mut runs);
            }
        }
        // A line may move into the column of others.
        for _ in 0..MAX_ROUNDS {
            let moved = self.moved(&runs, alignment, kind);
            if moved == runs {
                break;
            }
            runs = moved;
        }
        for (line, formatted) in runs.iter().flatten().zip(formatted) {
            let ColumnLine { is_tight, .. } = *line;
            let keeps_head = !is_tight && line.minimum != formatted;
            padding[line.index] = ColumnPadding { width: line.column - line.minimum, keeps_head, is_tight };
        }
        padding
    }

    /// Moves the lines of all runs to their columns.
    fn moved(
        &self,
        runs: &[Vec<ColumnLine>],
        alignment: EqualsAlignment,
        kind: ColumnKind,
    ) -> Vec<Vec<ColumnLine>> {
        let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
        for line in runs.iter().flatten() {
            *counts.entry(line.column).or_default() += 1;
        }
        let lines = runs.iter().map(Vec::len).sum::<usize>();
        // Of many lines with random padding, some share a column.
        let is_deliberate = |in_list: usize, in_run: usize, run: &[ColumnLine]| {
            in_list * COLUMNS_PER_LIST >= lines || in_run >= 2 && in_run * COLUMNS_PER_LIST >= run.len()
        };
        let count_in_list = |column: u32| counts.get(&column).copied().unwrap_or_default();
        let halves: Vec<Half> = runs.iter().map(|run| half_aligned(run, &count_in_list)).collect();
        let is_whole = |half: Half| alignment == EqualsAlignment::Always || half == Half::Moves;
        // For each column and indentation, the number of lines and whether one of them is padded.
        let mut shared: FxHashMap<(u32, u32), (usize, bool)> = FxHashMap::default();
        for (run, half) in runs.iter().zip(&halves) {
            for line in run.iter().filter(|_| !is_whole(*half)) {
                let (count, is_padded) = shared.entry((line.column, line.indent)).or_default();
                *count += 1;
                *is_padded |= line.is_padded;
            }
        }
        let target = |run: &[ColumnLine], half: Half, in_run: usize, at: usize| {
            if is_whole(half) {
                run.iter().map(|it| it.minimum).max().unwrap_or(run[at].minimum)
            } else {
                let line = &run[at];
                match shared.get(&(line.column, line.indent)) {
                    Some((count @ 2.., true))
                        if is_deliberate(*count, in_run, run) || is_in_column_of_neighbor(run, at) =>
                    {
                        line.column.max(line.minimum)
                    }
                    _ if let Half::Joins(column) = half
                        && line.minimum <= column =>
                    {
                        column
                    }
                    _ if line.is_padded && self.is_file_column(line.indent + line.column) => {
                        line.column.max(line.minimum)
                    }
                    _ => line.minimum,
                }
            }
        };
        let fits = |line: &ColumnLine, column: u32| line.indent + column + line.rest <= self.options.width;
        let moved = runs.iter().zip(&halves).map(|(run, half)| {
            let mut in_run: FxHashMap<u32, usize> = FxHashMap::default();
            for line in run {
                *in_run.entry(line.column).or_default() += 1;
            }
            let targets = run.iter().enumerate().map(|(at, it)| target(run, *half, in_run[&it.column], at));
            let mut targets: Vec<u32> = targets.collect();
            if kind == ColumnKind::Equals && *half == Half::No && join_near_columns(run, &mut targets) {
                self.has_unsettled_columns.set(true);
            }
            let moved = run.iter().zip(targets).map(|(line, target)| {
                let is_kept = target == line.column || fits(line, target) || !fits(line, line.minimum);
                line.moved(if is_kept { target } else { line.minimum })
            });
            moved.collect()
        });
        moved.collect()
    }

    /// Returns true for a column of the file that the `=` of several lines have after padding.
    pub(crate) fn is_file_column(&self, column: u32) -> bool {
        self.file_columns.get(&column).is_some_and(|count| *count > 1)
    }

    fn line(&self, index: usize, entry: ColumnEntry) -> Option<ColumnLine> {
        let ColumnEntry { line, element } = entry;
        let element = element?;
        let start = line.start as usize;
        let line_start = self.line_start(line.start);
        let before = self.text.get(start..element.start as usize)?;
        let indent = &self.text[line_start..start];
        let begins_line = match indent.trim() {
            "" => true,
            // The first parameter of a template is beside the start of the tag.
            start => start.starts_with("<%") && start.ends_with('|'),
        };
        if !begins_line || before.contains(['\n', '#', '\t']) {
            return None;
        }
        let rest = self.text[element.start as usize..line.end as usize].lines().next().unwrap_or_default();
        Some(ColumnLine {
            index,
            column: width(before).saturating_add_signed(element.shift),
            minimum: element.head_width + 1,
            source_minimum: width(before.trim_end()).saturating_add_signed(element.shift) + 1,
            rest: width(rest),
            indent: width(indent),
            is_padded: before.ends_with("  "),
            is_tight: false,
        })
    }

    /// Splits lines at empty lines, comments, and lines that are much longer than the others; unless all are aligned,
    /// also at values of several lines.
    fn runs(&self, entries: &[Option<ColumnEntry>], alignment: EqualsAlignment) -> Vec<Vec<ColumnLine>> {
        let mut adjacent: Vec<Vec<ColumnLine>> = vec![Vec::new()];
        for (at, entry) in entries.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|it| entries[it]);
            let continues = match (before, entry) {
                (Some(before), Some(entry)) => {
                    let is_one_line = !self.text[before.line.as_range()].contains('\n');
                    (is_one_line || alignment == EqualsAlignment::Always)
                        && self.are_adjacent(before.line, entry.line)
                }
                _ => false,
            };
            if !continues {
                adjacent.push(Vec::new());
            }
            let line = entry.and_then(|it| self.line(at, it));
            if line.is_none() && entry.is_some_and(|it| it.element.is_some()) {
                self.has_unsettled_columns.set(true);
            }
            if let Some(run) = adjacent.last_mut() {
                run.extend(line);
            }
        }
        let mut runs = Vec::new();
        for run in adjacent {
            let limit = outlier_limit(&run);
            let (outliers, others): (Vec<ColumnLine>, Vec<ColumnLine>) =
                run.iter().partition(|it| it.minimum >= limit);
            if outliers.is_empty() {
                runs.push(others)
            } else {
                runs.extend(run.split(|it| it.minimum >= limit).map(<[ColumnLine]>::to_vec));
                runs.extend(outliers.into_iter().map(|it| vec![it]));
            }
        }
        runs
    }

    pub(crate) fn are_adjacent(&self, before: TextRange, next: TextRange) -> bool {
        let between = self.text.get(before.end as usize..next.start as usize).unwrap_or_default();
        between.matches('\n').count() == 1
    }

    /// Returns the padding before the variable and before the `=` of each parameter of a list.
    pub(crate) fn parameter_padding(
        &self,
        elements: &[FlatElement<'_>],
    ) -> Vec<(ColumnPadding, ColumnPadding)> {
        let nodes = elements.iter().map(|it| it.as_node().filter(|it| it.kind() == PARAMETER));
        let nodes: Vec<Option<&FlatNode<'_>>> = nodes.collect();
        let alignment = self.options.align_equals;
        let kept = match alignment {
            EqualsAlignment::Never => EqualsAlignment::Never,
            _ => EqualsAlignment::Keep,
        };
        let entries = |element: &dyn Fn(usize, &FlatNode<'_>) -> Option<ColumnElement>| {
            let found = nodes.iter().enumerate().filter_map(|(at, node)| {
                let line = (*node)?.text_range();
                // The comma belongs to the line.
                let end = elements.get(at + 1).map_or(line.end, |it| it.text_range().start.max(line.end));
                let has_comma = elements.get(at + 1).is_some_and(|it| it.as_node().is_none());
                let end = if has_comma { end + 1 } else { line.end };
                let line = TextRange::new(line.start, end);
                Some(Some(ColumnEntry { line, element: element(at, (*node)?) }))
            });
            found.collect::<Vec<_>>()
        };
        let indices: Vec<usize> = (0..nodes.len()).filter(|at| nodes[*at].is_some()).collect();
        let types = self.padding(&entries(&|_, node| self.variable_of(node)), kept, ColumnKind::Other);
        let mut padding = vec![<(ColumnPadding, ColumnPadding)>::default(); elements.len()];
        for (at, pad) in indices.iter().zip(&types) {
            padding[*at].0 = *pad;
        }
        let of_types: Vec<ColumnPadding> = padding.iter().map(|it| it.0).collect();
        let equals = entries(&|at, node| self.equals_of(node, of_types[at]));
        let equals = self.padding(&equals, alignment, ColumnKind::Equals);
        for (at, pad) in indices.iter().zip(&equals) {
            padding[*at].1 = *pad;
        }
        padding
    }

    /// Returns the variable of a parameter after its type.
    fn variable_of(&self, parameter: &FlatNode<'_>) -> Option<ColumnElement> {
        let parts = children(parameter);
        let [ty, next, ..] = parts.as_slice() else { return None };
        ty.as_node()?;
        matches!(next.kind(), STAR | VARIABLE).then_some(ColumnElement {
            head_width: self.formatted_width(ty)?,
            start: next.text_range().start,
            shift: 0,
        })
    }

    fn equals_of(&self, parameter: &FlatNode<'_>, type_padding: ColumnPadding) -> Option<ColumnElement> {
        let parts = children(parameter);
        let equals = parts.iter().position(|it| it.kind() == EQ)?;
        let mut head_width = type_padding.width;
        let mut shift = 0;
        for (at, part) in parts[..equals].iter().enumerate() {
            let is_after_star = at > 0 && parts[at - 1].kind() == STAR;
            let part_width = if at == 0 && type_padding.keeps_head {
                width(&self.text[part.text_range().as_range()])
            } else {
                self.formatted_width(part)?
            };
            head_width += part_width + u32::from(at > 0 && !is_after_star);
            if at == 0 && equals > 1 {
                let (start, next) = (part.text_range().start, parts[1].text_range().start);
                let before = self.text.get(start as usize..next as usize).unwrap_or_default();
                shift = head_width as i32 + 1 - width(before) as i32;
            }
        }
        Some(ColumnElement { head_width, start: parts[equals].text_range().start, shift })
    }

    /// Returns the width of a type or token once it is formatted; `None` if it spans several lines.
    pub(crate) fn formatted_width(&self, element: &FlatElement<'_>) -> Option<u32> {
        let range = element.text_range();
        let text = &self.text[range.as_range()];
        if text.contains('\n') {
            return None;
        }
        let Some(node) = element.as_node().filter(|it| !is_single_token(it)) else {
            return Some(width(text));
        };
        let key = (element.kind(), range);
        if let Some(known) = self.known_widths.borrow().get(&key) {
            return *known;
        }
        let mut scratch = DocumentBuilder::new(self.text, self.options, range.start);
        scratch.line_starts = self.line_starts.clone();
        // Types may contain lambdas, whose parameters have types as well.
        scratch.known_widths = self.known_widths.clone();
        scratch.node(Separator::Nothing, node);
        let found = Some(scratch.parts.iter().map(|it| scratch.width_of(*it)).sum());
        self.known_widths.borrow_mut().insert(key, found);
        found
    }
}

/// Returns true for a node that consists of one token, such as a name or a string.
fn is_single_token(node: &FlatNode<'_>) -> bool {
    let mut below = node.descendants_with_tokens().skip(1);
    matches!((below.next(), below.next()), (Some(FlatElement::Token(_)), None))
}

/// Returns the columns of ` =` that adjacent lines of a text share by padding, with the number of such lines.
pub(crate) fn file_columns(text: &str) -> FxHashMap<u32, usize> {
    let mut columns = FxHashMap::default();
    if !text.contains("  = ") {
        return columns;
    }
    let begins = |line: &&str| line.trim_start().starts_with(|it: char| it == '$' || it.is_ascii_uppercase());
    let mut before = None;
    for line in text.lines() {
        let equals = Some(line).filter(begins).and_then(|it| it.find(" = "));
        let column = equals.map(|at| (width(&line[..at + 1]), line[..at].ends_with(' ')));
        if let (Some((column, is_padded)), Some((column_before, was_padded))) = (column, before)
            && column == column_before
            && (is_padded || was_padded)
        {
            *columns.entry(column).or_default() += 2;
        }
        before = column;
    }
    columns
}

/// Returns the minimum column of outliers: the first that follows a gap of [`OUTLIER`] characters, unless most shorter
/// lines are in a column with an outlier.
fn outlier_limit(run: &[ColumnLine]) -> u32 {
    let mut minimums: Vec<u32> = run.iter().map(|it| it.minimum).collect();
    minimums.sort_unstable();
    let gaps = minimums.windows(2).filter(|it| it[1] - it[0] >= OUTLIER);
    let are_apart = |limit: &u32| {
        let (outliers, others): (Vec<&ColumnLine>, Vec<&ColumnLine>) =
            run.iter().partition(|it| it.minimum >= *limit);
        let shares = |it: &&&ColumnLine| outliers.iter().any(|outlier| outlier.column == it.column);
        others.iter().filter(shares).count() * 2 <= others.len()
    };
    gaps.map(|it| it[1]).find(are_apart).unwrap_or(u32::MAX)
}

/// Returns true if the line before or after is in the same column, and one of both is padded because of the other.
fn is_in_column_of_neighbor(run: &[ColumnLine], at: usize) -> bool {
    let line = &run[at];
    let neighbors = [at.checked_sub(1).and_then(|it| run.get(it)), run.get(at + 1)];
    let is_beside = |it: &ColumnLine| {
        let needs = |it: &ColumnLine| it.minimum == line.column;
        it.column == line.column && (needs(it) && line.is_padded || needs(line) && it.is_padded)
    };
    neighbors.into_iter().flatten().any(is_beside)
}

/// Relation of a run to the column of most of its lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    /// All lines or too few are in one column.
    No,
    /// The lines outside of the column move into it if they fit.
    Joins(u32),
    /// All lines move to a common column.
    Moves,
}

/// Returns the number of lines of a run by column, and whether one of them is padded.
fn columns_of(run: &[ColumnLine]) -> FxHashMap<u32, (usize, bool)> {
    let mut columns: FxHashMap<u32, (usize, bool)> = FxHashMap::default();
    for line in run {
        let (count, is_padded) = columns.entry(line.column).or_default();
        *count += 1;
        *is_padded |= line.is_padded;
    }
    columns
}

/// Returns the relation of a run to its column if at least two thirds of the lines, but not all, are in one.
/// `count_in_list` returns the number of lines in a column, also in other runs.
fn half_aligned(run: &[ColumnLine], count_in_list: &dyn Fn(u32) -> usize) -> Half {
    let columns = columns_of(run);
    // Two columns are two groups.
    let mut shared = columns.iter().filter(|(_, (count, is_padded))| *is_padded && *count >= 2);
    let (Some((column, (members, _))), None) = (shared.next(), shared.next()) else { return Half::No };
    let has_tight_line = run.iter().any(|it| it.column == *column && it.minimum > *column);
    if has_tight_line && run.len() <= SHORT_RUN {
        return Half::Moves;
    }
    let is_outside = |it: &ColumnLine| it.column != *column;
    // Several adjacent lines outside of the column form another group.
    let is_group = run.windows(GROUP).any(|it| it.iter().all(|line| is_outside(line) && !line.is_padded));
    if *members == run.len() || members * 3 < run.len() * 2 || is_group {
        return Half::No;
    }
    let longer = run.iter().filter(|it| it.minimum > *column).count();
    let in_list = count_in_list(*column).max(*members);
    // A single line that is longer than a column stays outside of it. A column that no line needs is narrowed.
    let is_unpadded = run.iter().filter(|it| is_outside(it)).all(|it| !it.is_padded);
    let is_needed = longer == 1 || in_list > *members || run.iter().any(|it| it.minimum == *column);
    if longer <= 1 && is_unpadded && is_needed {
        return Half::Joins(*column);
    }
    if in_list <= SHORT_RUN || longer * LINES_PER_MOVE >= in_list {
        Half::Moves
    } else {
        Half::Joins(*column)
    }
}

/// Keeps the text before the element where it fits into the column of other lines only as it is.
fn keep_heads(runs: &mut [Vec<ColumnLine>]) {
    let mut columns: FxHashMap<(u32, u32), usize> = FxHashMap::default();
    for line in runs.iter().flatten() {
        *columns.entry((line.column, line.indent)).or_default() += 1;
    }
    for line in runs.iter_mut().flatten() {
        let is_shared = columns.get(&(line.column, line.indent)).is_some_and(|count| *count > 1);
        if is_shared && line.minimum > line.column && line.source_minimum <= line.column {
            line.minimum = line.source_minimum;
        }
    }
}

/// Keeps the missing space before elements that are in the column of most lines of a long run only without it.
fn keep_tight(runs: &mut [Vec<ColumnLine>]) {
    for run in runs.iter_mut().filter(|it| it.len() > SHORT_RUN) {
        let (columns, lines) = (columns_of(run), run.len());
        let is_shared = |(count, is_padded): (usize, bool)| is_padded && count * 3 >= lines * 2;
        for line in run.iter_mut() {
            if line.column + 1 == line.minimum && is_shared(columns[&line.column]) {
                line.minimum = line.column;
                line.is_tight = true;
            }
        }
    }
}
