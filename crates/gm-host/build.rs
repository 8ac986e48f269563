//! New files among the built pages must be embedded too.

fn main() {
    println!("cargo:rerun-if-changed=../../ui/dist");
}
