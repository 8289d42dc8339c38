#!/bin/sh
# run.sh BUILD SOURCE DATA SCRATCH: installs BUILD to a prefix, builds the consumer in SOURCE
# against it with find_package(ardent), and runs it on DATA.
set -eu
build=$1 source=$2 data=$3 scratch=$4
rm -rf "$scratch"
cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
cmake -S "$source" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix" \
  -DCMAKE_CXX_FLAGS="${CONSUMER_FLAGS:-}" >/dev/null
cmake --build "$scratch/build" >/dev/null
"$scratch/build/consumer" "$data" "$scratch/iris.model"
"$scratch/prefix/bin/ardent" --version
