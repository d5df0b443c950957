//! HMAC with SHA-256 (FIPS 180-4 and RFC 2104): who knows the shared secret can say so without saying it.

/// The bytes of a sum.
pub(crate) const SUM: usize = 32;
const BLOCK: usize = 64;

const FIRST: [u32; 8] = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

const ROUNDS: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

/// The sum of a message under a secret.
pub(crate) fn mac(secret: &[u8], message: &[&[u8]]) -> [u8; SUM] {
    let mut key = [0; BLOCK];
    match secret.len() > BLOCK {
        true => key[..SUM].copy_from_slice(&sum(&[secret])),
        false => key[..secret.len()].copy_from_slice(secret),
    }
    let inner_key = key.map(|byte| byte ^ 0x36);
    let mut inner: Vec<&[u8]> = vec![&inner_key];
    inner.extend(message);
    let inner = sum(&inner);
    sum(&[&key.map(|byte| byte ^ 0x5c), &inner])
}

/// Are two sums the same? It takes as long wherever they differ.
pub(crate) fn is_same(one: &[u8; SUM], other: &[u8; SUM]) -> bool {
    let differences = one.iter().zip(other).map(|(one, other)| one ^ other);
    differences.fold(0, |all, difference| all | difference) == 0
}

/// The sum of the parts of a message.
pub(crate) fn sum(parts: &[&[u8]]) -> [u8; SUM] {
    let mut message = parts.concat();
    let bits = message.len() as u64 * 8;
    message.push(0x80);
    while message.len() % BLOCK != BLOCK - 8 {
        message.push(0);
    }
    message.extend(bits.to_be_bytes());
    let mut state = FIRST;
    for block in message.chunks_exact(BLOCK) {
        mix(&mut state, block);
    }
    let mut sum = [0; SUM];
    for (to, word) in sum.chunks_exact_mut(4).zip(state) {
        to.copy_from_slice(&word.to_be_bytes());
    }
    sum
}

fn mix(state: &mut [u32; 8], block: &[u8]) {
    let mut words = [0u32; 64];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes
            .iter()
            .fold(0, |word, byte| word << 8 | u32::from(*byte));
    }
    for at in 16..64 {
        let (before, far) = (words[at - 2], words[at - 15]);
        let near = before.rotate_right(17) ^ before.rotate_right(19) ^ before >> 10;
        let far = far.rotate_right(7) ^ far.rotate_right(18) ^ far >> 3;
        words[at] = words[at - 16]
            .wrapping_add(far)
            .wrapping_add(words[at - 7])
            .wrapping_add(near);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, round) in words.iter().zip(ROUNDS) {
        let one = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = e & f ^ !e & g;
        let first = h
            .wrapping_add(one)
            .wrapping_add(choice)
            .wrapping_add(round)
            .wrapping_add(*word);
        let other = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let second = other.wrapping_add(a & b ^ a & c ^ b & c);
        (h, g, f, e) = (g, f, e, d.wrapping_add(first));
        (d, c, b, a) = (c, b, a, first.wrapping_add(second));
    }
    for (word, more) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The examples of the standards.
    #[test]
    fn sums_are_those_of_the_standards() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hex(&sum(&[b"a", b"bc"])), abc);
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(hex(&sum(&[])), empty);
        let two_blocks = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        let expected = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
        assert_eq!(hex(&sum(&[two_blocks])), expected);
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        let text = b"what do ya want for nothing?";
        assert_eq!(hex(&mac(b"Jefe", &[text])), expected);
        let expected = "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54";
        let text = b"Test Using Larger Than Block-Size Key - Hash Key First";
        assert_eq!(hex(&mac(&[0xaa; 131], &[text])), expected);
    }

    #[test]
    fn only_the_same_is_the_same() {
        let one = sum(&[b"one"]);
        assert!(is_same(&one, &one));
        for byte in 0..SUM {
            let mut other = one;
            other[byte] ^= 1;
            assert!(!is_same(&one, &other));
        }
    }
}
