//! How a connection is opened. The order matters and is the same for every file:
//! open, defend, timeouts, read or write settings. Nothing here changes a file except
//! [`open_writer`], which the caller reaches only after the file was recognised.

use std::path::Path;
use std::sync::Once;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::error::{BUSY_SECONDS, Error, Result};

/// Statements kept prepared per connection: every statement of the product fits.
const STATEMENT_CACHE: usize = 96;

/// A connection that can only read. It does not create, migrate or switch the file.
pub(crate) fn open_reader(path: &Path) -> Result<Connection> {
    register_vector_module();
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    defend(&connection)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

/// A reader for a file that must stay as it is, its folder included: where no log stands beside it,
/// nobody writes, and it is read as immutable, so that SQLite makes no files of its own there. An empty
/// log is one too: whoever has the file open may write at any moment, and what is read then would be
/// taken for damage.
pub(crate) fn open_untouched(path: &Path) -> Result<Connection> {
    let beside = |suffix: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        Path::new(&name).exists()
    };
    if beside("-wal") || beside("-journal") {
        return open_reader(path);
    }
    register_vector_module();
    let connection = Connection::open_with_flags(
        format!("file:{}?immutable=1", percent_encoded(path)),
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI,
    )?;
    defend(&connection)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

/// A path as SQLite's URI names want it; every byte but the plainest is escaped.
fn percent_encoded(path: &Path) -> String {
    #[cfg(unix)]
    let bytes = std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str());
    #[cfg(not(unix))]
    let text = path.to_string_lossy().replace('\\', "/");
    #[cfg(not(unix))]
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(bytes.len());
    // A drive letter needs a slash before it.
    if cfg!(windows) && bytes.get(1) == Some(&b':') {
        out.push('/');
    }
    for byte in bytes {
        if byte.is_ascii_alphanumeric() || b"/-_.~:".contains(byte) {
            out.push(char::from(*byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// The connection that writes. WAL lets readers go on while it works; NORMAL keeps every
/// acknowledged write through a crash of the program, though not through a power cut
/// (docs/adr/0002).
pub(crate) fn open_writer(path: &Path) -> Result<Connection> {
    if !may_write(path) {
        // SQLite would open it for reading and leave a log beside it that nobody may write either.
        return Err(Error::ReadOnly { path: path.into() });
    }
    register_vector_module();
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    defend(&connection)?;
    switch_to_wal(&connection)?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // The log is cut back to this after a checkpoint instead of staying at its largest.
    connection.pragma_update(None, "journal_size_limit", 16 << 20)?;
    Ok(connection)
}

/// Whether the system lets this process write a file. Asked without opening it: closing it again
/// would drop the locks that SQLite holds on it.
fn may_write(path: &Path) -> bool {
    #[cfg(unix)]
    {
        rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
    }
    #[cfg(not(unix))]
    {
        std::fs::metadata(path).is_ok_and(|meta| !meta.permissions().readonly())
    }
}

pub(crate) fn defend(connection: &Connection) -> Result<()> {
    connection.busy_timeout(Duration::from_secs(BUSY_SECONDS))?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // Otherwise values that are bound could change a plan, and every use of a kept statement compiles
    // it anew: ten times the cost of most of them.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(None, "cache_size", -16_000)?;
    connection.set_prepared_statement_cache_capacity(STATEMENT_CACHE);
    Ok(())
}

/// Several processes may meet on a new file; the switch itself answers busy at once instead of
/// waiting, so it is repeated here.
fn switch_to_wal(connection: &Connection) -> Result<()> {
    let give_up = std::time::Instant::now() + Duration::from_secs(BUSY_SECONDS);
    loop {
        let outcome: rusqlite::Result<String> =
            connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0));
        match outcome {
            Ok(_) => return Ok(()),
            Err(error)
                if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
                    && std::time::Instant::now() < give_up =>
            {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// Files of graph-mem 1.0 hold `vec0` tables; without the module they cannot even be dropped.
#[allow(unsafe_code)]
fn register_vector_module() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        type Entry = unsafe extern "C" fn(
            *mut rusqlite::ffi::sqlite3,
            *mut *mut std::os::raw::c_char,
            *const rusqlite::ffi::sqlite3_api_routines,
        ) -> std::os::raw::c_int;
        // SAFETY: `sqlite3_vec_init` is an SQLite extension entry point and has this signature;
        // the crate declares it without arguments because it cannot name rusqlite's types.
        unsafe {
            let entry = std::mem::transmute::<*const (), Entry>(sqlite_vec::sqlite3_vec_init as *const ());
            rusqlite::ffi::sqlite3_auto_extension(Some(entry));
        }
    });
}
