//! Pictures of a graph for an explorer.

use gm_engine::scene::{self, Scene};
use gm_picture::{Graph, MAX_SIDE, MIN_SIDE, Options, Theme, View};

use crate::app::{App, Caller};
use crate::commands::Result;
use crate::error::ApiError;
use crate::wire::{PictureFormat, PictureRequest};

/// Pixels of a PNG for each of the picture's own: sharp on any screen and on paper.
const PNG_SCALE: f32 = 2.0;

/// A scene as pictures are made from it.
pub fn drawn<'a>(title: &'a str, scene: &'a Scene) -> Graph<'a> {
    Graph {
        title,
        names: &scene.names,
        types: &scene.types,
        type_index: &scene.type_index,
        positions: &scene.positions,
        edge_types: &scene.edge_types,
        edge_source: &scene.edge_source,
        edge_target: &scene.edge_target,
        edge_type_index: &scene.edge_type_index,
        edge_weight: &scene.edge_weight,
    }
}

pub(crate) fn picture(app: &App, _: Caller, request: PictureRequest) -> Result<Vec<u8>> {
    let graph = app.graph(&request.graph)?;
    let scene = graph.read(scene::scene)?;
    let drawn = drawn(graph.name(), &scene);
    let options = Options {
        width: request.width.clamp(MIN_SIDE, MAX_SIDE),
        height: request.height.clamp(MIN_SIDE, MAX_SIDE),
        theme: if request.dark { Theme::Dark } else { Theme::Light },
        view: request.view.map(|[x, y, zoom]| View { x, y, zoom }),
        hidden_types: request.hidden_types,
        legend: request.legend,
    };
    match request.format {
        PictureFormat::Svg => Ok(gm_picture::svg(&drawn, &options).into_bytes()),
        PictureFormat::Png => gm_picture::png(&gm_picture::svg(&drawn, &options), PNG_SCALE)
            .map_err(|error| ApiError::new("too_large", error.to_string())),
        PictureFormat::Html => gm_picture::html(&drawn, &options)
            .map(String::into_bytes)
            .ok_or_else(|| ApiError::new("not_built", "the page's script was not built into this program")),
    }
}
