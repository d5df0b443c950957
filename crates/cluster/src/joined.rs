//! A member as a check needs it: it meets the others for each search, keeps its part, and says how far all are.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::Duration;

use mazurka_checker::figures::{bytes, counted};
use mazurka_checker::{Config, Loaded};
use mazurka_scenario::{fingerprint, shell_command};
use mazurka_search::divided::{Company, Figures};

use crate::folder::{About, Folder};
use crate::handshake::Agreement;
use crate::hosts::{hosts, read_secret};
use crate::members::{Meeting, Member};

/// A member that takes part in the searches of a check.
pub struct Joined {
    member: Member,
    kept: Option<Kept>,
    meeting: Weak<Meeting>,
    /// What was last said of all members.
    said: String,
}

/// Where a search is kept.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The folder.
    pub path: PathBuf,
    /// How often levels are committed.
    pub every: Duration,
    /// What was typed; nothing if the search in the folder is resumed.
    pub words: Option<Vec<String>>,
}

impl Joined {
    /// Member number `me`, counted from 0, of those at these addresses, which are a list or in a file. The secret is in a file too.
    pub fn new(
        cluster: &str,
        me: usize,
        secret: Option<&Path>,
        wait: Duration,
        kept: Option<Kept>,
    ) -> Result<Joined, String> {
        let wrong = |reason: String| format!("--cluster {cluster}: {reason}");
        let hosts = hosts(cluster).map_err(wrong)?;
        let secret = match secret {
            None => Vec::new(),
            Some(path) => read_secret(path)
                .map_err(|reason| format!("--cluster-secret {}: {reason}", path.display()))?,
        };
        Ok(Joined {
            member: Member::new(hosts, me, secret, wait).map_err(wrong)?,
            kept,
            meeting: Weak::new(),
            said: String::new(),
        })
    }

    /// What was last said of all members.
    pub fn said(&self) -> &str {
        &self.said
    }

    /// Meets the others, if all want the same. Of the searches of a check, the first one may be kept.
    pub fn meet(
        &mut self,
        config: &Config,
        model: &Loaded,
        may_be_kept: bool,
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
        let folder = match may_be_kept {
            true => self.folder(&compared, &agreement)?,
            false => None,
        };
        let meeting = self.member.meet(&agreement)?.kept_in(folder);
        let meeting = Arc::new(meeting);
        self.meeting = Arc::downgrade(&meeting);
        Ok(meeting)
    }

    /// Where the search is kept, if it is.
    fn folder(&self, config: &Config, of: &Agreement) -> Result<Option<Folder>, String> {
        let Some(Kept { path, every, words }) = &self.kept else {
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
        let folder = match words.clone() {
            None => Folder::open(path, &identity, *every),
            Some(words) => {
                let folder = std::env::current_dir().unwrap_or_default();
                let about = About {
                    identity,
                    words,
                    folder,
                };
                Folder::create(path, &about, *every)
            }
        };
        let folder = folder.map_err(|reason| format!("--checkpoint: {reason}"))?;
        Ok(Some(folder))
    }

    /// What there is to say about the folder of a search that did not come to its end.
    pub fn kept(&self) -> Option<String> {
        let path = &self.kept.as_ref()?.path;
        let meeting = self.meeting.upgrade();
        let folder = meeting.as_ref().and_then(|meeting| meeting.folder());
        let trouble = folder.and_then(Folder::trouble);
        let trouble =
            trouble.map(|reason| format!("warning: the search is not kept any more: {reason}\n"));
        let kept = match Folder::has_commits(path) {
            true => {
                let command = resume_command(self.member.names(), path);
                format!("the search is saved; resume it with: {command}\n")
            }
            false => "nothing of the search is saved, since no level was committed yet; \
                --checkpoint-every says how often that is done\n"
                .into(),
        };
        Some(trouble.unwrap_or_default() + &kept)
    }

    /// What a line about progress says of all members.
    pub fn figures(&mut self) -> String {
        if let Some(meeting) = self.meeting.upgrade() {
            self.said = self.of_members(&meeting.figures());
        }
        format!("; {}", self.said)
    }

    fn of_members(&self, figures: &Figures) -> String {
        let members = self.member.names().len().max(1);
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
            "{}, {} sent, fullest {}, balance {:.2}",
            counted(members as u64, "member"),
            bytes(figures.sent),
            bytes(taken),
            if mean > 0.0 { most / mean } else { 1.0 },
        )
    }
}

/// What resumes the search in a folder by members at these addresses.
pub fn resume_command(hosts: &[String], folder: &Path) -> String {
    let hosts = hosts.join(",");
    let words = [
        "mazurka", "cluster", "run", "--hosts", &hosts, "--", "resume",
    ];
    let words = words.map(OsStr::new).into_iter();
    shell_command(words.chain([folder.as_os_str()]))
}
