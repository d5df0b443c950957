//! The open components of a search for strongly connected components.

/// The first state of an open component.
#[derive(Clone, Copy)]
pub(super) struct Root {
    pub state: u32,
    /// When it was met.
    pub order: u32,
    /// An accepting state of the component.
    pub accepting: Option<u32>,
    /// Was a cycle of it reported?
    pub reported: bool,
}

/// A step leads back to an open component, met at this time or later: everything above is one component with it. If that makes a cycle
/// through an accepting state which nobody has reported, gives its root and that state.
pub(super) fn join(roots: &mut Vec<Root>, order: u32) -> Option<(Root, u32)> {
    let mut accepting = None;
    let mut reported = false;
    while let Some(root) = roots.last().copied() {
        accepting = accepting.or(root.accepting);
        reported |= root.reported;
        if root.order <= order {
            break;
        }
        roots.pop();
    }
    let root = roots.last_mut()?;
    root.accepting = accepting;
    root.reported = reported || accepting.is_some();
    let root = *root;
    accepting
        .filter(|_| !reported)
        .map(|accepting| (root, accepting))
}
