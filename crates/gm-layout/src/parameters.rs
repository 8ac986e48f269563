//! What a person can turn.

/// The forces' settings, by d3-force's names and with its defaults. What d3 has no word for is said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameters {
    /// `manyBody.strength`: charge of a node without size; negative pushes.
    pub charge: f32,
    /// More of it per unit of a node's radius (ours).
    pub charge_per_radius: f32,
    /// `manyBody.theta`: the opening angle; 0 is the exact sum.
    pub theta: f32,
    /// `manyBody.distanceMin`: nearer bodies push as if they were further.
    pub distance_min: f32,
    /// `manyBody.distanceMax`: beyond it nothing pushes.
    pub distance_max: f32,
    /// `link.distance`, between the rims of two dots.
    pub link_distance: f32,
    /// Multiplies `link.strength`, which is 1 / the lesser degree of the two ends.
    pub link_strength: f32,
    /// `x.strength` and `y.strength` towards the origin.
    pub gravity_x: f32,
    pub gravity_y: f32,
    /// `collide.strength`; 0 leaves it out, as does a graph of more than ten thousand nodes.
    pub collide_strength: f32,
    /// Kept free round a dot in `collide` (ours).
    pub collide_padding: f32,
    pub velocity_decay: f32,
    pub alpha_min: f32,
    pub alpha_decay: f32,
    pub alpha_target: f32,
}

impl Default for Parameters {
    /// d3-force as it comes, with charge and links and without gravity or collision.
    fn default() -> Self {
        Self {
            charge: -30.0,
            charge_per_radius: 0.0,
            theta: 0.9,
            distance_min: 1.0,
            distance_max: f32::INFINITY,
            link_distance: 30.0,
            link_strength: 1.0,
            gravity_x: 0.0,
            gravity_y: 0.0,
            collide_strength: 0.0,
            collide_padding: 0.0,
            velocity_decay: 0.4,
            alpha_min: 0.001,
            alpha_decay: 1.0 - 0.977_237_2,
            alpha_target: 0.0,
        }
    }
}

impl Parameters {
    /// The explorer's picture: dots with room for labels, wider than high as windows are.
    pub fn explorer() -> Self {
        Self {
            charge: -260.0,
            charge_per_radius: -14.0,
            distance_max: 1200.0,
            link_distance: 48.0,
            gravity_x: 0.026,
            gravity_y: 0.045,
            collide_strength: 0.7,
            collide_padding: 8.0,
            velocity_decay: 0.42,
            alpha_min: 0.004,
            ..Self::default()
        }
    }

    /// The decay with which `ticks` remain from `alpha` to the end.
    #[must_use]
    pub fn decay_over(&self, alpha: f32, ticks: usize) -> f32 {
        let from = alpha.max(self.alpha_min * 1.01);
        1.0 - (self.alpha_min / from).powf(1.0 / ticks.max(1) as f32)
    }
}
