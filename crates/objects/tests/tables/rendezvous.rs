use crate::exact::{Comparison, Exact, concrete};
use Operation::*;
use mazurka_objects::rendezvous::{Operation, apply, dependent};
use mazurka_objects::{Field, Output, Pattern};

const MESSAGES: [i64; 3] = [0, 1, 2];

/// A handshake is its two halves in one step; it leaves the port idle, so that handshakes commute
/// with each other and enable no half.
#[test]
fn handshakes() {
    for message in MESSAGES {
        let known = Pattern::message(&[message]);
        let whole = apply(Handshake(known), &None);
        let first = apply(OfferSend(known), &None);
        let second = apply(OfferReceive(Pattern::ANY), &first[0].value);
        assert_eq!(whole, second);
        assert_eq!(whole[0].output, Output::Message(vec![message]));
        assert_eq!(whole[0].value, None);
    }
    let exact = Exact::new(
        MESSAGES
            .iter()
            .map(|&message| Handshake(Pattern::message(&[message])))
            .collect(),
        vec![None],
        apply,
    );
    let mut comparison = Comparison::default();
    let in_value = |a, b, v| exact.dependent_in(a, b, v);
    let idle = concrete(&[()]);
    comparison.add(
        &concrete(&exact.operations),
        &idle,
        |a, b, _| dependent(a, b),
        in_value,
    );
    comparison.expect_coarser(0, "rendezvous, handshakes");
}

/// On an idle port a half makes another possible just where the table says that they can join.
#[test]
fn halves() {
    let sends = MESSAGES.map(|message| OfferSend(Pattern::message(&[message])));
    let fields = MESSAGES
        .map(Field::Constant)
        .into_iter()
        .chain([Field::Any]);
    let receives: Vec<_> = fields
        .map(|field| OfferReceive(Pattern::new(&[field])))
        .collect();
    for send in sends {
        let handed = &apply(send, &None)[0].value;
        for &receive in &receives {
            assert!(apply(receive, &None).is_empty());
            let joins = !apply(receive, handed).is_empty();
            assert_eq!(dependent(send, receive), joins);
            assert_eq!(dependent(receive, send), joins);
            assert!(dependent(send, OfferReceive(Pattern::UNKNOWN)));
            assert!(dependent(OfferSend(Pattern::UNKNOWN), receive));
        }
        assert!(sends.iter().all(|&other| !dependent(send, other)));
    }
    assert!(
        receives
            .iter()
            .all(|&a| receives.iter().all(|&b| !dependent(a, b)))
    );
}
