use crate::exact::{Abstract, Comparison, Exact};
use Operation::*;
use mazurka_objects::variable::{
    Comparison as Compare, Domain, Operation, View, apply, dependent, dependent_in, might_interact,
};

const COMPARISONS: [Compare; 6] = [
    Compare::Equal,
    Compare::NotEqual,
    Compare::Less,
    Compare::AtMost,
    Compare::Greater,
    Compare::AtLeast,
];

#[test]
fn variable() {
    let mut constant = Comparison::default();
    let mut conditional = Comparison::default();
    let mut interaction = Comparison::default();
    for (low, high) in [(0, 1), (-1, 1), (0, 3), (-2, 2), (0, 5)] {
        let domain = Domain { low, high };
        let (operations, groups) = operations(domain);
        let exact = Exact::new(operations, (low..=high).collect(), |o, &v| {
            apply(o, domain, v)
        });
        let views: Vec<_> = (low..=high)
            .enumerate()
            .map(|(v, value)| Abstract {
                known: View { value, domain },
                numbers: vec![v],
            })
            .collect();
        let interacts = exact.interactions(|_, _, _| false, |_, _| true);
        let in_value = |a, b, v| exact.dependent_in(a, b, v);
        let all = [Abstract {
            known: (),
            numbers: (0..exact.values.len()).collect(),
        }];
        constant.add(&groups, &all, |a, b, _| dependent(a, b), in_value);
        conditional.add(&groups, &views, dependent_in, in_value);
        interaction.add(&groups, &views, might_interact, |a, b, v| {
            interacts[a][v][b]
        });
    }
    constant.expect_coarser(0, "variable, constant");
    conditional.expect_coarser(0, "variable, conditional");
    // Waits for an unknown constant.
    interaction.expect_coarser(160, "variable, interaction");
    assert!(
        interaction
            .coarser
            .iter()
            .all(|entry| entry.contains("Await") && entry.contains("None"))
    );
}

/// The listed coarseness: tests with one answer throughout the domain, and nothing else.
#[test]
fn tests_that_cannot_vary() {
    let domain = Domain { low: 0, high: 2 };
    let (mut operations, _) = operations(domain);
    operations.push(Test(Compare::Less, Some(0)));
    operations.push(Test(Compare::AtMost, Some(2)));
    let exact = Exact::new(operations, (0..=2).collect(), |o, &v| apply(o, domain, v));
    let groups: Vec<_> = (0..exact.operations.len())
        .map(|number| Abstract {
            known: exact.operations[number],
            numbers: vec![number],
        })
        .collect();
    let all = [Abstract {
        known: (),
        numbers: vec![0, 1, 2],
    }];
    let mut constant = Comparison::default();
    let in_value = |a, b, v| exact.dependent_in(a, b, v);
    constant.add(&groups, &all, |a, b, _| dependent(a, b), in_value);
    // Each of the two, in either order, with each of three writes and four additions that move.
    constant.expect_coarser(2 * 2 * 7, "variable, constant, tests that cannot vary");
}

/// All operations with arguments from the domain, and groups of them: each alone, and the ones
/// that are meant when an argument is unknown.
fn operations(domain: Domain) -> (Vec<Operation>, Vec<Abstract<Operation>>) {
    let size = domain.high - domain.low + 1;
    let mut operations = vec![Read];
    let mut groups = vec![Abstract {
        known: Read,
        numbers: vec![0],
    }];
    let mut family = |unknown: Operation, members: Vec<Operation>| {
        let start = operations.len();
        let numbers: Vec<_> = (start..start + members.len()).collect();
        for (&known, &number) in members.iter().zip(&numbers) {
            groups.push(Abstract {
                known,
                numbers: vec![number],
            });
        }
        groups.push(Abstract {
            known: unknown,
            numbers,
        });
        operations.extend(members);
    };
    for comparison in COMPARISONS {
        let varies = |right: &i64| {
            let mut answers = (domain.low..=domain.high).map(|left| comparison.holds(left, *right));
            let first = answers.next();
            answers.any(|answer| Some(answer) != first)
        };
        let rights = (domain.low..=domain.high).filter(varies);
        let rights: Vec<_> = rights.collect();
        let tests = rights.iter().map(|right| Test(comparison, Some(*right)));
        family(Test(comparison, None), tests.collect());
        let waits = rights.iter().map(|right| Await(comparison, Some(*right)));
        family(Await(comparison, None), waits.collect());
    }
    let writes = (domain.low..=domain.high)
        .map(|written| Write(Some(written)))
        .collect();
    family(Write(None), writes);
    let additions = (1 - size..size).map(|added| Add(Some(added))).collect();
    family(Add(None), additions);
    (operations, groups)
}
