#!/bin/bash
# alignment.sh ARDENT DATA SHIFTED_MALLOC SCRATCH: small jobs of every engine, map and command give
# the same bytes wherever malloc puts their arrays modulo 64. Sums that Eigen starts at an aligned
# address would not.
set -eu
ardent=$1 data=$2 scratch=$4
rm -rf "$scratch"
# LD_PRELOAD is a list that blanks separate: the build's folder may have one in its name.
preloads=$(mktemp -d /tmp/ardent-alignment-XXXXXX)
trap 'rm -rf "$preloads"' EXIT
cp "$3" "$preloads/shim.so"
shim=$preloads/shim.so

jobs_of() {
  "$ardent" train "$data/breast_cancer.csv" -o linear.model
  "$ardent" train "$data/breast_cancer.csv" --map rbf --sigma 5 -o rbf.model
  for engine in exact diagonal dqn probes sequential; do
    "$ardent" train "$data/iris.csv" --map elm --hidden 13 --engine $engine -o elm-$engine.model
    "$ardent" train "$data/wine.csv" --map rbf --sigma 3 --engine $engine -o rbf-$engine.model
    "$ardent" train "$data/wine.csv" --engine $engine -o linear-$engine.model
  done
  "$ardent" train "$data/digits.libsvm" --engine diagonal -o sparse.model
  # The last column is to be a number: a regression.
  cut -d, -f1-12 "$data/wine.csv" >numbers.csv
  "$ardent" train numbers.csv --task regression -o regression.model
  "$ardent" evaluate regression.model numbers.csv --json | grep -v seconds >metrics.json
  "$ardent" masks "$data/wine.csv" --burn-in 3 --sweeps 5 --chains 2 -o masks.model
  "$ardent" predict rbf.model "$data/breast_cancer.csv" -o predicted.csv
  "$ardent" code "$data/digits.libsvm" "$data/digits.libsvm" --lambda-ratio 0.5 -o codes.csv
  "$ardent" scene -o stars.fits --truth truth.csv --sources 6 --size 41x37 --sigma 1.5 --snr 10 --seed 1
  "$ardent" locate stars.fits --sigma 1.5 -o found.csv --overlay found.png
}

for seed in 1 2 3; do
  mkdir -p "$scratch/$seed"
  (cd "$scratch/$seed" && export SHIFTED_MALLOC_SEED=$seed LD_PRELOAD="$shim" && jobs_of) >"$scratch/$seed.log" 2>&1 ||
    { cat "$scratch/$seed.log" >&2; exit 1; }
  if grep -q 'cannot be preloaded' "$scratch/$seed.log"; then cat "$scratch/$seed.log" >&2; exit 1; fi
done
status=0
for seed in 2 3; do
  for file in "$scratch"/1/*; do
    cmp "$file" "$scratch/$seed/$(basename "$file")" || status=1
  done
done
exit $status
