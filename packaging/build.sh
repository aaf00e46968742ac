#!/usr/bin/env bash
# Builds the Debian package and the RPM from one static executable: target/package/*.deb and *.rpm.
#
# Usage: packaging/build.sh [--deb] [path/to/crier]
#        packaging/build.sh --tools      compiles what builds the Debian package, and nothing else
#
# Without the path it builds the executable; --deb leaves the RPM out. cargo-deb and cargo-generate-rpm, whose settings
# are in Cargo.toml, are compiled once into target/package/tools: the first takes a minute of one core, the second five.
set -euo pipefail
cd "$(dirname "$0")/.."
deb_version=3.8.0 rpm_version=0.21.1
out=target/package

# Installs a tool where it is not there yet.
tool() {
    "$out/tools/bin/$1" --version 2>/dev/null | grep -q "$2" ||
        cargo install --quiet --locked --root "$out/tools" --target-dir "$out/tools/build" "$1@$2"
}
if [ "${1:-}" = --tools ]; then
    tool cargo-deb $deb_version
    exit
fi
is_rpm_wanted=1
if [ "${1:-}" = --deb ]; then
    is_rpm_wanted=
    shift
fi
crier=${1:-}
if [ -z "$crier" ]; then
    # It says itself where the executable is: a folder of builds has several.
    crier=$(cargo build --locked --profile dist --bin crier --message-format json-render-diagnostics |
        sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1)
fi
# A dynamic one would need libraries that the packages do not ask for.
if ! ldd "$crier" 2>&1 | grep -qE "statically linked|not a dynamic executable"; then
    echo "$crier is not linked statically: see .cargo/config.toml" >&2
    exit 1
fi

# What Cargo.toml names: the executable, and what it says of itself.
rm -rf "$out/root" "$out"/*.deb "$out"/*.rpm
mkdir -p "$out/root/man" "$out/root/completions"
install -m 755 "$crier" "$out/root/crier"
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$out/root/crier"
"$crier" man "$out/root/man" >/dev/null
gzip -9n "$out"/root/man/*.1
for shell in bash zsh fish; do
    "$crier" completions $shell >"$out/root/completions/$shell"
done
gzip -9nc packaging/debian/changelog >"$out/root/changelog.gz"

tool cargo-deb $deb_version
"$out/tools/bin/cargo-deb" --quiet --no-build --no-strip --output "$out/"
ls "$out"/*.deb
if [ -n "$is_rpm_wanted" ]; then
    tool cargo-generate-rpm $rpm_version
    "$out/tools/bin/cargo-generate-rpm" --output "$out/" --payload-compress zstd
    ls "$out"/*.rpm
fi
rm -rf "$out/tools/build"
