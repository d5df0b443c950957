#!/bin/sh
# Executions per second of real processes: three actors of ten additions each, results used, by a
# program that is linked statically and by one that is not. The second figure of each line is by
# processor time of all processes together: per second and core.
set -e
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
cargo build --release -q -p mazurka-capi
cargo build --release -q -p mazurka-processes --example run
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
library=$target/release/libmazurka_c.a
cc -O2 -w -Icrates/capi/include -o "$directory/dynamic" examples/c/adds.c "$library"
cc -O2 -static -w -Icrates/capi/include -o "$directory/static" examples/c/adds.c "$library" 2>/dev/null
for _ in 1 2 3; do
    for way in static dynamic; do
        printf '%-8s ' "$way"
        "$target/release/examples/run" "$directory/$way" | tail -1
    done
done
