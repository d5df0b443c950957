//! Numbers for messages, so that a reader can follow each from its send to its receive.

/// The messages on their way.
#[derive(Clone, Debug, Default)]
pub struct Messages {
    last: u32,
    /// For each channel, the messages it holds.
    waiting: Vec<Vec<Waiting>>,
    /// Messages received in the current step.
    taken: Vec<u32>,
    /// Channels that the current step used.
    used: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Waiting {
    number: u32,
    message: Vec<i32>,
}

impl Messages {
    /// A message was put into a channel: its number. A rendezvous needs none, since it is over
    /// in one step.
    pub fn sent(&mut self, channel: u32, message: &[i32]) -> u32 {
        self.last += 1;
        let (number, message) = (self.last, message.to_vec());
        self.channel(channel).push(Waiting { number, message });
        number
    }

    /// A message was received: its number. None for one that was never seen sent, as in a run
    /// that is watched from the middle.
    pub fn received(&mut self, channel: u32, message: &[i32]) -> Option<u32> {
        let waiting = std::mem::take(self.channel(channel));
        let mut same = waiting.iter().filter(|waiting| waiting.message == message);
        let first = same.clone().next();
        let fresh = same.find(|waiting| !self.taken.contains(&waiting.number));
        let number = fresh.or(first).map(|waiting| waiting.number);
        self.taken.extend(number);
        *self.channel(channel) = waiting;
        number
    }

    /// A message was moved to another channel, and stays the same message.
    pub fn moved(&mut self, from: u32, to: u32, message: &[i32]) {
        let taken = self.taken.clone();
        let waiting = self.channel(from);
        let found = waiting
            .iter()
            .position(|one| one.message == message && !taken.contains(&one.number));
        let moved = found.map(|index| waiting.remove(index));
        self.channel(to).extend(moved);
    }

    /// The step is over. What each channel now holds decides the order of what waits there, which
    /// a sorted send changes, and whether a received message is gone.
    pub fn settle(&mut self, channels: usize, contents: impl Fn(usize) -> Vec<Vec<i32>>) {
        self.waiting.resize_with(channels, Vec::new);
        for index in std::mem::take(&mut self.used) {
            let Some(waiting) = self.waiting.get_mut(index) else {
                continue;
            };
            let contents = contents(index);
            // Of equal messages, those received are the ones that may be gone; those that stay
            // stay in the order in which they were sent.
            waiting.sort_by_key(|waiting| self.taken.contains(&waiting.number));
            let mut kept = arrange(std::mem::take(waiting), &contents);
            kept.sort_by_key(|waiting| waiting.number);
            *waiting = arrange(kept, &contents);
        }
        self.taken.clear();
    }

    fn channel(&mut self, number: u32) -> &mut Vec<Waiting> {
        let index = (number as usize).saturating_sub(1);
        if !self.used.contains(&index) {
            self.used.push(index);
        }
        if self.waiting.len() <= index {
            self.waiting.resize_with(index + 1, Vec::new);
        }
        &mut self.waiting[index]
    }
}

/// The messages in the order of the contents, which may be fewer.
fn arrange(mut waiting: Vec<Waiting>, contents: &[Vec<i32>]) -> Vec<Waiting> {
    let mut arranged = Vec::new();
    for message in contents {
        let found = waiting
            .iter()
            .position(|waiting| waiting.message == *message);
        arranged.extend(found.map(|index| waiting.remove(index)));
    }
    arranged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_messages_arrive_in_order() {
        let mut messages = Messages::default();
        assert_eq!(messages.sent(1, &[7]), 1);
        messages.settle(1, |_| vec![vec![7]]);
        assert_eq!(messages.sent(1, &[7]), 2);
        messages.settle(1, |_| vec![vec![7], vec![7]]);
        assert_eq!(messages.received(1, &[7]), Some(1));
        messages.settle(1, |_| vec![vec![7]]);
        assert_eq!(messages.received(1, &[7]), Some(2));
    }

    #[test]
    fn a_look_leaves_the_message_where_it_is() {
        let mut messages = Messages::default();
        messages.sent(1, &[7]);
        messages.settle(1, |_| vec![vec![7]]);
        messages.sent(1, &[7]);
        messages.settle(1, |_| vec![vec![7], vec![7]]);
        assert_eq!(messages.received(1, &[7]), Some(1));
        messages.settle(1, |_| vec![vec![7], vec![7]]);
        assert_eq!(messages.received(1, &[7]), Some(1));
    }

    #[test]
    fn a_message_that_is_moved_stays_the_same() {
        let mut messages = Messages::default();
        messages.sent(1, &[7]);
        messages.settle(2, |index| [vec![vec![7]], vec![]][index].clone());
        messages.moved(1, 2, &[7]);
        messages.settle(2, |index| [vec![], vec![vec![7]]][index].clone());
        assert_eq!(messages.received(2, &[7]), Some(1));
    }

    #[test]
    fn a_message_overtakes_another() {
        let mut messages = Messages::default();
        messages.sent(1, &[9]);
        messages.settle(1, |_| vec![vec![9]]);
        messages.sent(1, &[3]);
        messages.settle(1, |_| vec![vec![3], vec![9]]);
        assert_eq!(messages.received(1, &[9]), Some(1));
        messages.settle(1, |_| vec![vec![3]]);
        assert_eq!(messages.received(1, &[3]), Some(2));
    }
}
