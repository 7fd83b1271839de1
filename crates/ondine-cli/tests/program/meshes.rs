//! Meshes beside a scene: found, kept, and copied with the bake.

use crate::bakery::{Bakery, Outcome, SCENE, files_in};
use std::fs;

/// A prism across the plane.
const WEDGE: &str = "v 0 0 -50\nv 10 0 -50\nv 0 10 -50\nv 0 0 50\nv 10 0 50\nv 0 10 50
f 1 3 2\nf 4 5 6\nf 1 2 5 4\nf 2 3 6 5\nf 3 1 4 6\n";

/// [`SCENE`] with a mesh in the tank, in a folder of its own.
fn bakery() -> Result<Bakery, Box<dyn std::error::Error>> {
    let bakery = Bakery::new()?;
    let wedge = "[[object]]\nname = \"wedge\"\nshape.mesh = { file = \"parts/wedge.obj\", scale = 0.02 }\n";
    fs::create_dir_all(bakery.path("film/parts"))?;
    fs::write(bakery.path("film/parts/wedge.obj"), WEDGE)?;
    fs::write(bakery.path("film/mesh.toml"), format!("{SCENE}\n{wedge}"))?;
    Ok(bakery)
}

#[test]
fn a_bake_with_meshes_stands_alone() -> Outcome {
    let bakery = bakery()?;
    bakery.ondine("bake film/mesh.toml -o whole").with(0);
    bakery.ondine("bake film/mesh.toml -o parts --frames 3").with(0);
    bakery.ondine("bake film/mesh.toml -o parts --frames 5 --resume").with(0).saying(&["from frame 3"]);
    fs::remove_dir_all(bakery.path("film"))?;
    bakery.ondine("bake --resume -o parts").with(0).saying(&["from frame 5"]);
    bakery.assert_same("whole", "parts")?;
    bakery.ondine("bake parts/scene.toml -o again").with(0);
    bakery.assert_same("whole", "again")
}

#[test]
fn a_mesh_that_changed_is_another_scene() -> Outcome {
    let bakery = bakery()?;
    bakery.ondine("bake film/mesh.toml -o out --frames 2").with(0);
    fs::write(bakery.path("film/parts/wedge.obj"), WEDGE.replace("v 0 10 ", "v 0 11 "))?;
    let told = bakery.ondine("bake film/mesh.toml -o out --resume");
    assert_ne!(told.status, Some(0));
    told.saying(&["another scene", "object.wedge.shape.mesh.file"]);
    bakery.ondine("bake film/mesh.toml -o out --frames 2 --overwrite").with(0);
    assert_eq!(files_in(&bakery.path("out/meshes"))?.len(), 1, "the old copy is gone");
    Ok(())
}

#[test]
fn fields_are_kept_and_a_missing_mesh_is_told() -> Outcome {
    let bakery = bakery()?;
    bakery.ondine("check film/mesh.toml").with(0);
    assert_eq!(files_in(&bakery.path("cache"))?.len(), 1);
    fs::remove_file(bakery.path("film/parts/wedge.obj"))?;
    let told = bakery.ondine("check film/mesh.toml");
    assert_ne!(told.status, Some(0));
    told.saying(&["wedge.obj", "check the name", "shape.mesh = { file"]);
    Ok(())
}
