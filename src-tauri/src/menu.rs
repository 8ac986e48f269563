//! The native menu. Every entry is an action the page knows by the same name; the page says what
//! undo and redo would do.

use tauri::menu::{
    AboutMetadata, Menu, MenuItem, MenuItemBuilder, PredefinedMenuItem, Submenu, SubmenuBuilder,
};
use tauri::{AppHandle, Emitter, Manager, Wry};

use crate::{EVENT, window};

/// What the shell does itself: the system's own entries for these do not exist everywhere.
const QUIT: &str = "quit";
const FULL_SCREEN: &str = "full_screen";

/// Entries whose text and state follow the page.
pub struct LiveEntries {
    undo: MenuItem<Wry>,
    redo: MenuItem<Wry>,
    needs_graph: Vec<MenuItem<Wry>>,
}

pub fn install(handle: &AppHandle) -> tauri::Result<()> {
    let entry = |action: &str, text: &str, key: &str| -> tauri::Result<MenuItem<Wry>> {
        let builder = MenuItemBuilder::with_id(action, text);
        if key.is_empty() { builder.build(handle) } else { builder.accelerator(key).build(handle) }
    };
    let undo = entry("undo", "Undo", "CmdOrCtrl+Z")?;
    let redo = entry("redo", "Redo", "CmdOrCtrl+Shift+Z")?;
    let import = entry("import", "Import…", "CmdOrCtrl+Shift+O")?;
    let export = entry("export", "Export…", "CmdOrCtrl+Shift+E")?;
    let picture = entry("export_picture", "Export Picture…", "")?;
    let find = entry("find", "Find…", "CmdOrCtrl+F")?;
    let new_entity = entry("new_entity", "New Entity", "CmdOrCtrl+N")?;
    // No accelerator: the key must go on deleting text in fields.
    let delete = entry("delete", "Delete", "")?;
    let trash = entry("trash", "Trash…", "")?;
    let fit = entry("fit", "Fit All", "CmdOrCtrl+0")?;
    let activity = entry("activity", "Activity", "CmdOrCtrl+R")?;

    let file = SubmenuBuilder::new(handle, "File")
        .item(&entry("new_graph", "New Graph…", "CmdOrCtrl+Shift+N")?)
        .item(&entry("switch_graph", "Switch Graph…", "")?)
        .item(&entry("open_library", "Open Library…", "CmdOrCtrl+O")?)
        .item(&entry("open_sample", "Open the Sample", "")?)
        .separator()
        .items(&[&import, &export, &picture])
        .separator()
        .item(&entry(QUIT, "Quit", "CmdOrCtrl+Q")?)
        .build()?;
    let edit = SubmenuBuilder::new(handle, "Edit")
        .items(&[&undo, &redo])
        .separator()
        .cut()
        .copy()
        .paste()
        .separator()
        .items(&[&new_entity, &delete, &find])
        .items(&[&trash])
        .item(&entry("palette", "Search and Commands…", "CmdOrCtrl+K")?)
        .item(&entry("meaning", "Search by Meaning…", "")?)
        .build()?;
    let theme = SubmenuBuilder::new(handle, "Theme")
        .item(&entry("theme_system", "Like the System", "")?)
        .item(&entry("theme_light", "Light", "")?)
        .item(&entry("theme_dark", "Dark", "")?)
        .build()?;
    let layout = SubmenuBuilder::new(handle, "Layout")
        .item(&entry("layout_panel", "Layout and Forces", "CmdOrCtrl+Shift+L")?)
        .item(&entry("reheat", "Lay Out Again", "")?)
        .item(&entry("pause_layout", "Pause or Resume", "")?)
        .separator()
        .item(&entry("arrange_circle", "Arrange in a Circle", "")?)
        .item(&entry("arrange_tree", "Arrange as a Tree", "")?)
        .item(&entry("arrange_by_type", "Arrange by Type", "")?)
        .separator()
        .item(&entry("collapse_clusters", "Collapse Clusters", "")?)
        .item(&entry("expand_all", "Expand All", "")?)
        .build()?;
    let view = SubmenuBuilder::new(handle, "View")
        .items(&[&fit])
        .item(&entry("zoom_in", "Zoom In", "CmdOrCtrl+=")?)
        .item(&entry("zoom_out", "Zoom Out", "CmdOrCtrl+-")?)
        .item(&layout)
        .separator()
        .item(&theme)
        .item(&entry("toggle_left", "Entity List", "CmdOrCtrl+B")?)
        .item(&entry("toggle_right", "Details", "CmdOrCtrl+Shift+B")?)
        .separator()
        .item(&entry(FULL_SCREEN, "Full Screen", "F11")?)
        .build()?;
    let agents = SubmenuBuilder::new(handle, "Agents")
        .item(&entry("connect_agent", "Connect…", "")?)
        .items(&[&activity])
        .item(&entry("agents", "Agents at Work", "")?)
        .separator()
        .item(&entry("pause_all", "Pause All", "")?)
        .item(&entry("resume_all", "Resume All", "")?)
        .build()?;
    let help = SubmenuBuilder::new(handle, "Help")
        .item(&entry("shortcuts", "Keyboard Shortcuts", "F1")?)
        .item(&PredefinedMenuItem::about(handle, Some("About graph-mem"), Some(about()))?)
        .build()?;
    let bars: [&Submenu<Wry>; 5] = [&file, &edit, &view, &agents, &help];
    let menu = Menu::new(handle)?;
    for bar in bars {
        menu.append(bar)?;
    }
    handle.set_menu(menu)?;
    handle.on_menu_event(|handle, event| {
        let action = event.id().as_ref().to_owned();
        match action.as_str() {
            QUIT => return handle.exit(0),
            FULL_SCREEN => return window::toggle_full_screen(handle),
            _ => {}
        }
        let _ = handle.emit(EVENT, gm_api::wire::Event::Menu { action });
    });
    let needs_graph = vec![import, export, picture, find, new_entity, delete, trash, fit, activity];
    handle.manage(LiveEntries { undo, redo, needs_graph });
    Ok(())
}

impl LiveEntries {
    pub fn show(&self, undo: Option<&str>, redo: Option<&str>, has_graph: bool) -> tauri::Result<()> {
        self.undo.set_text(undo.unwrap_or("Undo"))?;
        self.redo.set_text(redo.unwrap_or("Redo"))?;
        // They stay enabled: in a text field the same keys take back typing.
        for entry in &self.needs_graph {
            entry.set_enabled(has_graph)?;
        }
        Ok(())
    }
}

fn about() -> AboutMetadata<'static> {
    AboutMetadata {
        name: Some("graph-mem".into()),
        version: Some(env!("CARGO_PKG_VERSION").into()),
        comments: Some("A knowledge graph that you share with your AI agents".into()),
        license: Some("MIT".into()),
        ..AboutMetadata::default()
    }
}
