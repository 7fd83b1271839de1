//! The regular grid of a distance field: nodes one cell apart, in blocks of four cells a side.
//!
//! While a field is built, lengths are counted in cells from the grid's low corner: tolerances then mean the same for
//! a ring and for a valley.

use glam::{DVec3, IVec3, Vec3};

/// Cells along the side of a block. Four, so that the 64 nodes of a block are the bits of one word.
pub const SIDE: i32 = 4;

/// Where the nodes are.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// The low corner [m].
    pub origin: DVec3,
    /// Distance between nodes [m].
    pub cell: f64,
    /// Number of blocks along each axis.
    pub blocks: IVec3,
}

impl Grid {
    /// A point in metres as a point in cells.
    pub fn in_cells(&self, p: Vec3) -> DVec3 {
        (p.as_dvec3() - self.origin) / self.cell
    }

    /// How many blocks there are.
    pub fn block_count(&self) -> usize {
        count(self.blocks)
    }

    /// The place of a block in lists of all blocks.
    pub fn block_number(&self, block: IVec3) -> usize {
        number(block, self.blocks)
    }

    /// The block of a place in lists.
    pub fn block(&self, number: usize) -> IVec3 {
        place(number, self.blocks)
    }

    /// Whether there is such a block.
    pub fn has_block(&self, block: IVec3) -> bool {
        block.cmpge(IVec3::ZERO).all() && block.cmplt(self.blocks).all()
    }

    /// Corners of blocks along each axis.
    pub fn corners(&self) -> IVec3 {
        self.blocks + 1
    }

    /// The place of a corner of blocks in lists of all corners.
    pub fn corner_number(&self, corner: IVec3) -> usize {
        number(corner, self.corners())
    }
}

/// The number of places in a box of places.
pub fn count(size: IVec3) -> usize {
    size.x as usize * size.y as usize * size.z as usize
}

/// Places in a box are numbered along x, then y, then z.
pub fn number(at: IVec3, size: IVec3) -> usize {
    (at.z as usize * size.y as usize + at.y as usize) * size.x as usize + at.x as usize
}

/// The place of a number.
pub fn place(number: usize, size: IVec3) -> IVec3 {
    let (x, y) = (size.x as usize, size.y as usize);
    IVec3::new((number % x) as i32, (number / x % y) as i32, (number / (x * y)) as i32)
}

/// All places of a box whose sides are `side` long.
pub fn places(side: i32) -> impl Iterator<Item = IVec3> {
    let size = IVec3::splat(side);
    (0..count(size)).map(move |i| place(i, size))
}
