//! "Did you mean": the known word that a misspelt one is nearest to.

/// The nearest candidate by edit distance, if it is near enough to be a slip.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    // Short words are near to everything, and nobody misspells a long one by accident in many places.
    let allowed = match length {
        0..=2 => return None,
        3..=4 => 1,
        5..=40 => 2,
        _ => return None,
    };
    candidates
        .map(|candidate| match candidate.eq_ignore_ascii_case(word) {
            // Other languages write `TRUE`.
            true => (usize::from(candidate != word), candidate),
            false => (distance(word, candidate), candidate),
        })
        .filter(|(distance, _)| (1..=allowed).contains(distance))
        .min()
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours that make one word the other.
fn distance(from: &str, to: &str) -> usize {
    let from: Vec<char> = from.chars().collect();
    let to: Vec<char> = to.chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let mut best = (last[j] + usize::from(a != b))
                .min(last[j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && *a == to[j - 1] && from[i - 1] == *b {
                best = best.min(before_last[j - 1] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_slips_only() {
        let words = ["proctype", "atomic", "typedef", "do"];
        assert_eq!(nearest("proctpye", words.into_iter()), Some("proctype"));
        assert_eq!(nearest("atomc", words.into_iter()), Some("atomic"));
        assert_eq!(nearest("atomic", words.into_iter()), None);
        assert_eq!(nearest("TYPEDEF", words.into_iter()), Some("typedef"));
        assert_eq!(nearest("od", words.into_iter()), None);
        assert_eq!(nearest("elephant", words.into_iter()), None);
    }
}
