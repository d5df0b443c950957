//! How much memory there is.

/// Where nothing can be found out, assume a small machine.
const UNKNOWN_MEMORY: u64 = 1 << 30;

/// Three quarters of the memory that is available: to the machine, to the container, and to this process (`ulimit -v`).
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
    let process = addresses_in(&read("/proc/self/limits"), &read("/proc/self/status"));
    let available = [machine, version_2, version_1, process];
    let available = available.into_iter().flatten().min();
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

/// What a process may still take, if its addresses are limited. Half of them: not all that it takes is used.
fn addresses_in(limits: &str, status: &str) -> Option<u64> {
    let mut lines = limits.lines();
    let line = lines.find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    let taken = kilobytes_in(status, "VmSize:").unwrap_or(0);
    Some(limit.saturating_sub(taken) / 2)
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

    #[test]
    fn memory_of_the_process() {
        let limits = |soft: &str| format!("Max address space         {soft}   unlimited   bytes\n");
        let status = "VmPeak:  9 kB\nVmSize:\t       2 kB\n";
        assert_eq!(addresses_in(&limits("10240"), status), Some(4096));
        assert_eq!(addresses_in(&limits("1024"), status), Some(0));
        assert_eq!(addresses_in(&limits("unlimited"), status), None);
        assert_eq!(addresses_in("", ""), None);
    }
}
