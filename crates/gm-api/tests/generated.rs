//! The committed TypeScript is the one these types make.

#[test]
fn generated_types_are_current() {
    let committed = include_str!("../../../ui/src/ipc/generated/wire.ts");
    assert_eq!(committed, gm_api::typescript(), "run `cargo xtask codegen`");
}
