//! Where members are, and what they know: as users write it.

use std::io::{BufRead, Read};
use std::path::Path;

/// No secret is longer.
const LONGEST_SECRET: u64 = 1 << 12;

/// The addresses in a file, or those that are given with commas between them.
pub fn hosts(given: &str) -> Result<Vec<String>, String> {
    let is_list = given.contains(',') || (given.contains(':') && !Path::new(given).exists());
    let text = match is_list {
        true => given.replace(',', "\n"),
        false => std::fs::read_to_string(given).map_err(|error| error.to_string())?,
    };
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or(""));
    let hosts = lines.map(str::trim).filter(|line| !line.is_empty());
    let hosts: Vec<String> = hosts.map(String::from).collect();
    match hosts.is_empty() {
        true => Err("there are no addresses in it".into()),
        false => Ok(hosts),
    }
}

/// Each host with a port; a host that is given again gets the next one.
pub fn addresses(hosts: &[String], first: u16) -> Result<Vec<String>, String> {
    let mut addresses: Vec<String> = Vec::new();
    for host in hosts {
        let has_port = host
            .rsplit_once(':')
            .is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        if has_port {
            addresses.push(host.clone());
            continue;
        }
        let free = (first..=u16::MAX)
            .map(|port| format!("{host}:{port}"))
            .find(|address| !addresses.contains(address));
        addresses.push(free.ok_or_else(|| format!("{host}: there are no ports left"))?);
    }
    Ok(addresses)
}

/// The secret in the first line of a file, or of standard input (`-`).
pub fn read_secret(path: &Path) -> Result<Vec<u8>, String> {
    let mut text = String::new();
    let read = match path.as_os_str() == "-" {
        true => {
            let mut line = std::io::stdin().lock().take(LONGEST_SECRET);
            line.read_line(&mut text)
        }
        false => std::fs::File::open(path)
            .and_then(|file| file.take(LONGEST_SECRET).read_to_string(&mut text)),
    };
    read.map_err(|error| error.to_string())?;
    let secret = text.lines().next().unwrap_or_default().trim();
    match secret.len() < 16 {
        true => Err("a secret has at least 16 characters".into()),
        false => Ok(secret.as_bytes().to_vec()),
    }
}

/// A secret that nobody knows yet.
pub fn new_secret() -> Result<String, String> {
    let mut random = [0; 32];
    let read =
        std::fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut random));
    read.map_err(|error| format!("/dev/urandom: {error}"))?;
    Ok(random.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_get_ports() {
        let given = ["a", "b:9", "a", "a:7118", "a"].map(String::from);
        let expected = ["a:7117", "b:9", "a:7118", "a:7118", "a:7119"];
        assert_eq!(addresses(&given, 7117).unwrap(), expected);
    }

    #[test]
    fn addresses_are_listed_or_in_a_file() {
        assert_eq!(hosts("a:1,b:2").unwrap(), ["a:1", "b:2"]);
        assert!(hosts("no-such-file").is_err());
    }
}
