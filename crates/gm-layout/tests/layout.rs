//! The layout against the exact sum, and what every graph may expect of it.

use gm_layout::{ChargeTree, Parameters, Point, Simulation, place};
use proptest::prelude::*;

const REACH: f32 = 1.0e6;

fn scatter(n: usize, seed: u64) -> Vec<Point> {
    let mut state = seed | 1;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1u64 << 24) as f32 * 1000.0 - 500.0
    };
    (0..n).map(|_| Point::new(random(), random())).collect()
}

fn exact(points: &[Point], charges: &[f32]) -> Vec<(f64, f64)> {
    points
        .iter()
        .enumerate()
        .map(|(i, on)| {
            let mut sum = (0.0, 0.0);
            for (j, from) in points.iter().enumerate().filter(|(j, _)| *j != i) {
                let (dx, dy) = (f64::from(from.x - on.x), f64::from(from.y - on.y));
                let squared = dx * dx + dy * dy;
                let squared = if squared < 1.0 { squared.sqrt() } else { squared };
                sum.0 += dx * f64::from(charges[j]) / squared;
                sum.1 += dy * f64::from(charges[j]) / squared;
            }
            sum
        })
        .collect()
}

fn rms_error(points: &[Point], theta: f32) -> f64 {
    let charges: Vec<f32> = (0..points.len()).map(|i| -30.0 - (i % 7) as f32).collect();
    let mut pushes = vec![Point::default(); points.len()];
    ChargeTree::build(points, &charges).push(&mut pushes, 1.0, theta, REACH);
    let exact = exact(points, &charges);
    let (mut error, mut size) = (0.0, 0.0);
    for (got, want) in pushes.iter().zip(&exact) {
        error += (f64::from(got.x) - want.0).powi(2) + (f64::from(got.y) - want.1).powi(2);
        size += want.0.powi(2) + want.1.powi(2);
    }
    (error / size).sqrt()
}

#[test]
fn an_opening_angle_of_zero_is_the_exact_sum() {
    let error = rms_error(&scatter(500, 3), 0.0);
    assert!(error < 1e-4, "RMS error {error}");
}

#[test]
fn the_usual_opening_angle_stays_near_the_exact_sum() {
    let error = rms_error(&scatter(2_000, 7), 0.9);
    assert!(error < 0.02, "RMS error {error}");
}

#[test]
fn known_places_stay_and_new_nodes_appear_beside_their_neighbours() {
    let known = [Some(Point::new(10.0, 20.0)), Some(Point::new(500.0, 20.0)), None, None];
    let placed = place(&known, &[(0, 1), (1, 2)]);
    assert_eq!(&placed[..2], &[Point::new(10.0, 20.0), Point::new(500.0, 20.0)]);
    let beside = (placed[2].x - 500.0).hypot(placed[2].y - 20.0);
    assert!(beside < 60.0, "placed {beside} from its only neighbour");
    assert!(placed[3].x.is_finite(), "a node linked to nothing has a place too");
}

#[test]
fn linked_nodes_end_nearer_than_unlinked_ones() {
    let edges: Vec<(u32, u32)> = (0..99).map(|i| (i, i + 1)).collect();
    let placed = place(&vec![None; 100], &edges);
    let distance = |a: usize, b: usize| (placed[a].x - placed[b].x).hypot(placed[a].y - placed[b].y);
    let linked: f32 = (0..99).map(|i| distance(i, i + 1)).sum::<f32>() / 99.0;
    let unlinked: f32 = (0..50).map(|i| distance(i, i + 50)).sum::<f32>() / 50.0;
    assert!(linked * 3.0 < unlinked, "linked {linked}, unlinked {unlinked}");
}

proptest! {
    #[test]
    fn places_are_finite_pins_hold_and_runs_repeat(
        n in 0usize..60,
        raw in proptest::collection::vec((0u32..60, 0u32..60), 0..120),
        same in any::<bool>(),
    ) {
        let edges: Vec<(u32, u32)> = raw.into_iter().filter(|(a, b)| (*a as usize) < n && (*b as usize) < n).collect();
        let start: Vec<Point> = if same { vec![Point::default(); n] } else { scatter(n, 5) };
        let run = || {
            let pinned: Vec<bool> = (0..n).map(|i| i % 5 == 0).collect();
            let mut simulation = Simulation::new(start.clone(), &edges, pinned, Parameters::default());
            for _ in 0..30 {
                simulation.step();
            }
            simulation.into_points()
        };
        let end = run();
        prop_assert!(end.iter().all(|p| p.x.is_finite() && p.y.is_finite()));
        prop_assert!(end.iter().zip(&start).step_by(5).all(|(a, b)| a == b), "pinned nodes stay");
        prop_assert_eq!(end, run());
        prop_assert!(place(&vec![None; n], &edges).iter().all(|p| p.x.is_finite()));
    }
}
