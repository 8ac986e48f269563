//! A graph as a picture, without a window.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use gm_engine::export::write_bytes;
use gm_engine::layout::{Arrangement, arrange, place};
use gm_engine::scene::{Scene, scene};
use gm_picture::{Options, Theme};

use crate::args::{PictureLayout, PictureTheme};
use crate::context::Context;
use crate::output::{bytes as human_bytes, counted, say};
use crate::progress::Progress;

/// What is to be drawn, and where to.
pub struct Wish<'a> {
    pub output: &'a Path,
    pub options: Options,
    pub layout: PictureLayout,
    pub scale: u8,
    pub force: bool,
}

pub fn options(theme: PictureTheme, width: u32, height: u32, hide: &[String], legend: bool) -> Options {
    let theme = if theme == PictureTheme::Dark { Theme::Dark } else { Theme::Light };
    Options { width, height, theme, view: None, hidden_types: hide.to_vec(), legend }
}

pub fn picture(context: &Context, wish: &Wish<'_>) -> Result<()> {
    let Wish { output, options, .. } = wish;
    let ending = output.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    if !["svg", "png", "html"].contains(&ending.as_str()) {
        bail!("`{}` must end in `.svg`, `.png` or `.html`: the ending says what is drawn", output.display());
    }
    if output.is_dir() {
        bail!("`{}` is a folder; name a file in it", output.display());
    }
    // A link that leads nowhere is there as well.
    if output.symlink_metadata().is_ok() && !wish.force {
        return Err(gm_engine::Error::FileExists { file: output.to_path_buf() }.into());
    }
    let graph = context.graph()?;
    let mut scene = graph.read(scene)?;
    if let Some(unknown) = options.hidden_types.iter().find(|t| !scene.types.contains(t)) {
        bail!("`--hide {unknown}`: no entity of this graph has that type");
    }
    let _progress = Progress::start("drawing");
    arrange_anew(&mut scene, wish.layout);
    let drawn = gm_api::drawn(graph.name(), &scene);
    let bytes = match ending.as_str() {
        "svg" => gm_picture::svg(&drawn, options).into_bytes(),
        "png" => gm_picture::png(&gm_picture::svg(&drawn, options), f32::from(wish.scale))?,
        _ => gm_picture::html(&drawn, options)
            .context("the page's script was not built into this program; run `cargo xtask run` once")?
            .into_bytes(),
    };
    write_bytes(output, &bytes)?;
    let is_shown = |node: u32| {
        let of = scene.type_index[node as usize] as usize;
        scene.types.get(of).is_none_or(|of| !options.hidden_types.contains(of))
    };
    let n_nodes = (0..scene.names.len() as u32).filter(|&node| is_shown(node)).count();
    let ends = scene.edge_source.iter().zip(&scene.edge_target);
    let n_edges = ends.filter(|(s, t)| is_shown(**s) && is_shown(**t)).count();
    say(format!(
        "drew {} and {} to {} ({})",
        counted(n_nodes as u64, "entity", "entities"),
        counted(n_edges as u64, "relationship", "relationships"),
        output.display(),
        human_bytes(bytes.len() as u64)
    ));
    Ok(())
}

fn arrange_anew(scene: &mut Scene, layout: PictureLayout) {
    let links: Vec<(u32, u32)> =
        scene.edge_source.iter().copied().zip(scene.edge_target.iter().copied()).collect();
    let (n, types) =
        (scene.names.len(), scene.type_index.iter().map(|&of| u32::from(of)).collect::<Vec<_>>());
    let placed = match layout {
        PictureLayout::Saved => return,
        PictureLayout::Force => place(&vec![None; n], &links),
        PictureLayout::Circle => arrange(Arrangement::Circle, n, &links, &types),
        PictureLayout::Tree => arrange(Arrangement::Tree, n, &links, &types),
        PictureLayout::ByType => arrange(Arrangement::ByType, n, &links, &types),
    };
    scene.positions = placed.into_iter().flat_map(|p| [p.x, p.y]).collect();
}
