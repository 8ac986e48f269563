//! The picture as PNG, drawn from the SVG by resvg.

use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

/// Four bytes each: half a gigabyte while it is drawn.
const MAX_PIXELS: u64 = 128 << 20;

/// Why there is no PNG.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PngError {
    /// No room for so many pixels.
    TooLarge,
    /// The SVG is not one of ours.
    Unreadable,
}

impl std::fmt::Display for PngError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::TooLarge => "the picture is too large to be drawn as PNG; choose a smaller size",
            Self::Unreadable => "the picture cannot be drawn as PNG",
        })
    }
}

impl std::error::Error for PngError {}

/// Draws an SVG of ours, `scale` pixels for each of its own, with the fonts of this machine.
///
/// # Errors
/// [`PngError::TooLarge`] when there is no memory for it.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    let fonts = FONTS.get_or_init(|| {
        let mut fonts = fontdb::Database::new();
        fonts.load_system_fonts();
        // What `sans-serif` and `system-ui` mean is known to the desktop, not to us.
        let families = ["Noto Sans", "DejaVu Sans", "Segoe UI", "Helvetica Neue", "Arial", "Liberation Sans"];
        let has =
            |name: &&&str| fonts.faces().any(|face| face.families.iter().any(|(family, _)| family == **name));
        if let Some(family) = families.iter().find(has) {
            fonts.set_sans_serif_family(*family);
        }
        Arc::new(fonts)
    });
    let options = Options { fontdb: fonts.clone(), font_family: "sans-serif".into(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|_| PngError::Unreadable)?;
    let size = tree.size();
    let (wide, high) = ((size.width() * scale).ceil() as u32, (size.height() * scale).ceil() as u32);
    if u64::from(wide) * u64::from(high) > MAX_PIXELS {
        return Err(PngError::TooLarge);
    }
    let mut pixels = Pixmap::new(wide, high).ok_or(PngError::TooLarge)?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|_| PngError::TooLarge)
}
