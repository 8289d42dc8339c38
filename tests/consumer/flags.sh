#!/bin/sh
# flags.sh PREFIX ROOT SCRATCH: compiles numbers.cpp by pkg-config, without our flags, with them, with others
# and under the address sanitizer. All programs print the same numbers.
set -eu
prefix=$1 root=$2 scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name ardent.pc)")
export PKG_CONFIG_PATH
eigen=$(pkg-config --cflags eigen3 | sed 's/-I/-isystem /g')  # its warnings are not ours

# variant NAME FLAG...: compiles and runs.
variant() {
  name=$1
  shift
  # pkg-config quotes as for a shell: spaces in paths have a backslash.
  eval "c++ -std=c++20 -Wall -Wextra $eigen $* '$root/tests/consumer/numbers.cpp' -o $name \
    $(pkg-config --cflags --libs ardent)"
  ./"$name" >"$name.txt" || { cat "$name.txt"; echo "$name failed"; exit 1; }
  cmp plain.txt "$name.txt"
}
variant plain -O0
variant ours -O0 -march=x86-64-v3 -DEIGEN_MAX_ALIGN_BYTES=64 -fno-math-errno -ffp-contract=off
variant address -O0 -fsanitize=address -DEIGEN_MAX_ALIGN_BYTES=16
if grep -q avx512f /proc/cpuinfo; then variant avx512 -O0 -mavx512f -mfma; fi
echo "$(wc -l <plain.txt) lines"
