#!/usr/bin/env bash
# Makes the pictures of the README anew, with the program itself.
set -euo pipefail
cd "$(dirname "$0")"
ondine() { cargo run --quiet --release --package ondine-cli -- "$@"; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

picture() { # scene, frame
    ondine bake "$1" -o "$scratch/$1" --frames "$2" --export ply
    ondine render "$scratch/$1" --frames "$2" --size 384x216 --quality good
    cp "$scratch/$1/frames/$(printf %04d "$2").png" "$1.png"
}
picture honey 75
picture light_rabbit 100
picture golden_shower 80
picture wave 20
picture pour 80
picture spinning_figure 50

ondine bake fountain -o "$scratch/fountain" --size 640x360
ondine film "$scratch/fountain" -o fountain.gif --width 320 --every 3
