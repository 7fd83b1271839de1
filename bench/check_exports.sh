#!/usr/bin/env bash
# Tries every exported format on the programs that it is for: Pixar's USD, VTK (as in ParaView), numpy, Blender.
#
#     bench/check_exports.sh [FOLDER]     # needs Python 3.11, cargo and a network; FOLDER keeps what is fetched and made
#
# Prints a line for each check. Fails if one fails; a program that cannot be had is SKIPPED.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here/.scratch/exports}
files=$folder/files
mkdir -p "$folder"
rm -rf "$files"

# A virtual environment of its own for each set of programs: they bring libraries of the same name.
environment() {
    local home=$folder/$1
    shift
    [ -x "$home/bin/python" ] || python3 -m venv "$home"
    "$home/bin/python" -m pip install --quiet --disable-pip-version-check "$@"
}

cargo run --quiet --manifest-path "$here/../Cargo.toml" -p ondine-io --example export_all -- "$files"

environment readers usd-core==26.11 pyvista==0.49.1 numpy
"$folder/readers/bin/python" "$here/check_exports.py" readers "$files"

if environment blender bpy==5.0.1 numpy; then
    "$folder/blender/bin/python" "$here/check_exports.py" blender "$files"
else
    echo "SKIPPED  Blender: the package bpy 5.0.1 cannot be had here (see pip's words above)"
fi
