#!/usr/bin/env bash
# Installs what is missing, builds Trellis and runs the first example. Arguments replace the example: `run.sh run my.tr`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

third_party/install.sh
cmake --preset release > /dev/null
cmake --build --preset release --target trellis
[ $# -gt 0 ] || set -- run examples/first.tr
exec build/bin/trellis "$@"
