//! The layout of graphs in layers (Sugiyama, Tagawa and Toda 1981): turn edges around that close cycles, give each node a layer,
//! order the layers so that few edges cross, and move nodes to the middle of their neighbours.
//!
//! Edges that pass a layer have a place in it, and so have their labels, which is why neither runs into a node. Positions in a
//! layer are the best there are for the neighbours as they stand: least squares under a least distance, by pooling those that
//! would overlap (isotonic regression).

use std::collections::{HashMap, VecDeque};

use mazurka_scenario::clean;
use serde::Serialize;

use crate::graph::{Graph, Node, NodeKind};
use crate::picture::wrapped;
use crate::svg::{escape, label, width_of};

/// Labels of edges are no wider.
const LABEL_WIDTH: i32 = 180;
/// Several edges between the same nodes share one, with this many lines of labels.
const LABELS: usize = 4;
/// With more edges than this, labels are titles only.
const LABELLED: usize = 400;
const TEXT_LINE: i32 = 16;
const GAP: i32 = 26;
const MARGIN: i32 = 24;
const SWEEPS: usize = 10;

/// Where everything is.
#[derive(Clone, Debug, Serialize)]
pub struct Layout {
    /// The width of everything.
    pub width: i32,
    /// The height of everything.
    pub height: i32,
    /// The nodes, in the order of the graph.
    pub nodes: Vec<PlacedNode>,
    /// The edges; several between the same nodes are one.
    pub edges: Vec<PlacedEdge>,
}

/// A node and its middle.
#[derive(Clone, Debug, Serialize)]
pub struct PlacedNode {
    /// Across.
    pub x: i32,
    /// Down.
    pub y: i32,
    /// What is drawn.
    pub svg: String,
}

/// An edge.
#[derive(Clone, Debug, Serialize)]
pub struct PlacedEdge {
    /// Where it begins.
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// What is drawn.
    pub svg: String,
}

/// Edges between the same nodes.
struct Bundle {
    from: usize,
    to: usize,
    /// What happens in them.
    titles: Vec<String>,
    /// The same as a few lines.
    labels: Vec<String>,
    left_out: bool,
    /// Turned around, since it closes a cycle.
    turned: bool,
    /// The items from the upper end to the lower one.
    chain: Vec<usize>,
}

/// A node, or the place of an edge in a layer.
struct Item {
    layer: usize,
    /// The room that it takes.
    width: i32,
    /// The width of what is drawn.
    own_width: i32,
    height: i32,
    x: f64,
    up: Vec<usize>,
    down: Vec<usize>,
    is_node: bool,
    /// Of an edge that was turned around, which should bend rather than others.
    is_turned: bool,
}

impl Layout {
    /// Places a graph.
    pub fn of(graph: &Graph) -> Layout {
        let mut bundles = bundles(graph);
        let with_labels = bundles.len() <= LABELLED;
        turn_cycles(graph.nodes.len(), &mut bundles);
        let layers = layers(graph.nodes.len(), &bundles, with_labels);
        let mut items: Vec<Item> = Vec::new();
        for (node, layer) in graph.nodes.iter().zip(layers) {
            let (width, height) = size(node);
            items.push(Item {
                layer,
                width,
                own_width: width,
                height,
                x: 0.0,
                up: vec![],
                down: vec![],
                is_node: true,
                is_turned: false,
            });
        }
        for bundle in &mut bundles {
            chain(&mut items, bundle, with_labels);
        }
        let rows = order(&mut items);
        place(&mut items, &rows);
        let (tops, heights, height) = layer_heights(&items, &rows, with_labels);
        let middle = |item: usize| {
            let layer = items[item].layer;
            (
                items[item].x.round() as i32,
                tops[layer] + heights[layer] / 2,
            )
        };
        let nodes = graph.nodes.iter().enumerate().map(|(number, node)| {
            let (x, y) = middle(number);
            PlacedNode {
                x,
                y,
                svg: node_svg(
                    number,
                    node,
                    (x, y),
                    (items[number].own_width, items[number].height),
                ),
            }
        });
        let nodes: Vec<PlacedNode> = nodes.collect();
        let edges = bundles.iter().map(|bundle| {
            let points = bundle.chain.iter().map(|item| {
                let (x, y) = middle(*item);
                let height = items[*item].height;
                (x, y, if items[*item].is_node { height / 2 } else { 0 })
            });
            let svg = match bundle.from == bundle.to {
                true => loop_svg(
                    bundle,
                    middle(bundle.from),
                    &items[bundle.from],
                    with_labels,
                ),
                false => edge_svg(bundle, &points.collect::<Vec<_>>(), with_labels),
            };
            PlacedEdge {
                from: bundle.from,
                to: bundle.to,
                svg,
            }
        });
        let edges: Vec<PlacedEdge> = edges.collect();
        let right = |item: &Item| item.x + f64::from(item.width) / 2.0;
        let width = items.iter().map(right).fold(0.0, f64::max);
        Layout {
            width: width.ceil() as i32 + MARGIN,
            height: height + MARGIN,
            nodes,
            edges,
        }
    }

    /// Everything, edges below nodes.
    pub fn svg(&self) -> String {
        let edges = self.edges.iter().map(|edge| edge.svg.as_str());
        let nodes = self.nodes.iter().map(|node| node.svg.as_str());
        edges.chain(nodes).collect::<Vec<_>>().join("\n")
    }
}

/// The size of a node.
fn size(node: &Node) -> (i32, i32) {
    let texts = node.lines.iter().chain([&node.label]);
    let mark = if node.kind == NodeKind::Usual { 0 } else { 24 };
    let widest = texts.map(|text| width_of(text)).max().unwrap_or(0) + mark;
    let lines = 1 + node.lines.len() as i32;
    ((widest + 22).clamp(40, 280), lines * TEXT_LINE + 12)
}

fn bundles(graph: &Graph) -> Vec<Bundle> {
    let mut bundles: Vec<Bundle> = Vec::new();
    let mut known: HashMap<(usize, usize, bool), usize> = HashMap::new();
    for edge in &graph.edges {
        let key = (edge.from, edge.to, edge.left_out);
        let fresh = bundles.len();
        let number = *known.entry(key).or_insert(fresh);
        if number == fresh {
            bundles.push(Bundle {
                from: edge.from,
                to: edge.to,
                titles: Vec::new(),
                labels: Vec::new(),
                left_out: edge.left_out,
                turned: false,
                chain: Vec::new(),
            });
        }
        let titles = &mut bundles[number].titles;
        if !titles.contains(&edge.label) {
            titles.push(edge.label.clone());
        }
    }
    for bundle in &mut bundles {
        bundle.labels = label_lines(&bundle.titles);
    }
    bundles
}

/// A long label takes two lines; what does not fit is in the title.
fn label_lines(titles: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for title in titles {
        let mut wrapped = wrapped(&clean(title), LABEL_WIDTH);
        if wrapped.len() > 2 {
            wrapped[1] += " …";
            wrapped.truncate(2);
        }
        lines.extend(wrapped);
    }
    if lines.len() > LABELS {
        lines.truncate(LABELS - 1);
        lines.push("…".into());
    }
    lines
}

/// Turns the edges around that lead back, as a breadth-first walk meets nodes: what is left has no cycle, and what is near stays near.
fn turn_cycles(nodes: usize, bundles: &mut [Bundle]) {
    let mut leaving = vec![Vec::new(); nodes];
    for bundle in bundles.iter() {
        leaving[bundle.from].push(bundle.to);
    }
    let mut met = vec![usize::MAX; nodes];
    let mut count = 0;
    for root in 0..nodes {
        let mut unseen = VecDeque::from([root]);
        while let Some(node) = unseen.pop_front() {
            if met[node] == usize::MAX {
                met[node] = count;
                count += 1;
                unseen.extend(&leaving[node]);
            }
        }
    }
    for bundle in bundles {
        bundle.turned = met[bundle.to] < met[bundle.from];
    }
}

impl Bundle {
    /// The upper and the lower end.
    fn ends(&self) -> (usize, usize) {
        match self.turned {
            true => (self.to, self.from),
            false => (self.from, self.to),
        }
    }
}

/// The longest path to each node. With labels, each edge passes at least one layer.
fn layers(nodes: usize, bundles: &[Bundle], with_labels: bool) -> Vec<usize> {
    let step = if with_labels { 2 } else { 1 };
    let mut below = vec![Vec::new(); nodes];
    let mut waits_for = vec![0; nodes];
    for bundle in bundles.iter().filter(|bundle| bundle.from != bundle.to) {
        let (upper, lower) = bundle.ends();
        below[upper].push(lower);
        waits_for[lower] += 1;
    }
    let mut ready: Vec<usize> = (0..nodes).filter(|node| waits_for[*node] == 0).collect();
    let mut layers = vec![0; nodes];
    while let Some(node) = ready.pop() {
        for lower in &below[node] {
            layers[*lower] = layers[*lower].max(layers[node] + step);
            waits_for[*lower] -= 1;
            if waits_for[*lower] == 0 {
                ready.push(*lower);
            }
        }
    }
    layers
}

/// Gives an edge a place in each layer that it passes; the one in the middle has room for its label.
fn chain(items: &mut Vec<Item>, bundle: &mut Bundle, with_labels: bool) {
    if bundle.from == bundle.to {
        if with_labels {
            // The loop and its label are to the right of the node, which stays in the middle of its place.
            let item = &mut items[bundle.from];
            item.width = item
                .width
                .max(item.own_width + 2 * (widest(&bundle.labels) + 34));
        }
        bundle.chain = vec![bundle.from];
        return;
    }
    let (upper, lower) = bundle.ends();
    let (first, last) = (items[upper].layer, items[lower].layer);
    let middle = (first + last) / 2;
    let mut chain = vec![upper];
    for layer in first + 1..last {
        let has_label = with_labels && layer == middle;
        let lines = bundle.labels.len() as i32;
        items.push(Item {
            layer,
            width: if has_label {
                widest(&bundle.labels) + 14
            } else {
                12
            },
            own_width: 0,
            height: if has_label { lines * TEXT_LINE } else { 0 },
            x: 0.0,
            up: vec![],
            down: vec![],
            is_node: false,
            is_turned: bundle.turned,
        });
        chain.push(items.len() - 1);
    }
    chain.push(lower);
    for pair in chain.windows(2) {
        items[pair[0]].down.push(pair[1]);
        items[pair[1]].up.push(pair[0]);
    }
    bundle.chain = chain;
}

fn widest(labels: &[String]) -> i32 {
    let labels = labels.iter().map(|text| width_of(text));
    labels.max().unwrap_or(0).min(LABEL_WIDTH)
}

/// The items of each layer from left to right, with few crossings.
fn order(items: &mut [Item]) -> Vec<Vec<usize>> {
    let layers = items.iter().map(|item| item.layer + 1).max().unwrap_or(0);
    let mut rows = vec![Vec::new(); layers];
    // A depth-first walk from the top keeps together what belongs together.
    let mut seen = vec![false; items.len()];
    for root in 0..items.len() {
        let mut unseen = vec![root];
        while let Some(item) = unseen.pop() {
            if !std::mem::replace(&mut seen[item], true) {
                rows[items[item].layer].push(item);
                unseen.extend(items[item].down.iter().rev());
            }
        }
    }
    let mut position = vec![0.0; items.len()];
    let number = |rows: &[Vec<usize>], position: &mut [f64]| {
        for row in rows {
            for (index, item) in row.iter().enumerate() {
                position[*item] = index as f64;
            }
        }
    };
    number(&rows, &mut position);
    let mut best = (crossings(items, &rows, &position), rows.clone());
    for sweep in 0..SWEEPS {
        let downwards = sweep % 2 == 0;
        let layers: Vec<usize> = match downwards {
            true => (1..rows.len()).collect(),
            false => (0..rows.len().saturating_sub(1)).rev().collect(),
        };
        for layer in layers {
            let mut keyed: Vec<(f64, usize)> = rows[layer]
                .iter()
                .map(|item| {
                    let neighbours = match downwards {
                        true => &items[*item].up,
                        false => &items[*item].down,
                    };
                    (
                        mean(neighbours, &position).unwrap_or(position[*item]),
                        *item,
                    )
                })
                .collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            rows[layer] = keyed.into_iter().map(|(_, item)| item).collect();
            for (index, item) in rows[layer].iter().enumerate() {
                position[*item] = index as f64;
            }
        }
        let count = crossings(items, &rows, &position);
        if count < best.0 {
            best = (count, rows.clone());
        }
        if best.0 == 0 {
            break;
        }
    }
    best.1
}

fn mean(neighbours: &[usize], position: &[f64]) -> Option<f64> {
    let sum: f64 = neighbours.iter().map(|other| position[*other]).sum();
    (!neighbours.is_empty()).then(|| sum / neighbours.len() as f64)
}

/// How many pairs of edges cross: inversions between neighbouring layers, counted in a tree of sums (Barth, Jünger and Mutzel 2002).
fn crossings(items: &[Item], rows: &[Vec<usize>], position: &[f64]) -> u64 {
    let mut count = 0;
    for pair in rows.windows(2) {
        let size = pair[1].len().next_power_of_two();
        let mut sums = vec![0_u64; size * 2];
        for item in &pair[0] {
            let mut ends: Vec<usize> = items[*item]
                .down
                .iter()
                .map(|d| position[*d] as usize)
                .collect();
            ends.sort_unstable();
            // What was entered before and ends further to the right crosses.
            for end in &ends {
                let mut at = end + size;
                while at > 1 {
                    if at % 2 == 0 {
                        count += sums[at + 1];
                    }
                    at /= 2;
                }
            }
            for end in ends {
                let mut at = end + size;
                while at > 0 {
                    sums[at] += 1;
                    at /= 2;
                }
            }
        }
    }
    count
}

/// Moves everything to the middle of its neighbours, as far as the order lets it.
fn place(items: &mut [Item], rows: &[Vec<usize>]) {
    for row in rows {
        let mut x = 0.0;
        for item in row {
            x += f64::from(items[*item].width) / 2.0;
            items[*item].x = x;
            x += f64::from(items[*item].width) / 2.0 + f64::from(GAP);
        }
    }
    for sweep in 0..SWEEPS * 2 {
        let downwards = sweep % 2 == 0;
        let last = sweep + 2 >= SWEEPS * 2;
        let all: Vec<usize> = match downwards {
            true => (0..rows.len()).collect(),
            false => (0..rows.len()).rev().collect(),
        };
        for layer in all {
            let row = &rows[layer];
            let wanted: Vec<(f64, f64)> = row
                .iter()
                .map(|item| wish(items, *item, downwards, last))
                .collect();
            for (item, x) in row.iter().zip(pooled(items, row, &wanted)) {
                items[*item].x = x;
            }
        }
    }
    let left = items
        .iter()
        .map(|item| item.x - f64::from(item.width) / 2.0);
    let left = left.fold(f64::MAX, f64::min);
    for item in items.iter_mut() {
        item.x += f64::from(MARGIN) - left;
    }
}

/// Where an item would like to be, and how much: long edges should be straight.
fn wish(items: &[Item], item: usize, downwards: bool, both: bool) -> (f64, f64) {
    let own = &items[item];
    let near = match downwards {
        true => [&own.up[..], if both { &own.down } else { &[] }],
        false => [&own.down[..], if both { &own.up } else { &[] }],
    };
    let (mut sum, mut weight) = (0.0, 0.0);
    for other in near.into_iter().flatten() {
        let strength = match (own.is_node, items[*other].is_node) {
            (true, false) if items[*other].is_turned => 0.1,
            (false, false) => 4.0,
            _ => 1.0,
        };
        sum += items[*other].x * strength;
        weight += strength;
    }
    match weight > 0.0 {
        true => (sum / weight, weight),
        false => (own.x, 0.1),
    }
}

/// The positions nearest to those wanted that keep the order and the distances.
fn pooled(items: &[Item], row: &[usize], wanted: &[(f64, f64)]) -> Vec<f64> {
    let mut offset = 0.0;
    let mut offsets = Vec::new();
    for (index, item) in row.iter().enumerate() {
        if index > 0 {
            let before = &items[row[index - 1]];
            let gap = match before.is_node || items[*item].is_node {
                true => GAP,
                false => GAP / 2,
            };
            offset += f64::from(before.width + items[*item].width) / 2.0 + f64::from(gap);
        }
        offsets.push(offset);
    }
    // Blocks of items that stand side by side: the mean of what they want, its weight, how many.
    let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
    for (index, (x, weight)) in wanted.iter().enumerate() {
        let mut block = (x - offsets[index], *weight, 1);
        while let Some(before) = blocks.last().filter(|before| before.0 >= block.0) {
            let weight = before.1 + block.1;
            block = (
                (before.0 * before.1 + block.0 * block.1) / weight,
                weight,
                before.2 + block.2,
            );
            blocks.pop();
        }
        blocks.push(block);
    }
    let spread = blocks
        .iter()
        .flat_map(|(x, _, count)| std::iter::repeat_n(*x, *count));
    spread.zip(offsets).map(|(x, offset)| x + offset).collect()
}

/// The upper edge and the height of each layer, and the height of all.
fn layer_heights(
    items: &[Item],
    rows: &[Vec<usize>],
    with_labels: bool,
) -> (Vec<i32>, Vec<i32>, i32) {
    let (mut tops, mut heights) = (Vec::new(), Vec::new());
    let mut y = MARGIN;
    for row in rows {
        let height = row.iter().map(|item| items[*item].height).max();
        tops.push(y);
        heights.push(height.unwrap_or(0));
        y += heights[heights.len() - 1] + if with_labels { 18 } else { 48 };
    }
    (tops, heights, y)
}

fn node_svg(number: usize, node: &Node, (x, y): (i32, i32), (width, height): (i32, i32)) -> String {
    let mut classes = String::from("n");
    let mark = match node.kind {
        NodeKind::Usual => "",
        NodeKind::Deadlock | NodeKind::Error => " ✗",
        NodeKind::Open => " …",
    };
    let flags = [
        (number == 0, " first"),
        (node.end, " stop"),
        (
            matches!(node.kind, NodeKind::Deadlock | NodeKind::Error),
            " bad",
        ),
        (node.kind == NodeKind::Open, " more"),
        (node.left_out, " out"),
    ];
    for (_, class) in flags.iter().filter(|(is_so, _)| *is_so) {
        classes += class;
    }
    let mut words = node.label.clone();
    let said = [
        (node.kind == NodeKind::Deadlock, "deadlock"),
        (
            node.kind == NodeKind::Open,
            "not all of its steps are shown",
        ),
        (node.end, "the system may stop here"),
        (node.left_out, "left out by the reduction"),
    ];
    for (_, what) in said.iter().filter(|(is_so, _)| *is_so) {
        words += &format!(", {what}");
    }
    let (left, top) = (x - width / 2, y - height / 2);
    let mut svg = format!(
        "<g class=\"{classes}\" data-node=\"{number}\"><title>{}</title><rect class=\"node\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"10\"/>",
        escape(&format!("{words}\n{}", node.details))
    );
    if node.end {
        svg += &format!(
            "<rect class=\"node\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"8\"/>",
            left + 3,
            top + 3,
            width - 6,
            height - 6
        );
    }
    let name = format!("{}{mark}", node.label);
    svg += &label(x, top + 18, "middle", "mark", &name, width - 8);
    for (index, line) in node.lines.iter().enumerate() {
        let y = top + 18 + TEXT_LINE * (index as i32 + 1);
        svg += &label(x, y, "middle", "faint", line, width - 10);
    }
    svg + "</g>"
}

fn edge_svg(bundle: &Bundle, points: &[(i32, i32, i32)], with_labels: bool) -> String {
    let (first, last) = (points[0], points[points.len() - 1]);
    let (top, bottom) = (first.1 + first.2, last.1 - last.2);
    let mut path = format!("M{} {top}", first.0);
    let (mut x, mut y) = (first.0, top);
    for (index, point) in points.iter().enumerate().skip(1) {
        let (to_x, to_y) = match index + 1 == points.len() {
            true => (last.0, bottom),
            false => (point.0, point.1),
        };
        let half = (y + to_y) / 2;
        path += &format!("C{x} {half} {to_x} {half} {to_x} {to_y}");
        (x, y) = (to_x, to_y);
    }
    let (tip_x, tip_y, side) = match bundle.turned {
        true => (first.0, top, 1),
        false => (last.0, bottom, -1),
    };
    let tip = format!(
        "<polygon class=\"edge-tip\" points=\"{tip_x},{tip_y} {},{} {},{}\"/>",
        tip_x - 4,
        tip_y + 8 * side,
        tip_x + 4,
        tip_y + 8 * side
    );
    let labels = match with_labels && points.len() > 2 {
        true => labels_svg(&bundle.labels, (label_point(points), "middle")),
        false => String::new(),
    };
    wrapped_edge(
        bundle,
        &format!("<path class=\"edge\" d=\"{path}\"/>{tip}"),
        &labels,
    )
}

/// The place with room for the label is the same that [`chain`] made: in the middle layer.
fn label_point(points: &[(i32, i32, i32)]) -> (i32, i32) {
    let (x, y, _) = points[(points.len() - 1) / 2];
    (x, y)
}

fn loop_svg(bundle: &Bundle, (x, y): (i32, i32), item: &Item, with_labels: bool) -> String {
    let right = x + item.own_width / 2;
    let path = format!(
        "<path class=\"edge\" d=\"M{right} {}C{} {} {} {} {right} {}\"/><polygon class=\"edge-tip\" points=\"{right},{} {},{} {},{}\"/>",
        y - 7,
        right + 26,
        y - 12,
        right + 26,
        y + 12,
        y + 7,
        y + 7,
        right + 9,
        y + 4,
        right + 7,
        y + 12
    );
    let labels = match with_labels {
        true => labels_svg(&bundle.labels, ((right + 26, y), "start")),
        false => String::new(),
    };
    wrapped_edge(bundle, &path, &labels)
}

fn labels_svg(labels: &[String], ((x, y), anchor): ((i32, i32), &str)) -> String {
    let top = y - labels.len() as i32 * TEXT_LINE / 2 + 12;
    let numbered = labels.iter().enumerate();
    numbered
        .map(|(index, text)| {
            let y = top + index as i32 * TEXT_LINE;
            label(x, y, anchor, "faint halo", text, LABEL_WIDTH + 16)
        })
        .collect()
}

fn wrapped_edge(bundle: &Bundle, path: &str, labels: &str) -> String {
    let class = if bundle.left_out { "e out" } else { "e" };
    format!(
        "<g class=\"{class}\" data-from=\"{}\" data-to=\"{}\"><title>{}</title>{path}{labels}</g>",
        bundle.from,
        bundle.to,
        escape(&bundle.titles.join("\n"))
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Edge;

    fn graph(nodes: usize, edges: &[(usize, usize)]) -> Graph {
        Graph {
            name: "g".into(),
            nodes: (0..nodes)
                .map(|number| Node {
                    label: number.to_string(),
                    ..Node::default()
                })
                .collect(),
            edges: edges
                .iter()
                .map(|(from, to)| Edge {
                    from: *from,
                    to: *to,
                    label: format!("{from}->{to}"),
                    left_out: false,
                })
                .collect(),
        }
    }

    #[test]
    fn nodes_do_not_overlap_whatever_the_edges_are() {
        let mut random = 7_u32;
        for nodes in [1, 2, 5, 30] {
            let mut edges = Vec::new();
            for _ in 0..nodes * 2 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                edges.push((
                    (random >> 8) as usize % nodes,
                    (random >> 20) as usize % nodes,
                ));
            }
            let layout = Layout::of(&graph(nodes, &edges));
            for (number, a) in layout.nodes.iter().enumerate() {
                assert!(a.x > 0 && a.x < layout.width && a.y > 0 && a.y < layout.height);
                for b in &layout.nodes[..number] {
                    let apart = (a.x - b.x).abs() >= 40 || (a.y - b.y).abs() >= 28;
                    assert!(apart, "{a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn a_diamond_has_no_crossing_and_is_even() {
        let layout = Layout::of(&graph(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]));
        let x: Vec<i32> = layout.nodes.iter().map(|node| node.x).collect();
        assert!(
            (x[0] - x[3]).abs() <= 2 && (x[1] + x[2] - 2 * x[0]).abs() <= 4,
            "{x:?}"
        );
        let y: Vec<i32> = layout.nodes.iter().map(|node| node.y).collect();
        assert!(y[0] < y[1] && y[1] == y[2] && y[2] < y[3], "{y:?}");
    }

    #[test]
    fn a_loop_has_room_for_its_label() {
        let layout = Layout::of(&graph(3, &[(0, 1), (0, 2), (1, 1), (2, 2)]));
        let (left, right) = (layout.nodes[1].x, layout.nodes[2].x);
        let label = width_of("1->1") + 34 + 40;
        assert!((left - right).abs() >= label, "{left} {right}");
    }

    #[test]
    fn an_empty_graph_is_a_picture_too() {
        let layout = Layout::of(&graph(0, &[]));
        assert!(layout.nodes.is_empty() && layout.width > 0);
    }
}
