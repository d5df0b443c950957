//! How much memory there is.

/// Where nothing can be found out, assume a small machine.
const UNKNOWN_MEMORY: u64 = 1 << 30;

/// Three quarters of the memory that is available: to the machine, and to the container.
pub fn available_memory() -> u64 {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let number = |path: &str| read(path).trim().parse::<u64>().ok();
    let machine = available_in(&read("/proc/meminfo"));
    let version_2 = number("/sys/fs/cgroup/memory.max")
        .map(|limit| limit.saturating_sub(number("/sys/fs/cgroup/memory.current").unwrap_or(0)));
    let version_1 = number("/sys/fs/cgroup/memory/memory.limit_in_bytes").map(|limit| {
        let used = number("/sys/fs/cgroup/memory/memory.usage_in_bytes").unwrap_or(0);
        limit.saturating_sub(used)
    });
    let available = [machine, version_2, version_1].into_iter().flatten().min();
    available.unwrap_or(UNKNOWN_MEMORY) / 4 * 3
}

/// All memory of this machine, or of the container that this is in, if that is known.
pub(crate) fn all_memory() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let number = |path: &str| read(path).trim().parse::<u64>().ok();
    let machine = kilobytes_in(&read("/proc/meminfo"), "MemTotal:");
    let container = number("/sys/fs/cgroup/memory.max");
    [machine, container].into_iter().flatten().min()
}

fn available_in(meminfo: &str) -> Option<u64> {
    kilobytes_in(meminfo, "MemAvailable:")
}

fn kilobytes_in(meminfo: &str, name: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_the_machine() {
        let meminfo = "MemTotal:  100 kB\nMemAvailable:      64 kB\n";
        assert_eq!(available_in(meminfo), Some(64 * 1024));
        assert_eq!(available_in("MemTotal: 100 kB"), None);
        assert!(available_memory() > 0);
    }
}
