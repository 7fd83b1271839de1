//! What the fuzz targets share.

use ondine_io::mesh_in::{Format, parse};

/// Reads a mesh. It may be refused; if it is not, it must be what `Brought` promises.
pub fn read_mesh(bytes: &[u8], format: Format) {
    let brought = match parse(bytes, format, None) {
        Ok(brought) => brought,
        Err(refused) => {
            assert!(refused.to_string().len() < 1000, "errors must be short enough to read");
            return;
        }
    };
    let mesh = brought.mesh;
    let mut used = vec![false; mesh.points.len()];
    assert!(!mesh.triangles.is_empty());
    for [a, b, c] in mesh.triangles {
        assert!(a != b && b != c && c != a);
        [a, b, c].iter().for_each(|&i| used[i as usize] = true);
    }
    assert!(used.iter().all(|&u| u));
    assert!(mesh.points.iter().all(|p| p.is_finite()));
    brought.repairs.iter().for_each(|r| assert!(!r.to_string().is_empty()));
}
