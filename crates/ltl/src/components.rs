//! Strongly connected components (Tarjan 1972), without recursion.

/// The components of a graph.
pub(crate) struct Components {
    /// For each state, its component. A component has a smaller number than those that lead to it.
    pub number: Vec<usize>,
    /// How many there are.
    pub count: usize,
}

impl Components {
    /// The components of the graph with this many states.
    pub fn of<I: Iterator<Item = usize>>(
        states: usize,
        successors: impl Fn(usize) -> I,
    ) -> Components {
        const NONE: usize = usize::MAX;
        let mut index = vec![NONE; states];
        let mut low = vec![0; states];
        let mut number = vec![NONE; states];
        let mut stack = Vec::new();
        let mut count = 0;
        let mut next = 0;
        let mut path: Vec<(usize, I)> = Vec::new();
        for root in 0..states {
            if index[root] != NONE {
                continue;
            }
            index[root] = next;
            low[root] = next;
            next += 1;
            stack.push(root);
            path.push((root, successors(root)));
            while let Some((state, rest)) = path.last_mut() {
                let state = *state;
                if let Some(target) = rest.next() {
                    if index[target] == NONE {
                        index[target] = next;
                        low[target] = next;
                        next += 1;
                        stack.push(target);
                        path.push((target, successors(target)));
                    } else if number[target] == NONE {
                        low[state] = low[state].min(index[target]);
                    }
                    continue;
                }
                path.pop();
                if let Some((parent, _)) = path.last() {
                    low[*parent] = low[*parent].min(low[state]);
                }
                if low[state] == index[state] {
                    while let Some(member) = stack.pop() {
                        number[member] = count;
                        if member == state {
                            break;
                        }
                    }
                    count += 1;
                }
            }
        }
        Components { number, count }
    }
}
