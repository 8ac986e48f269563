//! The whole picture as bytes: a JSON header with the texts, then the numbers as little-endian
//! columns, each aligned to four bytes. The explorer reads the columns in place.
//!
//! ```text
//! u32 header length | header JSON | padding | columns in the header's order
//! ```

use gm_engine::scene::Scene;
use serde_json::json;

pub(crate) fn encode(graph: &str, scene: &Scene) -> Vec<u8> {
    let header = json!({
        "graph": graph,
        "seq": scene.seq,
        "settled": scene.settled,
        "types": scene.types,
        "edgeTypes": scene.edge_types,
        "ids": scene.ids,
        "names": scene.names,
        "edgeIds": scene.edge_ids,
    })
    .to_string();
    let numbers = scene.positions.len() * 4 + scene.edge_source.len() * 16 + scene.ids.len() * 3 + 32;
    let mut out = Vec::with_capacity(header.len() + numbers + 16);
    out.extend((header.len() as u32).to_le_bytes());
    out.extend(header.as_bytes());
    align(&mut out);
    out.extend(scene.positions.iter().flat_map(|v| v.to_le_bytes()));
    out.extend(scene.edge_source.iter().flat_map(|v| v.to_le_bytes()));
    out.extend(scene.edge_target.iter().flat_map(|v| v.to_le_bytes()));
    out.extend(scene.edge_weight.iter().flat_map(|v| v.to_le_bytes()));
    out.extend(scene.type_index.iter().flat_map(|v| v.to_le_bytes()));
    align(&mut out);
    out.extend(scene.edge_type_index.iter().flat_map(|v| v.to_le_bytes()));
    align(&mut out);
    out.extend(&scene.pinned);
    align(&mut out);
    out
}

fn align(out: &mut Vec<u8>) {
    while !out.len().is_multiple_of(4) {
        out.push(b' ');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_complete() {
        let scene = Scene {
            ids: vec!["a".into(), "é".into(), "c".into()],
            names: vec!["A".into(), "漢字".into(), "C".into()],
            type_index: vec![0, 1, 0],
            positions: vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
            pinned: vec![0, 1, 0],
            edge_ids: vec!["e".into()],
            edge_source: vec![2],
            edge_target: vec![0],
            edge_type_index: vec![0],
            edge_weight: vec![0.5],
            ..Scene::default()
        };
        let bytes = encode("default", &scene);
        assert!(bytes.len().is_multiple_of(4));
        let header = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
        let json: serde_json::Value = serde_json::from_slice(&bytes[4..4 + header]).unwrap();
        assert_eq!(json["ids"][1], "é");
        let start = (4 + header).next_multiple_of(4);
        assert_eq!(f32::from_le_bytes(bytes[start..start + 4].try_into().unwrap()), 1.0);
        let columns = 6 * 4 + 4 + 4 + 4 + (3 * 2usize).next_multiple_of(4) + 4 + 4;
        assert_eq!(bytes.len(), start + columns);
    }
}
