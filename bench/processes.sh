#!/bin/sh
# Executions per second of real processes: three actors of ten additions each, results used.
# The second figure is by processor time of all processes together: per second and core.
set -e
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
cargo build --release -q -p mazurka-capi
cargo build --release -q -p mazurka-processes --example run
program=$(mktemp)
trap 'rm -f "$program"' EXIT
cc -O2 -static -w -Icrates/capi/include -o "$program" examples/c/adds.c "$target/release/libmazurka_c.a" 2>/dev/null
for _ in 1 2 3; do
    "$target/release/examples/run" "$program" | tail -1
done
