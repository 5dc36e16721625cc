#!/usr/bin/env bash
# Whether all sources are formatted as .clang-format says, by the version that Debian 12 has: others break lines
# elsewhere.
# `tests/format.sh --fix` formats them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

action=(--dry-run -Werror)
[ "${1:-}" != --fix ] || action=(-i)
find engine gui repl tests -name '*.[ch]pp' -print0 | xargs -0 -n 60 -P "$(nproc)" clang-format-14 "${action[@]}"
