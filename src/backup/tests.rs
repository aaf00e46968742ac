//! Tests of the format and of its promises: a point that exists is whole, and what was changed is never restored.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Mutex;
use std::time::Duration;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::store::{Entity, StoreOptions};

/// A record that is only there to fill a file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
struct Note {
    id: u64,
    text: Vec<u8>,
}

impl Entity for Note {
    const TABLE: &'static str = "note";
    const INDEXES: &'static [&'static crate::store::Index<Note>] = &[];

    fn id(&self) -> u64 {
        self.id
    }

    fn scope(&self) -> u64 {
        0
    }
}

/// A place of objects in memory that fails when its calls are used up.
#[derive(Debug, Default)]
struct Memory {
    objects: Mutex<BTreeMap<String, Vec<u8>>>,
    calls_left: Mutex<Option<u64>>,
}

impl Memory {
    fn call(&self, name: &str) -> Result<(), ObjectsError> {
        match &mut *self.calls_left.lock().unwrap() {
            Some(0) => {
                let reason = "the line is cut".to_owned();
                Err(ObjectsError::Failed { place: self.place(), name: name.to_owned(), reason })
            }
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn cut_after(&self, calls: Option<u64>) {
        *self.calls_left.lock().unwrap() = calls;
    }

    fn names(&self, prefix: &str) -> Vec<String> {
        let objects = self.objects.lock().unwrap();
        objects.keys().filter(|name| name.starts_with(prefix)).cloned().collect()
    }

    fn change(&self, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
        change(self.objects.lock().unwrap().get_mut(name).unwrap());
    }
}

impl Objects for Memory {
    fn place(&self) -> String {
        format!("memory {self:p}")
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), ObjectsError> {
        self.call(name)?;
        self.objects.lock().unwrap().insert(name.to_owned(), bytes.to_vec());
        Ok(())
    }

    fn get(&self, name: &str) -> Result<Vec<u8>, ObjectsError> {
        self.call(name)?;
        let (place, key) = (self.place(), name.to_owned());
        let found = self.objects.lock().unwrap().get(name).cloned();
        found.ok_or(ObjectsError::NotFound { place, name: key })
    }

    fn list(&self, prefix: &str) -> Result<Vec<Listed>, ObjectsError> {
        self.call(prefix)?;
        let objects = self.objects.lock().unwrap();
        let found = objects.iter().filter(|(name, _)| name.starts_with(prefix));
        Ok(found.map(|(name, bytes)| Listed { name: name.clone(), bytes: bytes.len() as u64 }).collect())
    }

    fn delete(&self, name: &str) -> Result<(), ObjectsError> {
        self.call(name)?;
        self.objects.lock().unwrap().remove(name);
        Ok(())
    }
}

/// A data file with notes, and a target for it.
struct Case {
    folder: TempDir,
    store: Store,
    clock: Clock,
    secrets: Secrets,
    memory: Arc<Memory>,
    target: Target,
}

fn text_of(id: u64, version: u64) -> Vec<u8> {
    // Nothing that compresses well: half of it is a hash.
    let hash = crate::secret::sha256(&[id, version].map(u64::to_be_bytes).concat());
    [hash.as_slice(), &[7; 32]].concat().repeat(12)
}

impl Case {
    fn new(notes: u64) -> Case {
        Case::with_key(notes, None)
    }

    fn with_key(notes: u64, key: Option<&str>) -> Case {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("data"), StoreOptions::default()).unwrap();
        let memory = Arc::new(Memory::default());
        let target = Target::of_objects(Arc::clone(&memory) as Arc<dyn Objects>);
        let target = target.with_key(key.map(|key| KeyFile::parse(key).unwrap()));
        let clock = Clock::manual(Timestamp::from_ms(1_795_000_000_000));
        let case = Case { folder, store, clock, secrets: Secrets::system(), memory, target };
        case.write(0..notes, 0);
        case
    }

    fn write(&self, ids: impl Iterator<Item = u64>, version: u64) {
        let ids: Vec<u64> = ids.collect();
        for part in ids.chunks(1000) {
            let part = part.to_vec();
            let put = move |tx: &mut crate::store::WriteTx<'_>| {
                part.iter().try_for_each(|id| tx.put(&Note { id: *id, text: text_of(*id, version) }))
            };
            self.store.write_blocking::<_, StoreError, _>(put).unwrap();
        }
    }

    fn backup<'a>(&'a self, target: &'a Target) -> Backup<'a> {
        let Case { folder, store, clock, secrets, .. } = self;
        Backup { store, data_dir: folder.path(), target, clock, secrets }
    }

    fn make(&self) -> Result<Report, BackupError> {
        self.clock.advance(Duration::from_mins(1));
        self.backup(&self.target).make(&mut |_| ())
    }

    /// Restores a point; returns the notes of the file.
    fn restored(&self, point: &Point) -> Result<Vec<Note>, BackupError> {
        let path = self.folder.path().join("restored");
        restore(&self.target, point, &path, &self.secrets, &mut |_| ())?;
        let store = Store::open(&path, StoreOptions::default()).unwrap();
        let notes = notes(&store);
        store.close_blocking();
        Ok(notes)
    }

    fn points(&self) -> Vec<Point> {
        points(&self.target).unwrap()
    }

    /// The names of the packs that points name.
    fn needed_packs(&self) -> Vec<String> {
        let objects: Arc<dyn Objects> = Arc::clone(&self.memory) as Arc<dyn Objects>;
        let repository = Repository::open_to_read(&objects, None, &self.secrets).unwrap();
        let points = self.points().into_iter();
        let packs = points.flat_map(|point| repository.read_point(&point.name).unwrap().packs);
        let names: std::collections::BTreeSet<String> = packs.map(|pack| format::pack_name(&pack)).collect();
        names.into_iter().collect()
    }
}

fn notes(store: &Store) -> Vec<Note> {
    store.read().unwrap().all(0, usize::MAX).unwrap()
}

#[test]
fn every_point_is_restored_as_the_file_was() {
    let case = Case::new(2000);
    let mut expected = Vec::new();
    for version in 1..5 {
        case.write((0..2000).step_by(17), version);
        case.make().unwrap();
        expected.push(notes(&case.store));
    }
    for (point, expected) in case.points().iter().zip(&expected) {
        assert!(case.restored(point).unwrap() == *expected);
    }
    let middle = Some(Timestamp::from_ms(case.points()[2].time.ms() - 1));
    assert_eq!(find_point(&case.target, middle), Ok(case.points()[1].clone()));
    let told = find_point(&case.target, Some(Timestamp::from_ms(0))).unwrap_err().to_string();
    assert!(told.contains("its oldest is of 2026-11-18T11:07:40Z"), "{told}");
}

#[test]
fn a_backup_has_what_was_confirmed_before_it_began_while_others_write() {
    let case = Case::new(500);
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let (case, stop) = (&case, &stop);
            scope.spawn(move || {
                for version in 1.. {
                    case.write(
                        (writer * 100..500).step_by(3).chain([10_000 + writer * 10_000 + version]),
                        version,
                    );
                    if stop.load(std::sync::atomic::Ordering::SeqCst) {
                        break;
                    }
                }
            });
        }
        for _ in 0..12 {
            let before = notes(&case.store);
            case.make().unwrap();
            let restored = case.restored(case.points().last().unwrap()).unwrap();
            let ids: std::collections::BTreeSet<u64> = restored.iter().map(|note| note.id).collect();
            assert!(before.iter().all(|note| ids.contains(&note.id)));
        }
        stop.store(true, std::sync::atomic::Ordering::SeqCst);
    });
}

#[test]
fn what_did_not_change_is_not_sent_again() {
    let case = Case::new(40_000);
    let first = case.make().unwrap();
    case.write(0..400, 1);
    let second = case.make().unwrap();
    assert!(second.sent_bytes * 20 < first.sent_bytes, "{second:?} after {first:?}");
    let third = case.make().unwrap();
    assert!(third.sent_bytes * 50 < first.sent_bytes, "{third:?} after {first:?}");
}

#[test]
fn a_deleted_point_takes_with_it_what_no_other_needs() {
    let case = Case::new(3000);
    for version in 1..4 {
        case.write(0..3000, version);
        case.make().unwrap();
    }
    let points = case.points();
    // A killed backup left a pack that no point names.
    let orphan = format::pack_name(&[0; 16]);
    case.memory.put(&orphan, b"left").unwrap();
    let packs = case.memory.names("packs/").len();
    let names = [points[0].name.clone(), points[1].name.clone()];
    let deleted = case.backup(&case.target).delete(&names).unwrap();
    assert_eq!(deleted.points, 2);
    assert!(0 < deleted.packs && deleted.packs < packs, "{deleted:?} of {packs}");
    assert_eq!(case.memory.names("packs/"), case.needed_packs());
    assert_eq!(case.memory.names("index/").len(), packs - deleted.packs);
    assert!(case.restored(&case.points()[0]).unwrap() == notes(&case.store));
    // A point that cannot be read keeps everything: it may need any pack.
    case.make().unwrap();
    let [kept, doomed] = [0, 1].map(|at| case.points()[at].name.clone());
    case.memory.change(&kept, |bytes| bytes[3] ^= 1);
    let before = case.memory.names("");
    assert!(case.backup(&case.target).delete(&[doomed]).is_err());
    assert_eq!(
        case.memory.names("packs/").len(),
        before.iter().filter(|name| name.starts_with("packs/")).count()
    );
    assert_eq!(case.points().len(), 2);
}

#[test]
fn a_pack_that_somebody_took_away_is_named_with_what_helps() {
    let case = Case::new(300);
    case.make().unwrap();
    let pack = case.memory.names("packs/").remove(0);
    case.memory.delete(&pack).unwrap();
    let told = case.restored(&case.points()[0]).unwrap_err().to_string();
    assert!(
        told.contains(&format!("{pack} is damaged: it is missing; restore another backup with --at")),
        "{told}"
    );
    case.make().unwrap();
    assert!(case.restored(&case.points()[1]).unwrap() == notes(&case.store), "its chunks were sent again");
}

#[test]
fn a_backup_that_is_cut_at_any_call_harms_no_point_and_leaves_nothing_for_long() {
    let case = Case::new(600);
    case.make().unwrap();
    let mut expected = vec![notes(&case.store)];
    let mut calls = 0;
    loop {
        case.write((0..600).step_by(7), calls + 1);
        case.memory.cut_after(Some(calls));
        let made = case.make();
        case.memory.cut_after(None);
        // The last calls only let the lock go.
        let points = case.points();
        if points.len() == expected.len() + 1 {
            expected.push(notes(&case.store));
        }
        assert_eq!(points.len(), expected.len(), "cut after {calls} calls");
        for (point, expected) in points.iter().zip(&expected) {
            assert!(case.restored(point).unwrap() == *expected, "cut after {calls} calls: {point:?}");
        }
        if made.is_ok() && case.memory.names("locks/").is_empty() {
            break;
        }
        calls += 1;
    }
    assert!(10 < calls, "{calls}");
    case.make().unwrap();
    assert_eq!(case.memory.names("packs/"), case.needed_packs());
}

#[test]
fn a_target_belongs_to_one_server_and_one_backup_at_a_time() {
    let case = Case::new(10);
    case.make().unwrap();
    let other = Case::new(10);
    let target = Target::of_objects(Arc::clone(&case.memory) as Arc<dyn Objects>);
    let refused = other.backup(&target).make(&mut |_| ()).unwrap_err();
    assert!(matches!(refused, BackupError::OtherServer { .. }), "{refused}");
    // Another one begins while one is under way.
    let mut refused = None;
    let made = case.backup(&case.target).make(&mut |_| {
        refused.get_or_insert_with(|| case.backup(&case.target).make(&mut |_| ()));
    });
    assert!(made.is_ok());
    assert!(matches!(refused, Some(Err(BackupError::Busy { .. }))), "{refused:?}");
    // A clone of the machine is under way.
    let objects: Arc<dyn Objects> = Arc::clone(&case.memory) as Arc<dyn Objects>;
    let clock = case.clock.clone();
    let lock = Lock::take(&objects, "another machine", &clock, &Secrets::seeded(9)).unwrap();
    let content = objects.get(&case.memory.names("locks/")[0]).unwrap();
    drop(lock);
    objects.put("locks/left", &content).unwrap();
    assert!(matches!(case.make(), Err(BackupError::Busy { .. })));
    case.clock.advance(Duration::from_hours(1));
    case.make().unwrap();
    assert_eq!(case.memory.names("locks/"), Vec::<String>::new());
}

#[test]
fn an_encrypted_target_shows_nothing_and_opens_with_the_identity_alone() {
    let secret = "AGE-SECRET-KEY-1ZEJTEQC8NYCZHDEVKZ6ZS2ZXLR4F9M7LTZQ8UQQH5GVD69FL0DASW6U7TC";
    let public = "age10jpd9eryphpfwf4z67wugdl4ntp3vxpc8uc96new83qupmqmfezsef69np";
    let case = Case::with_key(500, Some(public));
    let plain = Case::new(0);
    plain.write(0..500, 0);
    case.make().unwrap();
    case.write((0..500).step_by(50), 1);
    let again = case.make().unwrap();
    assert!(again.chunks_sent < again.chunks, "{again:?}");
    let point = case.points().pop().unwrap();
    assert!(matches!(case.restored(&point), Err(BackupError::Key(_))));
    let path = case.folder.path().join("opened");
    let opened = case.target.clone().with_key(Some(KeyFile::parse(secret).unwrap()));
    restore(&opened, &point, &path, &case.secrets, &mut |_| ()).unwrap();
    let store = Store::open(&path, StoreOptions::default()).unwrap();
    assert!(notes(&store) == notes(&case.store));
    store.close_blocking();
    // Neither content nor what content hashes to.
    let hash = crate::secret::sha256(&std::fs::read(&path).unwrap()[..format::CHUNK_BYTES]);
    for bytes in case.memory.objects.lock().unwrap().values() {
        assert_eq!(memchr::memmem::find(bytes, &[7; 20]), None);
        assert_eq!(memchr::memmem::find(bytes, &hash), None);
    }
    let bare = case.target.clone().with_key(None);
    assert!(matches!(case.backup(&bare).make(&mut |_| ()), Err(BackupError::Key(_))));
}

#[test]
fn one_file_is_a_backup_too_and_replaces_only_its_own() {
    let case = Case::new(3000);
    let path = case.folder.path().join("backup.crier");
    let target = Target::of_path(&path);
    for version in 1..3 {
        case.write((0..3000).step_by(5), version);
        case.backup(&target).make(&mut |_| ()).unwrap();
        let out = case.folder.path().join("restored");
        restore(&target, &points(&target).unwrap()[0], &out, &case.secrets, &mut |_| ()).unwrap();
        let store = Store::open(&out, StoreOptions::default()).unwrap();
        assert!(notes(&store) == notes(&case.store));
        store.close_blocking();
    }
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let other = Case::new(1);
    let refused = other.backup(&target).make(&mut |_| ()).unwrap_err();
    assert!(matches!(refused, BackupError::OtherServer { .. }), "{refused}");
    std::fs::write(&path, "a letter to my mother").unwrap();
    let refused = case.backup(&target).make(&mut |_| ()).unwrap_err();
    assert!(matches!(refused, BackupError::Foreign { .. }), "{refused}");
    assert_eq!(std::fs::read(&path).unwrap(), b"a letter to my mother");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn changed_bytes_are_named_and_never_restored(
        object in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        change in prop_oneof![(1..=255_u8).prop_map(Some), Just(None)],
    ) {
        let case = Case::new(300);
        case.make().unwrap();
        let expected = notes(&case.store);
        let point = case.points().remove(0);
        let names = case.memory.names("");
        let name = object.get(&names).clone();
        case.memory.change(&name, |bytes| {
            let at = at.index(bytes.len());
            match change {
                Some(bits) => bytes[at] ^= bits,
                None => bytes.truncate(at),
            }
        });
        match case.restored(&point) {
            Ok(found) => prop_assert!(found == expected, "{name} was changed, and another file restored"),
            Err(error) => prop_assert!(error.to_string().contains(&name), "{error} does not name {name}"),
        }
    }

    #[test]
    fn changed_bytes_of_one_file_are_never_restored(
        at in any::<prop::sample::Index>(),
        change in prop_oneof![(1..=255_u8).prop_map(Some), Just(None)],
    ) {
        let case = Case::new(100);
        let path = case.folder.path().join("backup.crier");
        let target = Target::of_path(&path);
        case.backup(&target).make(&mut |_| ()).unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        let at = at.index(bytes.len());
        match change {
            Some(bits) => bytes[at] ^= bits,
            None => bytes.truncate(at),
        }
        std::fs::write(&path, bytes).unwrap();
        let out = case.folder.path().join("restored");
        let point = Point { name: String::new(), time: Timestamp::from_ms(0), file_bytes: 0, sent_bytes: 0 };
        prop_assert!(restore(&target, &point, &out, &case.secrets, &mut |_| ()).is_err());
    }
}
