#!/bin/sh
# run.sh BUILD ROOT SCRATCH: installs BUILD to a prefix, builds the consumer and the README's C++
# snippet against it with find_package(ardent), and runs both on the project's iris.csv.
set -eu
build=$1 root=$2 scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch"
cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
for file in man/man1/ardent.1 man/man1/ardent-train.1 bash-completion/completions/ardent \
  zsh/site-functions/_ardent fish/vendor_completions.d/ardent.fish; do
  [ -s "$scratch/prefix/share/$file" ] || { echo "share/$file was not installed"; exit 1; }
done

snippet=$(sed -n '/^```cpp$/,/^```$/p' "$root/README.md" | grep -v '^```')
{
  printf '%s\n' "$snippet" | grep '^#include'
  echo 'int main() {'
  printf '%s\n' "$snippet" | grep -v '^#include'
  echo '}'
} >"$scratch/readme.cpp"

cmake -S "$root/tests/consumer" -B "$scratch/build" -G Ninja -DREADME="$scratch/readme.cpp" \
  -DCMAKE_PREFIX_PATH="$scratch/prefix" >/dev/null
cmake --build "$scratch/build"
cp "$root/data/iris.csv" "$scratch"
cd "$scratch"
build/consumer iris.csv consumer.model
build/readme
prefix/bin/ardent inspect iris.model
