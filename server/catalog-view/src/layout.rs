//! Graph layout: boxes in columns, with arrows from left to right.

/// Gap between two columns. [`ROW_GAP`] is the gap between two boxes of a column.
const COLUMN_GAP: f64 = 56.0;
const ROW_GAP: f64 = 12.0;

/// Height of an arrow that passes through a column.
const LANE_HEIGHT: f64 = 6.0;

/// Number of iterations that improve the order of columns, and then the vertical positions in them.
const ITERATIONS: usize = 12;

/// Positions of boxes and arrows.
pub(super) struct GraphLayout {
    /// Upper left corner of each box.
    pub(super) boxes: Vec<(f64, f64)>,
    /// Points of each arrow, from its start to its end; empty for an arrow from a box to itself.
    pub(super) routes: Vec<Vec<(f64, f64)>>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A box, or the point where an arrow passes through a column.
struct GraphItem {
    column: usize,
    height: f64,
    /// Items in adjacent columns that are connected by an arrow.
    before: Vec<usize>,
    after: Vec<usize>,
    /// Upper edge.
    y: f64,
}

/// Computes the layout of boxes with the given widths and a common height.
pub(super) fn layout(widths: &[f64], height: f64, arrows: &[(usize, usize)]) -> GraphLayout {
    let (columns, is_backward) = columns(widths.len(), arrows);
    let mut items: Vec<GraphItem> = columns.iter().map(|column| item(*column, height)).collect();
    let chains: Vec<Vec<usize>> = arrows
        .iter()
        .zip(&is_backward)
        .map(|((from, to), is_backward)| {
            let (from, to) = if *is_backward { (*to, *from) } else { (*from, *to) };
            if from == to { Vec::new() } else { chain(&mut items, from, to) }
        })
        .collect();
    let mut order = first_order(&items);
    for round in 0..ITERATIONS {
        sort_columns(&mut items, &mut order, round % 2 == 0);
    }
    stack(&mut items, &order);
    for round in 0..ITERATIONS {
        let columns: Vec<&Vec<usize>> = match round % 2 {
            0 => order.iter().collect(),
            _ => order.iter().rev().collect(),
        };
        for column in columns {
            adjust_column(&mut items, column);
        }
    }
    let top = items.iter().map(|it| it.y).fold(f64::INFINITY, f64::min);
    items.iter_mut().for_each(|it| it.y -= top);
    let bounds = column_bounds(widths, &columns, order.len());
    let boxes = columns.iter().zip(&items).map(|(column, item)| (bounds[*column].0, item.y)).collect();
    let routes = chains.iter().zip(&is_backward).map(|(chain, is_backward)| {
        let mut points = route(&items, chain, widths, &bounds);
        if *is_backward {
            points.reverse();
        }
        points
    });
    GraphLayout {
        boxes,
        routes: routes.collect(),
        width: bounds.last().map_or(0.0, |(_, end)| *end),
        height: items.iter().map(|it| it.y + it.height).fold(0.0, f64::max),
    }
}

fn item(column: usize, height: f64) -> GraphItem {
    GraphItem { column, height, before: Vec::new(), after: Vec::new(), y: 0.0 }
}

/// Assigns each box to a column after the columns of its predecessors. One arrow of each cycle goes backward.
fn columns(count: usize, arrows: &[(usize, usize)]) -> (Vec<usize>, Vec<bool>) {
    let mut leaving = vec![Vec::new(); count];
    for (index, (from, to)) in arrows.iter().enumerate().filter(|(_, (from, to))| from != to) {
        leaving[*from].push((index, *to));
    }
    let mut is_backward = vec![false; arrows.len()];
    let mut columns = vec![0; count];
    // Iterative depth-first search: nodes on the current path, and finished nodes.
    let (mut is_open, mut is_done) = (vec![false; count], vec![false; count]);
    let mut finished = Vec::new();
    for root in 0..count {
        let mut way = vec![(root, 0)];
        while let Some((at, next)) = way.pop() {
            if next == 0 {
                if is_done[at] || is_open[at] {
                    continue;
                }
                is_open[at] = true;
            }
            match leaving[at].get(next) {
                Some((arrow, to)) => {
                    way.push((at, next + 1));
                    if is_open[*to] { is_backward[*arrow] = true } else { way.push((*to, 0)) }
                }
                None => {
                    (is_open[at], is_done[at]) = (false, true);
                    finished.push(at);
                }
            }
        }
    }
    let mut entering = vec![Vec::new(); count];
    for ((from, to), is_backward) in arrows.iter().zip(&is_backward).filter(|((from, to), _)| from != to) {
        let (from, to) = if *is_backward { (*to, *from) } else { (*from, *to) };
        entering[to].push(from);
    }
    for at in finished.into_iter().rev() {
        columns[at] = entering[at].iter().map(|from| columns[*from] + 1).max().unwrap_or(0);
    }
    (columns, is_backward)
}

/// Returns the items on the path of an arrow, adding new ones in the columns between.
fn chain(items: &mut Vec<GraphItem>, from: usize, to: usize) -> Vec<usize> {
    let mut chain = vec![from];
    for column in items[from].column + 1..items[to].column {
        items.push(item(column, LANE_HEIGHT));
        chain.push(items.len() - 1);
    }
    chain.push(to);
    for pair in chain.windows(2) {
        items[pair[0]].after.push(pair[1]);
        items[pair[1]].before.push(pair[0]);
    }
    chain
}

/// Returns the initial order of the items in each column, with connected items close to each other.
fn first_order(items: &[GraphItem]) -> Vec<Vec<usize>> {
    let columns = items.iter().map(|it| it.column + 1).max().unwrap_or(0);
    let mut order = vec![Vec::new(); columns];
    let mut is_seen = vec![false; items.len()];
    for root in (0..items.len()).filter(|index| items[*index].before.is_empty()) {
        let mut waiting = vec![root];
        while let Some(at) = waiting.pop() {
            if !std::mem::replace(&mut is_seen[at], true) {
                order[items[at].column].push(at);
                waiting.extend(items[at].after.iter().rev());
            }
        }
    }
    order
}

/// Sorts each column by the mean position of its neighbors in the previous (or next) column.
fn sort_columns(items: &mut [GraphItem], order: &mut [Vec<usize>], is_forward: bool) {
    let mut rank = vec![0.0; items.len()];
    let count = order.len();
    for step in 0..count {
        let column = &mut order[if is_forward { step } else { count - 1 - step }];
        let mut keyed: Vec<(f64, usize)> = Vec::new();
        for (position, index) in column.iter().enumerate() {
            let beside = if is_forward { &items[*index].before } else { &items[*index].after };
            let sum: f64 = beside.iter().map(|it| rank[*it]).sum();
            let key = if beside.is_empty() { position as f64 } else { sum / beside.len() as f64 };
            keyed.push((key, *index));
        }
        keyed.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        *column = keyed.into_iter().map(|(_, index)| index).collect();
        for (position, index) in column.iter().enumerate() {
            rank[*index] = position as f64;
        }
    }
}

fn stack(items: &mut [GraphItem], order: &[Vec<usize>]) {
    for column in order {
        let mut y = 0.0;
        for index in column {
            items[*index].y = y;
            y += items[*index].height + ROW_GAP;
        }
    }
}

/// Moves the items of a column as close to their neighbors as the order allows.
fn adjust_column(items: &mut [GraphItem], column: &[usize]) {
    // Isotonic regression: relative to the heights above them, positions must not decrease, so items that
    // push each other form a block with a common position.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    let mut above = 0.0;
    for index in column {
        let item = &items[*index];
        let beside = item.before.iter().chain(&item.after);
        let middles: Vec<f64> = beside.map(|it| items[*it].y + items[*it].height / 2.0).collect();
        let wanted = if middles.is_empty() {
            item.y
        } else {
            middles.iter().sum::<f64>() / middles.len() as f64 - item.height / 2.0
        };
        blocks.push((wanted - above, 1));
        above += item.height + ROW_GAP;
        while let [.., (upper, upper_count), (lower, lower_count)] = blocks[..]
            && upper > lower
        {
            let count = upper_count + lower_count;
            let mean = (upper * upper_count as f64 + lower * lower_count as f64) / count as f64;
            blocks.truncate(blocks.len() - 2);
            blocks.push((mean, count));
        }
    }
    let positions = blocks.iter().flat_map(|(position, count)| std::iter::repeat_n(*position, *count));
    let mut above = 0.0;
    for (index, position) in column.iter().zip(positions) {
        items[*index].y = position + above;
        above += items[*index].height + ROW_GAP;
    }
}

/// Returns the left and right edge of each column.
fn column_bounds(widths: &[f64], columns: &[usize], count: usize) -> Vec<(f64, f64)> {
    let mut widest = vec![0.0_f64; count];
    for (width, column) in widths.iter().zip(columns) {
        widest[*column] = widest[*column].max(*width);
    }
    let mut x = 0.0;
    let bounds = widest.into_iter().map(|width| {
        let bounds = (x, x + width);
        x += width + COLUMN_GAP;
        bounds
    });
    bounds.collect()
}

/// Returns the points from the right edge of the first box, through the columns between, to the left edge of
/// the last.
fn route(items: &[GraphItem], chain: &[usize], widths: &[f64], bounds: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let [first, between @ .., last] = chain else { return Vec::new() };
    let middle = |index: usize| items[index].y + items[index].height / 2.0;
    let left = |index: usize| bounds[items[index].column].0;
    let mut points = vec![(left(*first) + widths[*first], middle(*first))];
    for index in between {
        let (start, end) = bounds[items[*index].column];
        points.extend([(start, middle(*index)), (end, middle(*index))]);
    }
    points.push((left(*last), middle(*last)));
    points
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;
