//! Where scenarios are written: beside the model, and never over anything else.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

use crate::format::{FORMAT, Scenario};
use crate::output::{Mark, refuse_foreign, refuse_unwritable, write_text};

/// The name of a model that comes by standard input.
const STANDARD_INPUT: &str = "-";

/// Names of what a process has open.
const STREAMS: [&str; 5] = [
    "/dev/stdin",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/fd",
    "/proc/self/fd",
];

/// How scenarios begin.
const MARK: Mark<'_> = Mark::Document(FORMAT);

/// More scenarios than this go into a folder.
const MOST_BESIDE: usize = 10;

/// Where the scenarios of one verification go.
///
/// Beside the model, as `MODEL.scenario.json`, unless the caller names a file. A file that no check wrote under this name, or that is of
/// another model, is left alone: so are copies, and runs that somebody saved. Where nothing can be written beside the model, a temporary
/// folder is used.
#[derive(Clone, Debug)]
pub struct ScenarioFiles {
    /// What was checked: the file of a model, or a program.
    subject: PathBuf,
    /// The file that the caller named.
    named: Option<PathBuf>,
    /// Is it a program? Its scenarios name it as it was typed, and are written here, for it may lie anywhere.
    is_program: bool,
    /// What stands behind the name of the model: a run at random does not replace what a search found.
    suffix: String,
}

impl ScenarioFiles {
    /// The scenarios of a model, by default beside it.
    pub fn of_model(subject: &Path) -> ScenarioFiles {
        ScenarioFiles {
            subject: subject.into(),
            named: None,
            is_program: false,
            suffix: String::new(),
        }
    }

    /// The scenarios of a model that is checked in several ways, of which this is one: by default in `MODEL.NAME.scenario.json`, with
    /// what has no place in the name of a file replaced.
    pub fn of_variant(subject: &Path, name: &str) -> ScenarioFiles {
        let plain = |letter: char| match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' => letter,
            _ => '-',
        };
        ScenarioFiles {
            suffix: format!(".{}", name.chars().map(plain).collect::<String>()),
            ..ScenarioFiles::of_model(subject)
        }
    }

    /// Where a simulation of a model leaves its steps: by default in `MODEL.run.scenario.json`.
    pub fn of_simulation(subject: &Path) -> ScenarioFiles {
        ScenarioFiles {
            suffix: ".run".into(),
            ..ScenarioFiles::of_model(subject)
        }
    }

    /// The scenarios of a program, by default in the current folder.
    pub fn of_program(subject: &Path) -> ScenarioFiles {
        ScenarioFiles {
            is_program: true,
            ..ScenarioFiles::of_model(subject)
        }
    }

    /// Where stepping through a program leaves its steps: by default in `PROGRAM.run.scenario.json`.
    pub fn of_program_run(subject: &Path) -> ScenarioFiles {
        ScenarioFiles {
            suffix: ".run".into(),
            ..ScenarioFiles::of_program(subject)
        }
    }

    /// The same in a file that the caller names, if one is named; refused if something else would be lost.
    pub fn named(mut self, file: Option<&Path>) -> Result<ScenarioFiles, String> {
        if let Some(file) = file.filter(|file| !is_device(file)) {
            refuse_foreign(file, MARK)
                .and_then(|()| refuse_unwritable(file))
                .map_err(|reason| format!("{}: {reason}", file.display()))?;
        }
        self.named = file.map(Path::to_path_buf);
        Ok(self)
    }

    /// Is there a place for scenarios? Beside a model that comes by standard input or from a device there is none, unless the caller
    /// names a file.
    pub fn have_place(&self) -> bool {
        let is_file = self.subject.as_os_str() != STANDARD_INPUT && !is_device(&self.subject);
        self.named.is_some() || is_file
    }

    /// Keeps a scenario in the file that the caller named. It is the caller's from then on: no check replaces or removes it by itself.
    pub fn keep(&self, scenario: &Scenario) -> io::Result<PathBuf> {
        let Some(named) = &self.named else {
            return Err(io::Error::other("no file is named"));
        };
        self.refuse_lost(named, 0)?;
        self.write_as(named.clone(), scenario, None)
    }

    /// What is to be said of scenario number `index`: that it was not written, or why it is not beside the model.
    pub fn warning_of(&self, written: &io::Result<PathBuf>, index: usize) -> Option<String> {
        let path = match written {
            Err(error) => return Some(format!("cannot write the scenario: {error}")),
            Ok(path) => path,
        };
        if self.named.is_some() || !path.starts_with(self.temporary_folder()) {
            return None;
        }
        let reason = match (self.free(index), index) {
            (None, _) => {
                let taken = name_of(&numbered(Path::new(&self.short_name()), index));
                let of = match self.is_program {
                    true => "an exploration of this program",
                    false => "a check of this model",
                };
                format!("there is a {taken} that is not from {of}")
            }
            (Some(_), 0) => "the folder of the model cannot be written".into(),
            // It was said of the first.
            (Some(_), _) => return None,
        };
        let path = path.display();
        Some(format!("{path} is in a temporary folder: {reason}"))
    }

    /// Writes scenario number `index` of `count`, counted from 0, and says where.
    pub fn write(&self, scenario: &Scenario, index: usize, count: usize) -> io::Result<PathBuf> {
        if let Some(named) = &self.named {
            let path = numbered(named, index);
            self.refuse_lost(&path, index)?;
            return self.write_to(path, scenario);
        }
        let beside = match count > MOST_BESIDE {
            true => self.in_folder(index),
            false => self.free(index),
        };
        let written = match beside {
            Some(path) => self.write_to(path, scenario),
            None => Err(io::ErrorKind::AlreadyExists.into()),
        };
        // The folder of the model may be somebody else's.
        written.or_else(|_| self.write_to(self.temporary(index)?, scenario))
    }

    /// Refuses a file that the caller named, or one numbered after it, if something would be lost. It was not looked at before the search,
    /// or somebody may have written it since. Only the one that was named may be of another model.
    fn refuse_lost(&self, path: &Path, index: usize) -> io::Result<()> {
        let refused = match is_device(path) {
            true => Ok(()),
            false => refuse_foreign(path, MARK),
        };
        let refused = match index == 0 || self.is_free(path) {
            true => refused,
            false => refused.and(Err("it is a scenario of another model".into())),
        };
        refused.map_err(|reason| io::Error::other(format!("{}: {reason}", path.display())))
    }

    /// Removes scenarios of earlier verifications, if they are of this model and the caller says that they are stale: what they show is not
    /// wrong any more.
    pub fn remove_stale(&self, is_stale: impl Fn(&Scenario) -> bool) -> Vec<PathBuf> {
        let firsts = match &self.named {
            Some(named) => vec![named.clone()],
            None => {
                let folders = [self.folder(), self.temporary_folder()];
                folders.map(|folder| folder.join(self.short_name())).into()
            }
        };
        let beside = firsts.iter().flat_map(|first| {
            let paths = (0..MOST_BESIDE).map(|index| numbered(first, index));
            paths.collect::<Vec<_>>()
        });
        let mut in_folder: Vec<PathBuf> = match fs::read_dir(self.many()) {
            Ok(entries) if self.named.is_none() => {
                entries.flatten().map(|entry| entry.path()).collect()
            }
            _ => Vec::new(),
        };
        in_folder.sort();
        let read = |path: &Path| Scenario::from_json(&fs::read(path).ok()?).ok();
        let mut removed: Vec<PathBuf> = beside.chain(in_folder).collect();
        removed.retain(|path| {
            self.is_own(path)
                && read(path).is_some_and(|known| is_stale(&known))
                && fs::remove_file(path).is_ok()
        });
        // A folder of scenarios goes with the last one in it.
        for folder in [self.many(), self.temporary_folder()] {
            if removed.iter().any(|path| path.starts_with(&folder)) {
                let _ = fs::remove_dir(folder);
            }
        }
        removed
    }

    /// `model.scenario.json`, or `model.pml.scenario.json` if that is of another model; none if both are.
    fn free(&self, index: usize) -> Option<PathBuf> {
        let names = [self.short_name(), self.long_name()];
        let mut paths = names.into_iter().map(|name| self.folder().join(name));
        let first = paths.find(|path| self.is_free(path))?;
        let path = numbered(&first, index);
        self.is_free(&path).then_some(path)
    }

    /// A file of its own in the folder `model.scenarios`.
    fn in_folder(&self, index: usize) -> Option<PathBuf> {
        let folder = self.many();
        fs::create_dir_all(&folder).ok()?;
        let path = folder.join(format!("{:03}.scenario.json", index + 1));
        self.is_free(&path).then_some(path)
    }

    /// The folder for many scenarios.
    fn many(&self) -> PathBuf {
        self.folder().join(format!("{}.scenarios", self.stem()))
    }

    /// A file in the temporary folder; none if somebody else's is there.
    fn temporary(&self, index: usize) -> io::Result<PathBuf> {
        let folder = self.temporary_folder();
        fs::create_dir_all(&folder).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", folder.display()))
        })?;
        let path = numbered(&folder.join(self.short_name()), index);
        match self.is_free(&path) {
            true => Ok(path),
            false => Err(io::Error::other(format!(
                "{} is in the way",
                path.display()
            ))),
        }
    }

    /// The same whenever this is verified: a scenario replaces the last one, and no folder is left for each run.
    fn temporary_folder(&self) -> PathBuf {
        let mut hasher = DefaultHasher::new();
        let whole = fs::canonicalize(&self.subject);
        whole
            .unwrap_or_else(|_| self.subject.clone())
            .hash(&mut hasher);
        std::env::temp_dir().join(format!("mazurka-{:016x}", hasher.finish()))
    }

    fn write_to(&self, path: PathBuf, scenario: &Scenario) -> io::Result<PathBuf> {
        let name = name_of(&path);
        self.write_as(path, scenario, Some(name))
    }

    fn write_as(
        &self,
        path: PathBuf,
        scenario: &Scenario,
        name: Option<String>,
    ) -> io::Result<PathBuf> {
        let mut scenario = scenario.clone();
        scenario.written_as = name;
        scenario.model.file = self.subject_from(&path);
        let written = match is_device(&path) {
            true => fs::write(&path, scenario.to_json()),
            false => write_text(&path, &scenario.to_json()),
        };
        match written {
            Ok(()) => Ok(path),
            Err(error) => Err(io::Error::new(
                error.kind(),
                format!("{}: {error}", path.display()),
            )),
        }
    }

    /// The model as a scenario at `path` names it: a relative path counts from the scenario's folder.
    fn subject_from(&self, path: &Path) -> String {
        if self.is_program {
            return self.subject.to_string_lossy().into_owned();
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let name = self.subject.file_name().unwrap_or_default();
        let same = |a: &Path, b: &Path| {
            let whole = |path: &Path| match path.as_os_str().is_empty() {
                true => fs::canonicalize("."),
                false => fs::canonicalize(path),
            };
            matches!((whole(a), whole(b)), (Ok(a), Ok(b)) if a == b)
        };
        let file = match same(folder, &self.folder()) {
            true => PathBuf::from(name),
            false => std::path::absolute(&self.subject).unwrap_or_else(|_| self.subject.clone()),
        };
        file.to_string_lossy().into_owned()
    }

    /// Is there nothing, or a scenario that a check of this model wrote? A link that leads nowhere is something.
    fn is_free(&self, path: &Path) -> bool {
        fs::symlink_metadata(path).is_err() || self.is_own(path)
    }

    /// Is there a scenario that a check of this model wrote under this name? It may be replaced.
    fn is_own(&self, path: &Path) -> bool {
        // Reading what is no file may never end.
        if refuse_foreign(path, MARK).is_err() {
            return false;
        }
        let Ok(bytes) = fs::read(path) else {
            return false;
        };
        let Ok(scenario) = Scenario::from_json(&bytes) else {
            return false;
        };
        if scenario.written_as != Some(name_of(path)) {
            return false;
        }
        if self.is_program {
            return scenario.model.file == self.subject_from(path);
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let theirs = fs::canonicalize(folder.join(&scenario.model.file));
        let own = fs::canonicalize(&self.subject);
        match (theirs, own) {
            (Ok(theirs), Ok(own)) => theirs == own,
            // The other model is gone, or never was a file: names must do.
            _ => scenario.model.file == self.subject_from(path),
        }
    }

    fn folder(&self) -> PathBuf {
        let folder = match self.subject.parent() {
            Some(folder) if !self.is_program => folder.to_path_buf(),
            _ => PathBuf::new(),
        };
        // A name that begins as an option does could not be typed again.
        let name = self.subject.file_name().unwrap_or_default();
        match folder.as_os_str().is_empty() && name.as_encoded_bytes().starts_with(b"-") {
            true => PathBuf::from("."),
            false => folder,
        }
    }

    fn stem(&self) -> String {
        let stem = self.subject.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }

    fn short_name(&self) -> String {
        format!("{}{}.scenario.json", self.stem(), self.suffix)
    }

    fn long_name(&self) -> String {
        let name = self.subject.file_name().unwrap_or_default();
        format!("{}{}.scenario.json", name.to_string_lossy(), self.suffix)
    }
}

/// Says which scenarios are gone, since what they showed does not happen any more.
pub fn removed_words(removed: &[PathBuf]) -> Option<String> {
    let mut names = Vec::new();
    let mut rest = removed;
    while let [path, ..] = rest {
        let folder = path.parent();
        let count = rest.iter().take_while(|other| other.parent() == folder);
        let count = count.count();
        // There may be thousands in a folder, with names that tell nothing.
        match folder.filter(|_| count > MOST_BESIDE) {
            Some(folder) => {
                names.push(format!("{count} scenarios in {}", folder.display()));
                rest = &rest[count..];
            }
            None => {
                names.push(path.display().to_string());
                rest = &rest[1..];
            }
        }
    }
    let last = names.pop()?;
    Some(match (names.is_empty(), removed.len()) {
        (true, 1) => format!("{last} was removed: what it showed is fixed"),
        (true, _) => format!("{last} were removed: what they showed is fixed"),
        (false, _) => {
            let before = names.join(", ");
            format!("{before} and {last} were removed: what they showed is fixed")
        }
    })
}

/// Is it there, and neither a file nor a folder? What is written to `/dev/null` replaces nothing, and cannot be read again. A pipe with a
/// name is none: whoever opens it waits until somebody reads from it.
pub fn is_device(path: &Path) -> bool {
    let is_other = |known: fs::Metadata| {
        let is_pipe = is_pipe(&known);
        !known.is_file() && !known.is_dir() && !is_pipe
    };
    // Behind these there may be a file, of another name.
    STREAMS.iter().any(|stream| path.starts_with(stream)) || fs::metadata(path).is_ok_and(is_other)
}

#[cfg(unix)]
fn is_pipe(known: &fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&known.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_: &fs::Metadata) -> bool {
    false
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The path of the first scenario, and of the further ones with a number.
fn numbered(first: &Path, index: usize) -> PathBuf {
    // Beside a device there is no place: all go there.
    if index == 0 || is_device(first) {
        return first.into();
    }
    let name = first.file_name().unwrap_or_default().to_string_lossy();
    let (stem, extension) = match name.strip_suffix(".scenario.json") {
        Some(stem) => (stem.to_string(), ".scenario.json".to_string()),
        None => match name.rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() => (stem.into(), format!(".{extension}")),
            _ => (name.into_owned(), String::new()),
        },
    };
    first.with_file_name(format!("{stem}-{}{extension}", index + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Model, VERSION};

    /// A new folder, which is gone after the test.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let name = format!("mazurka-placing-{name}-{}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            fs::create_dir_all(&folder).unwrap();
            Folder(folder)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    impl std::ops::Deref for Folder {
        type Target = Path;

        fn deref(&self) -> &Path {
            &self.0
        }
    }

    fn scenario() -> Scenario {
        Scenario {
            format: FORMAT.into(),
            version: VERSION,
            written_as: None,
            model: Model {
                file: String::new(),
                language: "promela".into(),
                defines: Vec::new(),
                formula: None,
                hash: String::new(),
                optimize: false,
                racing: Vec::new(),
                spurious: false,
                preload: false,
            },
            violation: None,
            loop_from: None,
            steps: Vec::new(),
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_device_takes_all_scenarios() {
        let nowhere = Path::new("/dev/null");
        for index in [0, 1, 63] {
            assert_eq!(numbered(nowhere, index), nowhere);
        }
    }

    #[test]
    fn models_of_one_name_have_scenarios_of_their_own() {
        let folder = Folder::new("names");
        for name in ["m.pml", "m.efsm"] {
            fs::write(folder.join(name), "").unwrap();
        }
        let write = |name: &str| {
            let files = ScenarioFiles::of_model(&folder.join(name));
            files.write(&scenario(), 0, 1).unwrap()
        };
        assert_eq!(write("m.pml"), folder.join("m.scenario.json"));
        assert_eq!(write("m.efsm"), folder.join("m.efsm.scenario.json"));
        assert_eq!(write("m.pml"), folder.join("m.scenario.json"));
        let files = ScenarioFiles::of_model(&folder.join("m.efsm"));
        assert!(files.remove_stale(|_| true).is_empty());
        let files = ScenarioFiles::of_model(&folder.join("m.pml"));
        assert_eq!(
            files.remove_stale(|_| true),
            [folder.join("m.scenario.json")]
        );
        assert!(!folder.join("m.scenario.json").exists());
    }

    #[test]
    fn nothing_else_is_lost() {
        let folder = Folder::new("foreign");
        let model = folder.join("m.pml");
        fs::write(&model, "active proctype P() { skip }").unwrap();
        fs::write(folder.join("m.scenario.json"), "my own").unwrap();
        let files = ScenarioFiles::of_model(&model);
        let path = files.write(&scenario(), 0, 1).unwrap();
        assert_eq!(path, folder.join("m.pml.scenario.json"));
        fs::write(&path, "mine too").unwrap();
        let path = files.write(&scenario(), 0, 1).unwrap();
        assert!(!path.starts_with(&*folder), "{path:?}");
        assert_eq!(files.write(&scenario(), 0, 1).unwrap(), path);
        assert_eq!(files.remove_stale(|_| true), std::slice::from_ref(&path));
        assert!(!path.parent().unwrap().exists(), "{path:?}");
        assert_eq!(fs::read(folder.join("m.scenario.json")).unwrap(), b"my own");
        assert!(ScenarioFiles::of_model(&model).named(Some(&model)).is_err());
    }

    #[test]
    fn what_is_no_file_has_no_place_of_its_own() {
        let folder = Folder::new("devices");
        for model in ["-", "/dev/null", "/dev/stdin"] {
            let files = ScenarioFiles::of_model(Path::new(model));
            assert!(!files.have_place());
            let named = files.named(Some(&folder.join("own.json"))).unwrap();
            assert!(named.have_place());
        }
        assert!(ScenarioFiles::of_model(Path::new("m.pml")).have_place());
    }

    #[test]
    fn a_name_like_an_option_can_be_typed_again() {
        let files = ScenarioFiles::of_model(Path::new("-m.pml"));
        assert_eq!(files.free(0), Some("./-m.scenario.json".into()));
        let files = ScenarioFiles::of_model(Path::new("m.pml"));
        assert_eq!(files.free(0), Some("m.scenario.json".into()));
    }

    #[test]
    fn many_go_into_a_folder() {
        let folder = Folder::new("many");
        let model = folder.join("m.pml");
        fs::write(&model, "").unwrap();
        let files = ScenarioFiles::of_model(&model);
        let path = files.write(&scenario(), 20, 30).unwrap();
        assert_eq!(path, folder.join("m.scenarios").join("021.scenario.json"));
        let named = files.named(Some(&folder.join("own.json"))).unwrap();
        let path = named.write(&scenario(), 2, 3).unwrap();
        assert_eq!(path, folder.join("own-3.json"));
    }

    #[test]
    fn all_that_is_stale_is_removed() {
        let folder = Folder::new("stale");
        let model = folder.join("m.pml");
        fs::write(&model, "").unwrap();
        let files = ScenarioFiles::of_model(&model);
        let write = |index, count| files.write(&scenario(), index, count).unwrap();
        let mut paths: Vec<PathBuf> = (0..3).map(|index| write(index, 3)).collect();
        paths.extend((0..2).map(|index| write(index, 20)));
        fs::write(folder.join("m-2.scenario.json"), "my own").unwrap();
        let foreign = paths.remove(1);
        assert_eq!(files.remove_stale(|_| true), paths);
        let words = removed_words(&paths[..2]).unwrap();
        assert!(words.contains("m.scenario.json and "), "{words}");
        let many: Vec<PathBuf> = (0..64).map(|n| folder.join(format!("{n}.json"))).collect();
        let words = removed_words(&[&paths[..1], &many].concat()).unwrap();
        assert!(words.contains("65 scenarios in "), "{words}");
        assert!(foreign.exists() && !folder.join("m.scenarios").exists());
    }

    #[test]
    fn copies_and_what_somebody_saved_stay() {
        let folder = Folder::new("saved");
        let model = folder.join("m.pml");
        fs::write(&model, "").unwrap();
        let files = ScenarioFiles::of_model(&model);
        let first = files.write(&scenario(), 0, 1).unwrap();
        let copy = folder.join("m-2.scenario.json");
        fs::copy(&first, &copy).unwrap();
        let written = files.write(&scenario(), 1, 2).unwrap();
        assert!(!written.starts_with(&*folder), "{written:?}");
        let warning = |path: &PathBuf| files.warning_of(&Ok(path.clone()), 1);
        assert!(warning(&written).is_some() && warning(&first).is_none());
        assert_eq!(files.remove_stale(|_| true), [first.clone(), written]);
        assert!(copy.exists());

        let named = files.clone().named(Some(&first)).unwrap();
        named.keep(&scenario()).unwrap();
        assert_eq!(
            files.write(&scenario(), 0, 1).unwrap(),
            folder.join("m.pml.scenario.json")
        );
        assert!(named.remove_stale(|_| true).is_empty() && first.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_with_a_name_is_no_device() {
        let folder = Folder::new("pipe");
        let pipe = folder.0.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if made.is_ok_and(|status| status.success()) {
            assert!(!is_device(&pipe));
            assert!(refuse_foreign(&pipe, MARK).is_err());
        }
        assert!(is_device(Path::new("/dev/null")));
    }

    #[test]
    fn numbers_behind_a_name_destroy_nothing() {
        let folder = Folder::new("numbers");
        let (model, other) = (folder.join("m.pml"), folder.join("other.pml"));
        fs::write(&model, "").unwrap();
        fs::write(&other, "").unwrap();
        let files = |model: &Path| {
            let files = ScenarioFiles::of_model(model);
            files.named(Some(&folder.join("s.json"))).unwrap()
        };
        files(&other).write(&scenario(), 2, 3).unwrap();
        fs::write(folder.join("s-2.json"), "my own").unwrap();
        let files = files(&model);
        // Somebody else writes it while the search runs.
        fs::write(folder.join("s.json"), "mine too").unwrap();
        for index in 0..3 {
            assert!(files.write(&scenario(), index, 4).is_err(), "{index}");
        }
        assert_eq!(fs::read(folder.join("s-2.json")).unwrap(), b"my own");
        for _ in 0..2 {
            files.write(&scenario(), 3, 4).unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn nobody_waits_for_a_pipe_beside_a_model() {
        let folder = Folder::new("beside");
        let model = folder.join("m.pml");
        fs::write(&model, "").unwrap();
        let pipe = folder.join("m.scenario.json");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if made.is_ok_and(|status| status.success()) {
            let files = ScenarioFiles::of_model(&model);
            let path = files.write(&scenario(), 0, 1).unwrap();
            assert_eq!(path, folder.join("m.pml.scenario.json"));
            assert_eq!(files.remove_stale(|_| true).len(), 0);
        }
    }
}
