#!/usr/bin/env bash
# Contact sheets, to be looked at: every layout on programs that fill its panes, in three sizes and three themes, without a display.
# Arguments: the program `trellis-gui`, and a folder for the pictures.
set -euo pipefail
program=$1 folder=$2
mkdir -p "$folder"

sheet() { # NAME PROGRAM PRESET…, and the script on standard input
  local name=$1 example=$2
  shift 2
  local script
  script=$(cat)
  for look in "1280x800 1" "1600x1000 1" "1600x1000 2"; do
    read -r size scale <<< "$look"
    for theme in dark light contrast; do
      local picture=$folder/$name-$size-$scale-$theme.png
      printf '%s\nsheet "%s" %s\n' "$script" "$picture" "$*" |
        "$program" "$example" --fresh --size "$size" --scale "$scale" --theme "$theme" --script -
      echo "$picture"
    done
  done
}

sheet illegal viterbi illegal learn tune << 'SCRIPT'
command window kernel forward
command order i j k
expect verdict illegal
SCRIPT

sheet legal cholesky learn compare tune << 'SCRIPT'
command order j k i
command window goto placement 9
command window preset compare
command order i j k
command window goto execution 60
SCRIPT

sheet sparse union lattice learn illegal << 'SCRIPT'
command run
command window goto lattice 7
SCRIPT
