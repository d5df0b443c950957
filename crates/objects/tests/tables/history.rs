use mazurka_objects::history::{Past, Role, Try, outcome};

/// What a try will be follows from the operations before it, whatever their order.
#[test]
fn outcomes_of_tries() {
    use Role::*;
    let after = |attempt, roles: &[Role], capacity, initial| {
        let past = |&role: &Role| Past {
            role,
            ..Past::default()
        };
        let forwards: Vec<Past> = roles.iter().map(past).collect();
        let backwards: Vec<Past> = roles.iter().rev().map(past).collect();
        let found = outcome(attempt, forwards.iter(), capacity, initial);
        assert_eq!(found, outcome(attempt, backwards.iter(), capacity, initial));
        found
    };
    assert_eq!(after(Try::Send, &[Send], 2, 0), Send);
    assert_eq!(after(Try::Send, &[Send, Send], 2, 0), SendMiss);
    assert_eq!(after(Try::Send, &[Send, Receive, Send], 2, 0), Send);
    assert_eq!(after(Try::Send, &[ReceiverClose], 2, 0), SendMiss);
    assert_eq!(after(Try::Receive, &[Send, Receive], 2, 0), ReceiveMiss);
    assert_eq!(after(Try::Receive, &[Send], 2, 0), Receive);
    assert_eq!(after(Try::Take, &[Take], 0, 1), Look);
    assert_eq!(after(Try::Take, &[Take, Release], 0, 1), Take);
    assert_eq!(after(Try::Lock, &[Lock], 0, 0), Look);
    assert_eq!(after(Try::Lock, &[Lock, Unlock, Look], 0, 0), Lock);
    assert_eq!(after(Try::ReadLock, &[ReadLock], 0, 0), ReadLock);
    assert_eq!(after(Try::ReadLock, &[WriteLock], 0, 0), Look);
    assert_eq!(
        after(Try::WriteLock, &[ReadLock, ReadLock, ReadUnlock], 0, 0),
        Look
    );
    assert_eq!(
        after(Try::WriteLock, &[ReadLock, ReadUnlock], 0, 0),
        WriteLock
    );
}
