#!/usr/bin/env bash
# Makes the pictures of README and docs from the programs themselves, without a display. Argument: the folder of the built programs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
programs=${1:-../../build/bin}

picture() { # NAME PROGRAM OPTION…, the script on standard input
  local name=$1 program=$2
  shift 2
  "$programs/trellis-gui" "$program" --fresh --script - --screenshot "$name.png" "$@"
  echo "$name.png"
}

picture illegal viterbi --preset illegal << 'SCRIPT'
command window kernel forward
command order i j k
expect verdict illegal
SCRIPT

picture lattice union --preset lattice << 'SCRIPT'
command run
command window goto lattice 7
SCRIPT

picture placement cholesky --preset learn --theme light << 'SCRIPT'
command order j k i
command window goto placement 9
SCRIPT

picture compare cholesky --preset learn << 'SCRIPT'
command order j k i
command window preset compare
command order i j k
command window goto execution 60
SCRIPT

program_of() { # NAME, in docs/sparse.md
  sed -n '/^```trellis file='"$1"'.tr/,/^```$/p' ../sparse.md | sed '1d;$d'
}

program_of strip | sed 's/^count .*/& "growth.svg"/' > growth.tr
"$programs/trellis" run growth.tr > /dev/null 2>&1
echo growth.svg

program_of pattern > pattern.tr
"$programs/trellis-gui" pattern.tr --preset lattice --theme light --fresh --script - << 'SCRIPT'
command window kernel factor
command window pane pattern
screenshot pattern.png pattern
SCRIPT
echo pattern.png
rm growth.tr pattern.tr
