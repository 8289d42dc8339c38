#!/bin/sh
# install.sh BUILD ROOT SCRATCH same|own: installs BUILD to SCRATCH/prefix, looks at what was installed, and runs
# the README's C++ snippet, built with find_package(ardent), on the project's iris.csv: its model is the
# command's, byte for byte (own, the native build: predicts the same).
set -eu
build=$1 root=$2 scratch=$3 bits=$4
rm -rf "$scratch"
mkdir -p "$scratch"
cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
for file in man/man1/ardent.1 man/man1/ardent-train.1 bash-completion/completions/ardent \
  zsh/site-functions/_ardent fish/vendor_completions.d/ardent.fish; do
  [ -s "$scratch/prefix/share/$file" ] || { echo "share/$file was not installed"; exit 1; }
done

# The public headers, and no others; each compiles alone, and none brings in another library's.
installed=$(cd "$scratch/prefix/include" && find . -type f | sort)
[ "$installed" = "$(cd "$root/include" && find . -type f | sort)" ] ||
  { echo "not the public headers are installed: $installed"; exit 1; }
for header in $installed; do
  echo "#include <${header#./}>" |
    c++ -std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Werror -x c++ -fsyntax-only -H \
      -I "$scratch/prefix/include" - 2>"$scratch/included" ||
    { cat "$scratch/included"; exit 1; }
  if grep -E '^\.+ .*/(sys/mman|zlib|png|fitsio|(Eigen|eigen3|nlohmann|fmt|tbb|oneapi)/)' \
    "$scratch/included"; then
    echo "$header includes that"
    exit 1
  fi
done
# A program's own Eigen has functions of Eigen's names: ours are called otherwise.
if nm -C "$scratch"/prefix/lib*/libardent_*.a "$scratch"/prefix/lib*/*/libardent_*.a 2>/dev/null |
  grep -m 3 -E ' [A-Za-z] (.* )?Eigen::'; then
  echo "the library defines or calls functions of Eigen's"
  exit 1
fi

snippet=$(sed -n '/^```cpp$/,/^```$/p' "$root/README.md" | grep -v '^```')
{
  printf '%s\n' "$snippet" | grep '^#include'
  echo 'int main() {'
  printf '%s\n' "$snippet" | grep -v '^#include'
  echo '}'
} >"$scratch/readme.cpp"
version=$(sed -n 's/^project(ardent VERSION \([0-9]*\.[0-9]*\)\..*/\1/p' "$root/CMakeLists.txt")
cmake -S "$root/tests/consumer" -B "$scratch/build" -G Ninja -DREADME="$scratch/readme.cpp" -DARDENT_VERSION="$version" \
  -DCMAKE_PREFIX_PATH="$scratch/prefix" >/dev/null
cmake --build "$scratch/build"
cp "$root/data/iris.csv" "$scratch"
cd "$scratch"
build/readme
prefix/bin/ardent train iris.csv --map rbf --sigma 2 -o command.model >/dev/null
if [ "$bits" = same ]; then
  cmp iris.model command.model
else # of two programs of the native build each rounds as its compiler inlined
  for model in iris command; do prefix/bin/ardent predict $model.model iris.csv >$model.txt; done
  cmp iris.txt command.txt
fi
