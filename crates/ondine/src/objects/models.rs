//! Ready-made figures, as blends that anybody could write in a scene file.

use crate::scene::{Blend, Model, Part, Shape};

/// A model as a blend.
pub fn shape(model: Model, height: f32) -> Shape {
    let parts = match model {
        Model::Rabbit | Model::Figure | Model::Stool | Model::Cup | Model::Teapot => {
            vec![Part::new(Shape::Capsule { radius: 0.25, height: 0.5 }, [0.0; 3])]
        }
    };
    let whole = Shape::Union(Blend { of: parts, smooth: 0.05 });
    Shape::Union(Blend { of: vec![Part { scale: height, ..Part::new(whole, [0.0; 3]) }], smooth: 0.0 })
}
