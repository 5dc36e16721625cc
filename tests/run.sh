#!/usr/bin/env bash
# Installs what is missing, builds Trellis with its tests and passes them. Arguments: presets of CMakePresets.json to test,
# `release` when there are none; `TRELLIS_TEST_TIMEOUT` bounds each test in seconds.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

third_party/install.sh
# 122 MB, a few seconds. Without it the page of `explain -o` is not tried in a browser, and the rest is.
third_party/install.sh chromium python3 > /dev/null || echo "chromium cannot be installed"
# A display in memory, for the explorer's window.
third_party/install.sh xvfb xauth xdotool libgl1-mesa-dri > /dev/null || echo "Xvfb cannot be installed: the explorer is not tried in a window"
# Python's headers, NumPy, SciPy, pybind11 and pytest, for the Python module and its tests.
third_party/install.sh python > /dev/null || echo "python3-dev, -numpy, -scipy, -pytest or pybind11-dev cannot be installed: the Python module is neither built nor tried"
# PyData's arrays, of which the module borrows as well.
third_party/install.sh python3-sparse > /dev/null || echo "python3-sparse cannot be installed: its arrays are not tried"
# What finds the libraries that the binary package depends on.
third_party/install.sh dpkg-dev > /dev/null || echo "dpkg-dev cannot be installed: the binary package is not tried"
# Sources that are not formatted are no failure where nobody can tell.
if third_party/install.sh clang-format-14 > /dev/null; then
  bash tests/format.sh
else
  echo "clang-format-14 cannot be installed: nobody looks at the format"
fi
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
  XDG_CACHE_HOME="$PWD/$folder/cache" ctest --test-dir "$folder" -j "$jobs" --no-tests=error --output-on-failure \
    --timeout "${TRELLIS_TEST_TIMEOUT:-300}"
done
