//! A new build of the page's script must be embedded too.

fn main() {
    println!("cargo:rerun-if-changed=../../ui/dist-standalone");
}
