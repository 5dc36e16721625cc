#!/usr/bin/env bash
# Installs what is missing, builds Trellis with its tests and passes them. Arguments: presets of CMakePresets.json to test,
# `release` when there are none; `TRELLIS_TEST_TIMEOUT` bounds each test in seconds.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

third_party/install.sh
# What cannot be installed leaves something untried, which is said at once, and again before the tests: their last line
# is the last of all.
untried=()
want() {
  local without=$1
  shift
  third_party/install.sh "$@" > /dev/null && return
  untried+=("$without")
  echo "$without"
}
say_untried() {
  for without in "${untried[@]}"; do echo "not tried: $without"; done
}
# 122 MB, a few seconds. Without it the page of `explain -o` is not tried in a browser, and the rest is.
want "chromium cannot be installed: the report is not used in a browser" chromium python3
# A display in memory, for the explorer's window.
want "Xvfb cannot be installed: the explorer is not tried in a window" xvfb xauth xdotool libgl1-mesa-dri
# Python's headers, NumPy, SciPy, pybind11 and pytest, for the Python module and its tests.
want "python3-dev, -numpy, -scipy, -pytest or pybind11-dev cannot be installed: the Python module is neither built nor tried" python
# PyData's arrays, of which the module borrows as well.
want "python3-sparse cannot be installed: its arrays are not tried" python3-sparse
# What finds the libraries that the binary package depends on.
want "dpkg-dev cannot be installed: the binary package is not tried" dpkg-dev
# A second compiler, for what `export c` writes.
want "clang-14 or libomp-14-dev cannot be installed: exports are compiled with gcc alone" clang-14 libomp-14-dev
# mpicc and mpiexec, which `run ranks N mpi` looks for; 12 MB.
want "openmpi-bin or libopenmpi-dev cannot be installed: ranks are not tried as processes" openmpi-bin libopenmpi-dev
# Sources that are not formatted are no failure where nobody can tell.
want "clang-format-14 cannot be installed: nobody looks at the format" clang-format-14
! command -v clang-format-14 > /dev/null || bash tests/format.sh
[ $# -gt 0 ] || set -- release
jobs=$(nproc)
for preset in "$@"; do
  started=$SECONDS
  cmake --preset "$preset" > /dev/null
  cmake --build --preset "$preset" -j "$jobs"
  echo "$preset: built in $((SECONDS - started)) s"
  folder=build
  [ "$preset" = release ] || folder=build-$preset
  # Kernels that earlier runs compiled must not decide whether this one passes.
  rm -rf "$folder/cache"
  say_untried
  XDG_CACHE_HOME="$PWD/$folder/cache" ctest --test-dir "$folder" -j "$jobs" --no-tests=error --output-on-failure \
    --timeout "${TRELLIS_TEST_TIMEOUT:-300}"
done
