#!/bin/sh
# check.sh LIST ROOT ARDENT SCRATCH [RUNNER ...]: runs small jobs of every engine, map and kind of
# result, and compares the SHA-256 of what they write with LIST. RUNNER stands before the command:
#   check.sh LIST ROOT ARDENT SCRATCH qemu-x86_64 -cpu Haswell
#   check.sh LIST ROOT ARDENT SCRATCH env GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA
# With WRITE=1 the list is written instead: only where results were meant to change.
set -eu
list=$(realpath -m "$1") data=$(realpath "$2")/data command=$(realpath "$3") scratch=$4
shift 4
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"

run() { # run NAME ARGUMENT ...: the job NAME; what it writes goes by that name
  name=$1
  shift
  $runner "$command" "$@" >"$name.log" 2>&1 || { echo "$name failed:"; cat "$name.log"; exit 1; }
}
runner="$*"

head -n 120 "$data/breast_cancer.csv" >tumours.csv
head -n 300 "$data/breast_cancer.csv" >many.csv # more than one block of Eigen's products
head -n 151 "$data/iris.csv" | cut -d, -f1-4 >petals.csv # petal width from the other three
head -n 60 "$data/digits.libsvm" >digits.libsvm
head -n 6 "$data/digits.libsvm" >signals.libsvm

for engine in exact diagonal dqn probes sequential; do
  run linear-$engine train tumours.csv --engine $engine --max-stages 8 -o linear-$engine.model
done
run rbf-exact train tumours.csv --map rbf --sigma 4 --engine exact --max-stages 5 -o rbf-exact.model
run blocks train many.csv --map rbf --sigma 4 --engine exact --max-stages 1 -o blocks.model
run rbf-sequential train tumours.csv --map rbf --sigma 4 --engine sequential -o rbf-sequential.model
run elm-diagonal train tumours.csv --map elm --hidden 30 --engine diagonal -o elm-diagonal.model
run classes train "$data/wine.csv" --engine exact --max-stages 20 -o classes.model
run regression train petals.csv --task regression --map rbf --sigma 2 -o regression.model
run doubly-sparse train tumours.csv --map doubly-sparse --chains 2 --burn-in 3 --sweeps 4 \
  -o doubly-sparse.model
run text train digits.libsvm --scale tfidf --engine diagonal --max-stages 10 -o text.model
run probabilities predict classes.model "$data/wine.csv" --proba -o probabilities.txt
run codes code digits.libsvm signals.libsvm --features 64 -o codes.npy
run scene scene -o scene.npy --truth truth.csv --sources 3 --size 24x24 --sigma 1.5 --snr 15 --seed 1
run locate locate scene.npy --sigma 1.5 -o locate.csv
run denoise denoise scene.npy --sigma 1.5 -o denoise.npy

set -- *.model probabilities.txt codes.npy scene.npy truth.csv locate.csv denoise.npy
if [ -n "${WRITE:-}" ]; then
  sha256sum "$@" >"$list"
  echo "wrote $# hashes to $list"
else
  sha256sum --check --quiet "$list" || {
    echo "other bits than in $list (${runner:-run directly})"
    exit 1
  }
  [ "$#" -eq "$(wc -l <"$list")" ] || { echo "the list has $(wc -l <"$list") files, not $#"; exit 1; }
  echo "$# results have the bits of the list (${runner:-run directly})"
fi
