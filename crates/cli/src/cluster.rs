//! Checks on several machines: a member of a cluster, and `mazurka cluster run`, which starts all of them.

use std::io::Read;
use std::net::{TcpListener, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Weak};
use std::time::Duration;

use mazurka_checker::figures::bytes;
use mazurka_checker::{Config, Loaded};
use mazurka_cluster::{About, Agreement, Folder, Launched, Meeting, Member, stop_with_launcher};
use mazurka_scenario::fingerprint;
use mazurka_search::divided::{Company, Figures};

use crate::Exit;
use crate::arguments::{ClusterArguments, ClusterCommand, RunArguments, SearchArguments};
use crate::interrupt;
use crate::supervision::words_typed;
use crate::terminal::complain;
use crate::trouble::Trouble;

/// No secret is longer.
const LONGEST_SECRET: u64 = 1 << 12;
/// Stands for the exit code of a member that was killed.
const LOST: i32 = -1;

/// A member of a cluster that this process is.
pub struct Joined {
    member: Member,
    /// The folder of the search, how often it is committed, and whether it is resumed.
    kept: Option<(PathBuf, Duration, bool)>,
    meeting: Weak<Meeting>,
    /// What was last said of all members.
    pub said: String,
}

impl Joined {
    /// As the options say.
    pub fn new(how: &SearchArguments) -> Result<Joined, String> {
        let cluster = how.cluster.as_deref().unwrap_or_default();
        let hosts = hosts(cluster).map_err(|reason| format!("--cluster {cluster}: {reason}"))?;
        let secret = match &how.cluster_secret {
            None => Vec::new(),
            Some(path) => read_secret(path)
                .map_err(|reason| format!("--cluster-secret {}: {reason}", path.display()))?,
        };
        if how.cluster_secret.as_deref() == Some(Path::new("-")) {
            stop_with_launcher(interrupt::shared());
        }
        let me = how.member.unwrap_or(1) as usize - 1;
        let member = Member::new(hosts, me, secret, how.cluster_wait);
        let member = member.map_err(|reason| format!("--cluster {cluster}: {reason}"))?;
        let kept = how.checkpoint.clone();
        Ok(Joined {
            member,
            kept: kept.map(|path| (path, how.checkpoint_every, how.resumes)),
            meeting: Weak::new(),
            said: String::new(),
        })
    }

    /// Meets the others, if all want the same.
    pub fn meet(
        &mut self,
        config: &Config,
        model: &Loaded,
    ) -> Result<Arc<dyn Company + Send>, String> {
        // Machines may have more memory than others.
        let compared = Config {
            memory: None,
            ..config.clone()
        };
        let options = serde_json::to_string_pretty(&compared).map_err(|error| error.to_string())?;
        let program = model.program().to_string();
        let agreement = Agreement {
            version: env!("CARGO_PKG_VERSION").into(),
            model: fingerprint([program.as_str()]),
            options,
            workers: config.jobs() as usize,
        };
        let folder = self.folder(&compared, &agreement)?;
        let meeting = self.member.meet(&agreement)?.kept_in(folder);
        let meeting = Arc::new(meeting);
        self.meeting = Arc::downgrade(&meeting);
        Ok(meeting)
    }

    /// Where the search is kept, if it is.
    fn folder(&self, config: &Config, of: &Agreement) -> Result<Option<Folder>, String> {
        let Some((path, every, resumes)) = &self.kept else {
            return Ok(None);
        };
        // Another number of workers may resume it, in another time.
        let deciding = Config {
            jobs: None,
            time: None,
            ..config.clone()
        };
        let options = serde_json::to_string(&deciding).map_err(|error| error.to_string())?;
        let identity = fingerprint([of.version.as_str(), &of.model, &options]);
        let folder = match resumes {
            true => Folder::open(path, &identity, *every),
            false => Folder::create(
                path,
                &About {
                    identity,
                    words: words_typed().map_err(|error| error.to_string())?,
                    folder: std::env::current_dir().unwrap_or_default(),
                },
                *every,
            ),
        };
        let folder = folder.map_err(|reason| format!("--checkpoint: {reason}"))?;
        Ok(Some(folder))
    }

    /// What there is to say about the folder of a search that did not come to its end.
    pub fn kept(&self) -> Option<String> {
        let (path, _, _) = self.kept.as_ref()?;
        let meeting = self.meeting.upgrade();
        let folder = meeting.as_ref().and_then(|meeting| meeting.folder());
        let trouble = folder.and_then(Folder::trouble);
        let trouble =
            trouble.map(|reason| format!("warning: the search is not kept any more: {reason}\n"));
        let shown = path.display();
        let kept = Folder::has_commits(path).then(|| {
            format!("the search is saved; resume it with: mazurka cluster run --hosts HOSTS -- resume {shown}\n")
        });
        Some(trouble.unwrap_or_default() + &kept.unwrap_or_default())
    }

    /// What a line about progress says of all members.
    pub fn figures(&mut self) -> String {
        if let Some(meeting) = self.meeting.upgrade() {
            self.said = self.of_members(&meeting.figures());
        }
        format!("; {}", self.said)
    }

    fn of_members(&self, figures: &Figures) -> String {
        let members = self.member.members().max(1);
        let workers = figures.states.len() / members;
        let of_members = |numbers: &[u64]| -> Vec<u64> {
            let parts = numbers.chunks(workers.max(1));
            parts.map(|part| part.iter().sum()).collect()
        };
        let states = of_members(&figures.states);
        let taken = of_members(&figures.bytes).into_iter().max().unwrap_or(0);
        let mean = states.iter().sum::<u64>() as f64 / members as f64;
        let most = states.iter().max().copied().unwrap_or(0) as f64;
        format!(
            "{members} members, {} sent, fullest {}, balance {:.2}",
            bytes(figures.sent),
            bytes(taken),
            if mean > 0.0 { most / mean } else { 1.0 },
        )
    }
}

/// The addresses in a file, or those that are given.
fn hosts(given: &str) -> Result<Vec<String>, String> {
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

/// The first line of a file, or of standard input.
fn read_secret(path: &Path) -> Result<Vec<u8>, String> {
    let mut text = String::new();
    let read = match path.as_os_str() == "-" {
        true => {
            let mut line = std::io::stdin().lock().take(LONGEST_SECRET);
            std::io::BufRead::read_line(&mut line, &mut text)
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

/// Runs the command.
pub fn cluster(arguments: &ClusterArguments) -> Result<Exit, Trouble> {
    let ClusterCommand::Run(arguments) = &arguments.command;
    run(arguments)
}

/// Starts all members and waits for them.
fn run(arguments: &RunArguments) -> Result<Exit, Trouble> {
    let first = arguments.arguments.first().map(String::as_str);
    if !matches!(first, Some("check" | "resume")) {
        let message = "a cluster runs `check` or `resume` and its arguments, such as -- check model.pml --search bfs";
        return Err(Trouble::Usage(message.into()));
    }
    let addresses = addresses(&arguments.hosts, arguments.port).map_err(Trouble::Usage)?;
    let kept = folder_of(&arguments.arguments);
    if arguments.auto_resume.is_some() && kept.is_none() {
        let message = "--auto-resume needs `check` with --checkpoint, or `resume`";
        return Err(Trouble::Usage(message.into()));
    }
    let mut words = arguments.arguments.clone();
    for left in (0..=arguments.auto_resume.unwrap_or(0)).rev() {
        let codes = run_once(arguments, &addresses, &words)?;
        // Who ends by itself says how.
        let is_lost = codes.iter().any(|code| !(0..=3).contains(code));
        match &kept {
            Some(folder)
                if is_lost
                    && left > 0
                    && !interrupt::requested()
                    && Folder::has_commits(Path::new(folder)) =>
            {
                complain("a member is lost; the search is resumed\n");
                words = vec!["resume".into(), folder.clone()];
            }
            _ => return Ok(exit_of(&codes)),
        }
    }
    Ok(Exit::Inconclusive)
}

/// The folder in which a command keeps its search.
fn folder_of(words: &[String]) -> Option<String> {
    if words.first().is_some_and(|word| word == "resume") {
        return words.get(1).cloned();
    }
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if word == "--checkpoint" {
            return rest.next().cloned();
        }
        if let Some(folder) = word.strip_prefix("--checkpoint=") {
            return Some(folder.into());
        }
    }
    None
}

/// Starts all members with these words, and waits for their exit codes.
fn run_once(
    arguments: &RunArguments,
    addresses: &[String],
    words: &[String],
) -> Result<Vec<i32>, Trouble> {
    let secret = new_secret().map_err(Trouble::Usage)?;
    let mut launched = Launched::default();
    for (number, address) in addresses.iter().enumerate() {
        let command = member_command(arguments, (addresses, words), number);
        let started = command.and_then(|command| launched.start(command, &secret));
        started.map_err(|reason| {
            let message = format!("cannot start member {} at {address}: {reason}", number + 1);
            Trouble::Usage(message)
        })?;
    }
    let codes = launched.wait(interrupt::watch());
    for number in (0..codes.len()).filter(|number| codes[*number].is_none()) {
        complain(&format!("member {} was ended\n", number + 1));
    }
    let codes = codes.into_iter();
    Ok(codes.map(|code| code.unwrap_or(LOST)).collect())
}

/// What all members together say: their common word, or that they have none.
fn exit_of(codes: &[i32]) -> Exit {
    let all_say = |code: i32| codes.iter().all(|other| *other == code);
    match codes {
        _ if all_say(0) => Exit::Holds,
        _ if all_say(1) => Exit::Violated,
        _ if codes.contains(&2) => Exit::Refused,
        _ => Exit::Inconclusive,
    }
}

/// Each host with a port; a host that is given again gets the next one.
fn addresses(hosts: &[String], first: u16) -> Result<Vec<String>, String> {
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

/// Is an address one of this machine?
fn is_here(address: &str) -> bool {
    let mut found = address.to_socket_addrs().into_iter().flatten();
    found.any(|address| TcpListener::bind((address.ip(), 0)).is_ok())
}

/// What starts a member.
fn member_command(
    arguments: &RunArguments,
    (addresses, words): (&[String], &[String]),
    number: usize,
) -> std::io::Result<Command> {
    let address = &addresses[number];
    let mut words = words.to_vec();
    words.extend([
        "--cluster".into(),
        addresses.join(","),
        "--member".into(),
        (number + 1).to_string(),
        "--cluster-secret".into(),
        "-".into(),
    ]);
    // One verdict is enough; what goes wrong is told by all.
    let is_quiet = words.iter().any(|word| word == "--quiet" || word == "-q");
    if number > 0 && !is_quiet {
        words.push("--quiet".into());
    }
    let mut command = match is_here(address) {
        true => {
            let mut command = Command::new(std::env::current_exe()?);
            command.args(&words);
            command
        }
        false => {
            let host = address
                .rsplit_once(':')
                .map_or(&**address, |(host, _)| host);
            let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
            let mut command = Command::new(&arguments.ssh);
            command.arg(host).arg("--");
            command.arg(format!(
                "{} {}",
                quoted_path(&arguments.remote),
                quoted.join(" ")
            ));
            command
        }
    };
    if number > 0 {
        command.stdout(Stdio::null());
    }
    Ok(command)
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A path as a shell takes it; `~` stays what it is.
fn quoted_path(path: &str) -> String {
    match path.strip_prefix("~/") {
        Some(rest) => format!("~/{}", quoted(rest)),
        None => quoted(path),
    }
}

/// A secret that nobody knows yet.
fn new_secret() -> Result<String, String> {
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
    fn words_survive_a_shell() {
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted_path("~/bin/mazurka"), "~/'bin/mazurka'");
    }

    #[test]
    fn folders_are_found_among_words() {
        let of = |words: &[&str]| {
            folder_of(
                &words
                    .iter()
                    .map(|word| word.to_string())
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(of(&["resume", "d"]), Some("d".into()));
        assert_eq!(
            of(&["check", "m.pml", "--checkpoint", "d"]),
            Some("d".into())
        );
        assert_eq!(of(&["check", "--checkpoint=d", "m.pml"]), Some("d".into()));
        assert_eq!(of(&["check", "m.pml"]), None);
    }

    #[test]
    fn one_code_for_all() {
        assert_eq!(exit_of(&[0, 0]), Exit::Holds);
        assert_eq!(exit_of(&[1, 1]), Exit::Violated);
        assert_eq!(exit_of(&[3, 3]), Exit::Inconclusive);
        assert_eq!(exit_of(&[0, 3]), Exit::Inconclusive);
        assert_eq!(exit_of(&[2, 3]), Exit::Refused);
    }

    #[test]
    fn addresses_are_listed_or_in_a_file() {
        assert_eq!(hosts("a:1,b:2").unwrap(), ["a:1", "b:2"]);
        assert!(hosts("no-such-file").is_err());
    }
}
