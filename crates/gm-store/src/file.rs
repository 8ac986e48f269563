//! One open graph file: one writer, a few readers, one idle connection that notices writes.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use gm_model::TransactionId;
use parking_lot::Mutex;
use rusqlite::{Connection, TransactionBehavior};

use crate::connection::{open_reader, open_untouched, open_writer};
use crate::counted::WordCounts;
use crate::counters::{self, Tally};
use crate::error::{BUSY_SECONDS, Error, Result, at};
use crate::keeper::{COPIED_PAGES, Keeper, MOST_PAGES};
use crate::migrate::{MIN_READER, MIN_WRITER, Migrated, OLDEST_READ, migrate};
use crate::pending::{self, PendingTexts};
use crate::recognise::{Recognised, Soundness, accept, look_for_damage, meta_value, recognise};
use crate::watch::GraphWatch;

/// Read connections kept open between requests; more are opened under load and closed after it.
const KEPT_READERS: usize = 4;

/// How long opening looks for damaged pages: enough for all of a graph of some ten thousand objects.
/// `graph-mem validate` takes the time it needs.
const OPENING_CHECK: Duration = Duration::from_millis(30);

/// A graph file open in this process.
pub struct GraphFile {
    writing: Arc<Writing>,
    is_read_only: AtomicBool,
    readers: Mutex<VecDeque<Connection>>,
    /// Pages in the log after the last write.
    log_pages: Arc<AtomicU32>,
    /// Started with the first write; with the pages the log had when it was last to be copied.
    keeper: Mutex<(Option<Keeper>, u32)>,
    word_counts: WordCounts,
    pub migrated: Migrated,
}

/// What it takes to write to a file.
pub(crate) struct Writing {
    path: PathBuf,
    /// Device and inode at opening: a file that was swapped under us must not be written to, since
    /// such a write is acknowledged and lost.
    identity: FileIdentity,
    /// `None` while the file or its folder cannot be written: such a graph is read all the same.
    connection: Mutex<Option<Connection>>,
}

impl Writing {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn check_identity(&self) -> Result<()> {
        match FileIdentity::of(&self.path) {
            Ok(now) if now == self.identity => Ok(()),
            _ => Err(Error::Replaced { path: self.path.clone() }),
        }
    }

    /// Runs work that changes no object and can as well be left undone: not at all while somebody
    /// writes, here or in another process. `false` then.
    pub(crate) fn in_passing(&self, work: impl FnOnce(&mut Connection) -> Result<bool>) -> Result<bool> {
        let Some(mut connection) = self.connection.try_lock() else { return Ok(false) };
        let Some(connection) = connection.as_mut() else { return Ok(false) };
        self.check_identity()?;
        check_version(connection, &self.path, "min_writer", MIN_WRITER)?;
        connection.busy_timeout(Duration::ZERO)?;
        let outcome = work(connection);
        connection.busy_timeout(Duration::from_secs(BUSY_SECONDS))?;
        match outcome {
            Err(Error::Busy { .. }) => Ok(false),
            outcome => outcome,
        }
    }
}

impl GraphFile {
    /// Opens an existing graph, or makes one where nothing stands when `create` is set. `now` is
    /// the time put on a migration.
    pub fn open(path: &Path, create: bool, now: f64) -> Result<Self> {
        let found = recognise(path)?;
        accept(path, &found, true)?;
        if found == Recognised::Empty {
            if !create {
                return Err(Error::Missing { path: path.into() });
            }
            if let Some(folder) = path.parent() {
                create_private_folder(folder)?;
            }
            create_private_file(path)?;
        }
        if found != Recognised::Empty && look_for_damage(path, OPENING_CHECK)? == Soundness::Damaged {
            return Err(Error::Damaged { path: path.into() });
        }
        keep_private(path);
        let log_pages = Arc::default();
        let opened = open_writer(path).and_then(|mut writer| {
            let migrated = migrate(&mut writer, path, now)?;
            watch_log(&mut writer, &log_pages)?;
            Ok((writer, migrated))
        });
        let (writer, migrated) = match opened.map_err(at(path)) {
            Ok((writer, migrated)) => (Some(writer), migrated),
            // Reading needs no more than what stands there, if it needs no migration.
            Err(error)
                if error.forbids_writing()
                    && matches!(found, Recognised::Ours { format: OLDEST_READ.., .. }) =>
            {
                tracing::info!(file = %path.display(), code = error.code(), "opened for reading only");
                (None, Migrated::default())
            }
            Err(error) => return Err(error),
        };
        let identity = FileIdentity::of(path)?;
        Ok(Self {
            is_read_only: AtomicBool::new(writer.is_none()),
            writing: Arc::new(Writing { path: path.into(), identity, connection: Mutex::new(writer) }),
            readers: Mutex::new(VecDeque::new()),
            log_pages,
            keeper: Mutex::default(),
            word_counts: WordCounts::default(),
            migrated,
        })
    }

    /// Whether the graph could only be read when last something was tried.
    pub fn is_read_only(&self) -> bool {
        self.is_read_only.load(Ordering::Acquire)
    }

    pub fn path(&self) -> &Path {
        &self.writing.path
    }

    /// Runs `work` in one immediate transaction: committed if it returns `Ok`, else undone whole.
    pub fn write<T, E: From<Error>>(&self, work: impl FnOnce(&WriteTx<'_>) -> Result<T, E>) -> Result<T, E> {
        let mut writer = self
            .writing
            .connection
            .try_lock_for(Duration::from_secs(BUSY_SECONDS))
            .ok_or(Error::Busy { seconds: BUSY_SECONDS })?;
        let outcome = match &mut *writer {
            Some(connection) => self.write_on(connection, work),
            // Rights may have come back since.
            None => {
                let mut opened = open_writer(self.path()).map_err(at(self.path()))?;
                watch_log(&mut opened, &self.log_pages)?;
                self.is_read_only.store(false, Ordering::Release);
                self.write_on(writer.insert(opened), work)
            }
        };
        if writer.as_ref().is_some_and(|connection| !can_write(connection)) {
            // Such a connection stays as it was opened, whatever becomes of the file's rights.
            *writer = None;
            self.is_read_only.store(true, Ordering::Release);
            self.readers.lock().clear();
        }
        outcome
    }

    fn write_on<T, E: From<Error>>(
        &self,
        connection: &mut Connection,
        work: impl FnOnce(&WriteTx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let path = self.path();
        let begun = connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let tx = begun.map_err(|e| at(path)(e.into()))?;
        self.writing.check_identity()?;
        check_version(&tx, path, "min_writer", MIN_WRITER)?;
        let write = WriteTx::from_transaction(tx);
        let value = work(&write)?;
        write.finish().map_err(at(path))?.commit().map_err(|e| at(path)(e.into()))?;
        self.keep(connection);
        Ok(value)
    }

    /// After a write: tells the keeper, and has the log copied back into the file when it is long.
    fn keep(&self, writer: &Connection) {
        let pages = self.log_pages.swap(0, Ordering::AcqRel);
        let (keeper, copied) = &mut *self.keeper.lock();
        // A log that is shorter has begun anew, since all of it was copied.
        *copied = (*copied).min(pages);
        let is_long = pages >= *copied + COPIED_PAGES;
        if is_long {
            *copied = pages;
        }
        if keeper.is_none() {
            *keeper = Keeper::start(self.writing.clone()).ok();
        }
        if let Some(keeper) = keeper {
            keeper.written(is_long && pages < MOST_PAGES);
        }
        if pages >= MOST_PAGES || (is_long && keeper.is_none()) {
            let _ = writer.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        }
    }

    /// Runs `work` in one read transaction: everything it reads belongs to one moment.
    pub fn read<T, E: From<Error>>(&self, work: impl FnOnce(&ReadTx<'_>) -> Result<T, E>) -> Result<T, E> {
        self.writing.check_identity()?;
        let kept = self.readers.lock().pop_front();
        let connection = match kept {
            Some(connection) => connection,
            None => self.reader()?,
        };
        let outcome = self.read_on(&connection, work);
        let mut readers = self.readers.lock();
        // A reader of a file that cannot be written takes it for unchanging: it serves once.
        if readers.len() < KEPT_READERS && !self.is_read_only() {
            readers.push_back(connection);
        }
        outcome
    }

    fn reader(&self) -> Result<Connection> {
        let path = self.path();
        let opened = if self.is_read_only() { open_untouched(path) } else { open_reader(path) };
        opened.map_err(at(path))
    }

    fn read_on<T, E: From<Error>>(
        &self,
        connection: &Connection,
        work: impl FnOnce(&ReadTx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let begun = connection.unchecked_transaction();
        let tx = begun.map_err(|e| at(self.path())(e.into()))?;
        check_version(&tx, self.path(), "min_reader", MIN_READER)?;
        work(&ReadTx { connection: &tx, word_counts: Some(&self.word_counts) })
    }

    /// A connection that only notices that somebody wrote.
    pub fn watch(&self) -> Result<GraphWatch> {
        let mut log = self.path().as_os_str().to_owned();
        log.push("-wal");
        GraphWatch::new(self.reader()?, log.into())
    }

    /// Whether the file at the path is no longer the one that was opened.
    pub fn is_replaced(&self) -> bool {
        self.writing.check_identity().is_err()
    }
}

impl GraphFile {
    /// Leaves the graph in its one file, as people expect who copy it. Others may still read or
    /// write: then the log stays, and so does everything in it.
    pub fn settle(&self) {
        self.keeper.lock().0 = None;
        if self.is_replaced() {
            return;
        }
        let mut writer = self.writing.connection.lock();
        let Some(writer) = writer.as_mut() else { return };
        let _ = writer.busy_timeout(Duration::from_millis(200));
        let _ = writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        let _ = writer.busy_timeout(Duration::from_secs(BUSY_SECONDS));
    }
}

impl GraphFile {
    /// Lets go of what only makes the next request quicker: kept read connections, each with its pages,
    /// and the writer's pages. Memory that is free is not yet the system's again: see
    /// [`memory::give_back`](crate::memory::give_back).
    pub fn rest(&self) {
        self.readers.lock().clear();
        // Whoever writes at this moment is not at rest.
        let Some(writer) = self.writing.connection.try_lock() else { return };
        if let Some(writer) = writer.as_ref() {
            writer.flush_prepared_statement_cache();
            let _ = writer.release_memory();
        }
    }
}

impl Drop for GraphFile {
    fn drop(&mut self) {
        // Only a connection that may write takes the log away when it is the last to close.
        self.readers.get_mut().clear();
        self.settle();
    }
}

/// Tells after each commit how long the log is; SQLite then leaves copying it to us.
fn watch_log(writer: &mut Connection, pages: &Arc<AtomicU32>) -> Result<()> {
    let pages = pages.clone();
    writer.wal_hook(Some(move |_: &mut rusqlite::hooks::Wal, n: i32| {
        pages.store(u32::try_from(n).unwrap_or(0), Ordering::Release);
        Ok(())
    }))?;
    Ok(())
}

/// Whether a connection may write; one on a file whose rights were taken answers with an error.
fn can_write(connection: &Connection) -> bool {
    !connection.is_readonly(rusqlite::MAIN_DB).unwrap_or(false)
}

fn check_version(connection: &Connection, path: &Path, key: &str, known: u32) -> Result<()> {
    let needed = meta_value(connection, key).map_err(at(path))?.and_then(|v| v.parse().ok()).unwrap_or(1);
    if needed > known {
        return Err(Error::TooNew { path: path.into(), needed, known });
    }
    Ok(())
}

/// A read transaction.
pub struct ReadTx<'a> {
    pub(crate) connection: &'a Connection,
    /// Counts of words that other reads of the file took.
    pub(crate) word_counts: Option<&'a WordCounts>,
}

impl Deref for ReadTx<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection
    }
}

/// A write transaction; reads as well.
pub struct WriteTx<'a> {
    tx: rusqlite::Transaction<'a>,
    tally: RefCell<Tally>,
    texts: RefCell<PendingTexts>,
    journal: RefCell<Option<JournalSpan>>,
    /// Whether the file has an embedding model, once it was asked.
    wants_vectors: Cell<Option<bool>>,
}

/// The journal rows of the transaction so far.
struct JournalSpan {
    transaction: TransactionId,
    first_seq: i64,
    last_seq: i64,
}

impl<'a> WriteTx<'a> {
    pub(crate) fn from_transaction(tx: rusqlite::Transaction<'a>) -> Self {
        Self {
            tx,
            tally: RefCell::default(),
            texts: RefCell::default(),
            journal: RefCell::default(),
            wants_vectors: Cell::new(None),
        }
    }

    /// Writes what was put off to the end; nothing may be changed through this after it.
    pub(crate) fn finish(self) -> Result<rusqlite::Transaction<'a>> {
        counters::write(&self)?;
        pending::write(&self)?;
        self.close_span()?;
        Ok(self.tx)
    }

    pub(crate) fn texts(&self) -> RefMut<'_, PendingTexts> {
        self.texts.borrow_mut()
    }

    /// Whether texts are to have vectors.
    pub(crate) fn wants_vectors(&self) -> Result<bool> {
        if let Some(known) = self.wants_vectors.get() {
            return Ok(known);
        }
        let wants = crate::vectors::model(&self.as_read())?.is_some();
        self.wants_vectors.set(Some(wants));
        Ok(wants)
    }

    pub(crate) fn forget_vector_state(&self) {
        self.wants_vectors.set(None);
    }

    pub(crate) fn tally(&self) -> RefMut<'_, Tally> {
        self.tally.borrow_mut()
    }

    /// Numbers of the first and of the next journal row of a transaction.
    pub(crate) fn next_row(&self, transaction: &TransactionId) -> Result<(i64, i64)> {
        if self.journal.borrow().as_ref().is_none_or(|span| span.transaction != *transaction) {
            self.close_span()?;
            let seq = crate::journal::head(&self.as_read())? + 1;
            let span = JournalSpan { transaction: transaction.clone(), first_seq: seq, last_seq: seq };
            *self.journal.borrow_mut() = Some(span);
            return Ok((seq, seq));
        }
        let mut span = self.journal.borrow_mut();
        let span = span.as_mut().expect("it is the one of this transaction");
        span.last_seq += 1;
        Ok((span.first_seq, span.last_seq))
    }

    fn close_span(&self) -> Result<()> {
        match self.journal.borrow_mut().take() {
            Some(span) => crate::journal::close(self, span.first_seq, span.last_seq),
            None => Ok(()),
        }
    }

    pub fn as_read(&self) -> ReadTx<'_> {
        ReadTx { connection: &self.tx, word_counts: None }
    }
}

impl Deref for WriteTx<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.tx
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileIdentity {
    device: u64,
    inode: u64,
}

impl FileIdentity {
    #[cfg(unix)]
    fn of(path: &Path) -> Result<Self> {
        use std::os::unix::fs::MetadataExt;
        let meta = fs::metadata(path).map_err(Error::io(path))?;
        Ok(Self { device: meta.dev(), inode: meta.ino() })
    }

    /// Elsewhere an open database cannot be replaced: the system holds it.
    #[cfg(not(unix))]
    fn of(path: &Path) -> Result<Self> {
        fs::metadata(path).map_err(Error::io(path))?;
        Ok(Self { device: 0, inode: 0 })
    }
}

/// Makes a folder (and those above it) that only its owner can enter.
pub fn create_private_folder(folder: &Path) -> Result<()> {
    if folder.as_os_str().is_empty() || folder.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(folder).map_err(|error| match error.kind() {
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
            Error::ReadOnly { path: folder.into() }
        }
        _ => Error::io(folder)(error),
    })
}

/// Takes other users' rights from a file that came with them. One that is not ours stays as it is.
fn keep_private(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let is_open = fs::metadata(path).is_ok_and(|meta| meta.permissions().mode() & 0o077 != 0);
        if is_open {
            let _ = fs::set_permissions(path, fs::Permissions::from_mode(0o600));
        }
    }
    #[cfg(not(unix))]
    let _ = path;
}

/// Makes an empty file that only its owner can read; an existing one stays as it is.
pub fn create_private_file(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
            Error::ReadOnly { path: path.into() }
        }
        _ => Error::io(path)(error),
    })
}
