//! Pictures of what was found: message sequence charts and graphs.
//!
//! There is one layout of charts ([`Drawing`]) and one of graphs ([`Layout`]), and both give pieces of SVG, so that a file, a report and a page show the same.
//! Text stays text, is measured as a monospaced font of any system would set it, and is escaped in one place (`svg.rs`).
//!
//! Start reading at [`Drawing`], then [`Graph`].

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod chart;
mod composed;
mod exchange;
mod flow;
mod graph;
mod html;
mod layered;
mod picture;
mod report;
mod samples;
mod svg;

pub use chart::{ChartOptions, Column, Drawing, Row, Stretch};
pub use composed::graph_of_composed;
pub use exchange::{mermaid, plantuml};
pub use flow::flow_svg;
pub use graph::{Edge, Graph, GraphForm, Node, NodeKind};
pub use html::{chart_page, chart_section, document, graph_page, json_for_script};
pub use layered::{Layout, PlacedEdge, PlacedNode};
pub use picture::{chart_svg, graph_svg};
pub use report::{refuse_lost_report, report, write_report};
pub use samples::{Sample, Samples};
pub use svg::{cut, escape, style, style_of_page};
