//! The layout against the exact sum, and what every graph may expect of it.

use std::time::Duration;

use gm_layout::{
    Arrangement, ChargeTree, Mobility, Opening, Order, Parameters, Point, Simulation, Supervisor, Topology,
    arrange, communities, modularity, place,
};
use proptest::prelude::*;

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
    let mut tree = ChargeTree::default();
    tree.build(points, &charges);
    let opening = Opening { theta, distance_min: 1.0, distance_max: f32::INFINITY };
    tree.push(&mut pushes, 1.0, opening, |_| true);
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
    assert!(error < 0.01, "RMS error {error}");
    // Large enough that the tree is built in parts.
    let error = rms_error(&scatter(5_000, 9), 0.9);
    assert!(error < 0.01, "RMS error {error}");
}

#[test]
fn bodies_on_one_spot_part_and_nothing_is_lost() {
    for n in [2, 17, 3_000, 20_000] {
        let mut simulation = Simulation::new(vec![Point::new(5.0, 5.0); n], &[], Parameters::explorer());
        for _ in 0..40 {
            simulation.step();
        }
        let points = simulation.points();
        assert!(points.iter().all(|p| p.is_finite()), "{n} bodies");
        let mut places: Vec<(i32, i32)> = points.iter().map(|p| (p.x as i32, p.y as i32)).collect();
        places.sort_unstable();
        places.dedup();
        assert!(places.len() * 2 > n, "{n} bodies in {} places", places.len());
    }
}

#[test]
fn parameters_out_of_all_bounds_leave_finite_places() {
    let links: Vec<(u32, u32)> = (0..199).map(|i| (i, i / 2)).collect();
    for charge in [-1e9, 1e9, 0.0] {
        for (distance, strength, gravity) in [(1e9, 1e3, 0.0), (0.0, -1e3, 1e3), (30.0, 1.0, -10.0)] {
            let parameters = Parameters {
                charge,
                link_distance: distance,
                link_strength: strength,
                gravity_x: gravity,
                gravity_y: gravity,
                velocity_decay: 0.0,
                ..Parameters::explorer()
            };
            let mut start = scatter(200, 3);
            start[7] = Point::new(f32::NAN, f32::INFINITY);
            let mut simulation = Simulation::new(start, &links, parameters);
            for _ in 0..200 {
                simulation.step();
            }
            assert!(simulation.points().iter().all(|p| p.is_finite()), "{parameters:?}");
        }
    }
}

#[test]
fn a_leash_holds_and_what_is_fixed_stays() {
    let start = scatter(300, 11);
    let links: Vec<(u32, u32)> = (1..300).map(|i| (i - 1, i)).collect();
    let mut simulation = Simulation::new(start.clone(), &links, Parameters::explorer());
    let mobility = (0..300).map(|i| [Mobility::Fixed, Mobility::Leashed, Mobility::Free][i % 3]).collect();
    simulation.set_mobility(mobility, start.clone(), 6.0);
    for _ in 0..50 {
        simulation.step();
    }
    for (node, (before, now)) in start.iter().zip(simulation.points()).enumerate() {
        let moved = (before.x - now.x).hypot(before.y - now.y);
        let most = [0.0, 6.001, f32::INFINITY][node % 3];
        assert!(moved <= most, "node {node} moved {moved}");
    }
}

#[test]
fn parts_that_are_not_linked_are_packed_side_by_side() {
    // Thirty rings of twelve, and forty nodes alone.
    let links: Vec<(u32, u32)> = (0..360).map(|i| (i, i / 12 * 12 + (i + 1) % 12)).collect();
    let placed = place(&vec![None; 400], &links);
    let boxes: Vec<[f32; 4]> = (0..30)
        .map(|ring| {
            let part = &placed[ring * 12..ring * 12 + 12];
            let xs = part.iter().map(|p| p.x);
            let ys = part.iter().map(|p| p.y);
            [
                xs.clone().fold(f32::MAX, f32::min),
                xs.fold(f32::MIN, f32::max),
                ys.clone().fold(f32::MAX, f32::min),
                ys.fold(f32::MIN, f32::max),
            ]
        })
        .collect();
    for (a, first) in boxes.iter().enumerate() {
        for second in &boxes[a + 1..] {
            let apart =
                first[1] < second[0] || second[1] < first[0] || first[3] < second[2] || second[3] < first[2];
            // A ring may stand in the hollow of none other: they are alike.
            assert!(apart, "{first:?} and {second:?}");
        }
    }
    let reach = placed.iter().map(|p| p.x.hypot(p.y)).fold(0.0, f32::max);
    let area: f32 = boxes.iter().map(|b| (b[1] - b[0] + 80.0) * (b[3] - b[2] + 80.0)).sum();
    assert!(reach * reach < area * 1.6, "flung apart: reach {reach}, area {area}");
}

#[test]
fn a_grid_does_not_open_folded_over() {
    let (wide, high) = (30u32, 30u32);
    let links: Vec<(u32, u32)> = (0..wide * high)
        .flat_map(|i| {
            let right = (i % wide + 1 < wide).then_some((i, i + 1));
            let down = (i / wide + 1 < high).then_some((i, i + wide));
            right.into_iter().chain(down)
        })
        .collect();
    let p = place(&vec![None; (wide * high) as usize], &links);
    // The little squares have the same turn, but for some at the rim; a picture folded over has two halves.
    let turn = |a: usize, b: usize, c: usize| {
        (p[b].x - p[a].x) * (p[c].y - p[a].y) - (p[b].y - p[a].y) * (p[c].x - p[a].x)
    };
    let squares = (0..29usize).flat_map(|y| (0..29usize).map(move |x| y * 30 + x));
    let positive = squares.clone().filter(|&i| turn(i, i + 1, i + 30) > 0.0).count();
    let same = positive.max(squares.count() - positive);
    assert!(same >= 700, "{same} of 841 squares lie the same way round");
}

#[test]
fn the_links_of_a_mesh_end_alike_and_only_those() {
    let side = 24u32;
    let grid: Vec<(u32, u32)> = (0..side * side)
        .flat_map(|i| {
            let right = (i % side + 1 < side).then_some((i, i + 1));
            right.into_iter().chain((i / side + 1 < side).then_some((i, i + side)))
        })
        .collect();
    let settled = |links: &[(u32, u32)], n: usize| {
        let mut simulation = Simulation::new(place(&vec![None; n], links), links, Parameters::explorer());
        simulation.set_alpha(0.3);
        simulation.plan(150);
        let mut last = Vec::new();
        while !simulation.is_settled() {
            last = simulation.points().to_vec();
            simulation.step();
        }
        (simulation.into_points(), last)
    };
    let (points, _) = settled(&grid, (side * side) as usize);
    let lengths: Vec<f32> = grid
        .iter()
        .map(|&(a, b)| {
            let (a, b) = (points[a as usize], points[b as usize]);
            (a.x - b.x).hypot(a.y - b.y)
        })
        .collect();
    let mean = lengths.iter().sum::<f32>() / lengths.len() as f32;
    let variance = lengths.iter().map(|l| (l - mean).powi(2)).sum::<f32>() / lengths.len() as f32;
    let variation = variance.sqrt() / mean;
    // Without evening out it is 0.51.
    assert!(variation < 0.45, "{variation}");

    // A star has no mesh: its last tick moves nothing but what the forces move, which is next to nothing.
    let star: Vec<(u32, u32)> = (1..40).map(|leaf| (0, leaf)).collect();
    let (points, before) = settled(&star, 40);
    let furthest = points.iter().zip(&before).map(|(a, b)| (a.x - b.x).hypot(a.y - b.y)).fold(0.0, f32::max);
    assert!(furthest < 1.0, "{furthest}");
}

#[test]
fn arrangements_give_every_node_a_place_of_its_own() {
    let links: Vec<(u32, u32)> = (1..200u32).map(|i| (i / 3, i)).chain([(250, 251)]).collect();
    let types: Vec<u32> = (0..300).map(|i| i % 5).collect();
    for arrangement in [Arrangement::Circle, Arrangement::Tree, Arrangement::ByType] {
        let placed = arrange(arrangement, 300, &links, &types);
        for (a, p) in placed.iter().enumerate() {
            assert!(p.is_finite());
            for q in &placed[a + 1..] {
                assert!((p.x - q.x).hypot(p.y - q.y) > 10.0, "{arrangement:?}: {p:?} and {q:?}");
            }
        }
        assert_eq!(placed, arrange(arrangement, 300, &links, &types));
        assert!(arrange(arrangement, 0, &[], &[]).is_empty());
        assert_eq!(arrange(arrangement, 1, &[(0, 0)], &[0]).len(), 1);
    }
}

/// Zachary's karate club (1977), whose best division has modularity 0.4198.
const KARATE: &str = "2 1 3 1 3 2 4 1 4 2 4 3 5 1 6 1 7 1 7 5 7 6 8 1 8 2 8 3 8 4 9 1 9 3 10 3 11 1 11 5 11 6 12 1 \
    13 1 13 4 14 1 14 2 14 3 14 4 17 6 17 7 18 1 18 2 20 1 20 2 22 1 22 2 26 24 26 25 28 3 28 24 28 25 29 3 30 24 \
    30 27 31 2 31 9 32 1 32 25 32 26 32 29 33 3 33 9 33 15 33 16 33 19 33 21 33 23 33 24 33 30 33 31 33 32 34 9 34 10 \
    34 14 34 15 34 16 34 19 34 20 34 21 34 23 34 24 34 27 34 28 34 29 34 30 34 31 34 32 34 33";

#[test]
fn communities_reach_the_modularity_that_is_known() {
    let numbers: Vec<u32> = KARATE.split_whitespace().map(|n| n.parse::<u32>().unwrap() - 1).collect();
    let links: Vec<(u32, u32)> = numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect();
    assert_eq!(links.len(), 78);
    let found = communities(34, &links, &[]);
    assert!(found.modularity > 0.41, "{found:?}");
    assert_eq!((found.n, found.of.len()), (4, 34));
    assert!((modularity(34, &links, &[], &found.of) - found.modularity).abs() < 1e-9);
    assert!(modularity(34, &links, &[], &[0; 34]).abs() < 1e-9, "one group has none");
}

#[test]
fn a_supervisor_settles_and_rests() {
    let supervisor = Supervisor::start().unwrap();
    let links: Vec<(u32, u32)> = (1..50).map(|i| (i / 2, i)).collect();
    let start = |version, quiet| Order::Start {
        topology: Topology { version, links: links.clone(), weights: Vec::new(), radii: vec![5.0; 50] },
        points: scatter(50, 4),
        pinned: vec![7],
        alpha: Some(1.0),
        quiet,
    };
    supervisor.order(start(1, false));
    let (mut serial, mut n_frames) = (0, 0);
    let last = loop {
        let frame = supervisor.frame_after(serial, Duration::from_secs(10)).expect("a frame");
        assert!(frame.serial > serial);
        (serial, n_frames) = (frame.serial, n_frames + 1);
        assert_eq!(frame.version, 1);
        assert_eq!(frame.points[7], scatter(50, 4)[7], "pinned");
        if frame.settled {
            break frame;
        }
    };
    assert!(n_frames > 5 && last.points.iter().all(|p| p.is_finite()));
    assert!(supervisor.frame_after(serial, Duration::from_millis(60)).is_none(), "at rest nothing comes");
    // One frame where motion is not wanted; of two layouts, the later.
    supervisor.order(start(2, true));
    supervisor.order(start(3, true));
    let frame = supervisor.frame_after(serial, Duration::from_secs(10)).expect("the end");
    assert!((frame.version, frame.settled) == (3, true));
    // What is held keeps it going; what is let go comes to rest there.
    supervisor.order(start(4, false));
    supervisor.order(Order::Hold { nodes: vec![(3, Point::new(900.0, 0.0))] });
    let mut serial = frame.serial;
    for _ in 0..100 {
        let frame = supervisor.frame_after(serial, Duration::from_secs(10)).expect("it goes on");
        assert!(!frame.settled);
        serial = frame.serial;
    }
    supervisor.order(Order::Release);
    loop {
        let frame = supervisor.frame_after(serial, Duration::from_secs(10)).expect("a frame");
        serial = frame.serial;
        if frame.settled {
            assert_eq!(frame.points[3], Point::new(900.0, 0.0));
            break;
        }
    }
    // A long quiet layout gives way to what comes after it.
    let many: Vec<Point> = scatter(60_000, 8);
    let long = Order::Start {
        topology: Topology { version: 6, radii: vec![5.0; many.len()], ..Topology::default() },
        points: many,
        pinned: Vec::new(),
        alpha: Some(f32::NAN),
        quiet: true,
    };
    supervisor.order(long);
    std::thread::sleep(Duration::from_millis(30));
    supervisor.order(start(7, true));
    let next = supervisor.frame_after(serial, Duration::from_secs(20)).expect("the end");
    assert_eq!(next.version, 7);
    supervisor.order(start(5, false));
    supervisor.order(Order::Stop);
    std::thread::sleep(Duration::from_millis(50));
    assert!(supervisor.frame_after(0, Duration::from_millis(50)).is_none(), "stopped");
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
    /// Whatever the places: spread out, in heaps, on a line, many on one spot.
    #[test]
    fn the_error_of_the_charge_stays_below_one_percent(
        n in 2usize..1_500,
        seed in any::<u64>(),
        heaps in 1usize..6,
        flatness in 0.0f32..1.0,
    ) {
        let points: Vec<Point> = scatter(n, seed)
            .into_iter()
            .enumerate()
            .map(|(i, p)| {
                let heap = (i % heaps) as f32;
                Point::new(p.x / heaps as f32 + heap * 700.0, p.y * flatness + heap * heap * 90.0)
            })
            .collect();
        let error = rms_error(&points, 0.9);
        prop_assert!(error < 0.01, "RMS error {}", error);
    }

    #[test]
    fn communities_are_never_worse_than_none(
        n in 0usize..80,
        raw in proptest::collection::vec((0u32..80, 0u32..80), 0..200),
    ) {
        let links: Vec<(u32, u32)> = raw.into_iter().filter(|(a, b)| (*a as usize) < n && (*b as usize) < n).collect();
        let found = communities(n, &links, &[]);
        prop_assert_eq!(found.of.len(), n);
        prop_assert!(found.modularity >= -1e-9);
        // Linked nodes may be apart, but a group is never made of parts without links between them.
        let n_groups = found.of.iter().max().map_or(0, |&m| m as usize + 1);
        prop_assert_eq!(found.n, n_groups);
        let alone = (0..n as u32).filter(|&i| links.iter().all(|(a, b)| a == b || (*a != i && *b != i)));
        for node in alone {
            prop_assert_eq!(found.of.iter().filter(|&&g| g == found.of[node as usize]).count(), 1);
        }
    }

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
            let mut simulation = Simulation::new(start.clone(), &edges, Parameters::explorer());
            for node in (0..n).filter(|&i| pinned[i]) {
                simulation.pin(node, start[node]);
            }
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
