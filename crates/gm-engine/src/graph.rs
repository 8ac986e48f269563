//! One open graph.

use std::path::Path;
use std::sync::Arc;

use gm_model::{Actor, TransactionId};
use gm_store::journal::{LinkKind, Stamp};
use gm_store::{GraphFile, ReadTx, StateFile, counters, journal, search};
use parking_lot::RwLock;

use crate::adjacency::AdjacencyIndex;
use crate::meaning::{Meaning, Settings};
use crate::transact::{Applied, Tx};
use crate::watch::{Feed, Notice, Subscription};
use crate::{Result, now};

/// How much a graph holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    pub entities: u64,
    pub relationships: u64,
    pub observations: u64,
}

/// A named graph, open in this process.
pub struct Graph {
    name: String,
    file: Arc<GraphFile>,
    feed: Feed,
    adjacency: RwLock<AdjacencyIndex>,
    pub(crate) meaning: Meaning,
}

impl Graph {
    /// Without search by meaning: for copies that are only read.
    pub(crate) fn open(name: &str, path: &Path, create: bool) -> Result<Self> {
        let state = Arc::new(StateFile::of_this_process(Path::new("."), now())?);
        Self::open_in(name, path, create, Settings::default(), state, String::new())
    }

    pub(crate) fn open_in(
        name: &str,
        path: &Path,
        create: bool,
        settings: Settings,
        state: Arc<StateFile>,
        process: String,
    ) -> Result<Self> {
        let file = Arc::new(GraphFile::open(path, create, now())?);
        if let Some(backup) = &file.migrated.backup {
            tracing::info!(graph = name, backup = %backup.display(), applied = ?file.migrated.applied, "migrated a graph");
        }
        let feed = Feed::new(name, file.clone());
        let meaning = Meaning::new(file.clone(), settings, state, process);
        Ok(Self { name: name.to_owned(), file, feed, adjacency: RwLock::default(), meaning })
    }

    /// Counts of a file that stays as it is: neither created nor migrated.
    pub(crate) fn peek(path: &Path) -> Result<Counts> {
        let (entities, relationships, observations) = gm_store::peek(path)?;
        Ok(Counts { entities, relationships, observations })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// What opening did: migrations applied, the backup made, repairs.
    pub fn file(&self) -> &GraphFile {
        &self.file
    }

    /// Whether another file stands at the path now: this one must be opened anew.
    pub fn is_replaced(&self) -> bool {
        self.file.is_replaced()
    }

    /// The one way to change a graph: `work` runs in one transaction with its journal rows, and
    /// either all of it is stored or none. It may run twice: when a damaged text index was in the
    /// way, the index is made anew and the work begins again.
    pub fn transact<T>(
        &self,
        actor: &Actor,
        operation: &str,
        work: impl FnMut(&Tx<'_>) -> Result<T>,
    ) -> Result<Applied<T>> {
        self.transact_linked(actor, operation, None, work)
    }

    pub(crate) fn transact_linked<T>(
        &self,
        actor: &Actor,
        operation: &str,
        takes_back: Option<(&TransactionId, LinkKind)>,
        mut work: impl FnMut(&Tx<'_>) -> Result<T>,
    ) -> Result<Applied<T>> {
        let mut write = || self.write(actor, operation, takes_back, &mut work);
        let applied = match write() {
            Err(error) if self.mended(&error) => write(),
            outcome => outcome,
        };
        let applied = applied.map_err(|error| self.named(error))?;
        if applied.changes > 0 {
            self.feed.nudge();
        }
        Ok(applied)
    }

    fn write<T>(
        &self,
        actor: &Actor,
        operation: &str,
        takes_back: Option<(&TransactionId, LinkKind)>,
        work: &mut impl FnMut(&Tx<'_>) -> Result<T>,
    ) -> Result<Applied<T>> {
        let stamp = Stamp {
            transaction: TransactionId::generate(),
            time: now(),
            actor: actor.clone(),
            operation: operation.to_owned(),
        };
        self.file.write(|write| {
            let tx = Tx::new(write, stamp.clone());
            let value = work(&tx)?;
            if let Some((target, kind)) = takes_back
                && tx.changes() > 0
            {
                journal::link(write, &stamp.transaction, target, kind)?;
            }
            let seq = journal::head(&write.as_read())?;
            Ok::<_, crate::Error>(Applied {
                value,
                transaction: stamp.transaction.clone(),
                seq,
                changes: tx.changes(),
            })
        })
    }

    /// Reads one moment of the graph. Runs twice if a damaged text index had to be made anew.
    pub fn read<T>(&self, mut work: impl FnMut(&ReadTx<'_>) -> Result<T>) -> Result<T> {
        let answer = match self.file.read(&mut work) {
            Err(error) if self.mended(&error) => self.file.read(&mut work),
            outcome => outcome,
        };
        answer.map_err(|error| self.named(error))
    }

    /// A storage error that knows which file it is about.
    fn named(&self, error: crate::Error) -> crate::Error {
        match error {
            crate::Error::Store(error) => gm_store::at(self.path())(error).into(),
            other => other,
        }
    }

    /// Whether a failure was a damaged text index, which is made anew from the tables it indexes.
    /// Damage to the tables themselves stays what it is: they cannot be read for that either.
    fn mended(&self, error: &crate::Error) -> bool {
        if !matches!(error, crate::Error::Store(gm_store::Error::Damaged { .. })) {
            return false;
        }
        tracing::warn!(graph = self.name, "damage found; making the text index anew");
        let rebuilt = self.file.write(search::rebuild);
        if let Err(error) = &rebuilt {
            tracing::error!(graph = self.name, code = error.code(), "the text index cannot be made anew");
        }
        rebuilt.is_ok()
    }

    /// Reads one moment of the graph with its edges in memory, both at the same journal position.
    pub(crate) fn traverse<T>(
        &self,
        work: impl FnOnce(&ReadTx<'_>, &AdjacencyIndex) -> Result<T>,
    ) -> Result<T> {
        // The lock is taken before the read transaction begins: the index then never shows a later
        // moment than the transaction does.
        let mut work = Some(work);
        {
            let index = self.adjacency.read();
            let answer = self.read(|tx| {
                if !index.is_current(tx)? {
                    return Ok(None);
                }
                work.take().map(|work| work(tx, &index)).transpose()
            })?;
            if let Some(answer) = answer {
                return Ok(answer);
            }
        }
        let mut index = self.adjacency.write();
        self.read(|tx| {
            index.catch_up(tx)?;
            let work = work.take().expect("the question is asked once");
            work(tx, &index)
        })
    }

    pub fn counts(&self) -> Result<Counts> {
        self.read(counts)
    }

    /// Calls back whenever the journal has grown, whoever wrote, until the subscription is dropped.
    pub fn subscribe(&self, callback: impl Fn(&Notice) + Send + Sync + 'static) -> Result<Subscription> {
        self.feed.subscribe(Box::new(callback))
    }
}

pub(crate) fn counts(tx: &ReadTx<'_>) -> Result<Counts> {
    Ok(Counts {
        entities: counters::count(tx, "entity", "")?,
        relationships: counters::count(tx, "relationship", "")?,
        observations: counters::count(tx, "observation", "")?,
    })
}
