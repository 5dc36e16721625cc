#!/usr/bin/env bash
# The explorer in a real window under Xvfb, drawn by OpenGL in software: the window shows what pictures show, in each theme, size
# and scale; and keys and mouse of a real window system reach it. Argument: the program `trellis-gui`. Exit code 77: no Xvfb here.
set -euo pipefail
program=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
command -v xvfb-run > /dev/null && command -v xdotool > /dev/null || { echo "Xvfb and xdotool are not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LIBGL_ALWAYS_SOFTWARE=1 HOME=$work XDG_STATE_HOME=$work/state
# Mesa keeps what it allocates once.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"

in_display() { xvfb-run -a -s "-screen 0 3200x2000x24" "$@"; }

for look in "1600x1000 1 dark" "1280x800 1 light" "1600x1000 2 contrast"; do
  read -r size scale theme <<< "$look"
  echo "$look"
  in_display "$program" viterbi --window --fresh --size "$size" --scale "$scale" --theme "$theme" --script "$here/window.script"
done

# A person: the first fix by its key, save by its key, leave.
cp "$here/illegal.tr" "$work/illegal.tr"
cat > "$work/person.sh" <<'PERSON'
set -euo pipefail
timeout 90 "$1" "$2" --fresh &
explorer=$!
window=$(xdotool search --sync --onlyvisible --name Trellis | tail -1)
xdotool windowfocus --sync "$window"
xdotool mousemove 700 300
for _ in $(seq 200); do
  xdotool key --window "$window" ctrl+period; sleep 0.1
  xdotool key --window "$window" ctrl+s; sleep 0.1
  grep -q "order j i" "$2" && break
done
# The window may be gone before its keys are let go, which xdotool takes for an error: what counts is how the explorer ends.
for _ in $(seq 200); do
  kill -0 $explorer 2> /dev/null || break
  xdotool key --window "$window" ctrl+q 2> /dev/null || true
  sleep 0.1
done
wait $explorer
PERSON
in_display bash "$work/person.sh" "$program" "$work/illegal.tr"
grep -q "order j i" "$work/illegal.tr" || { echo "the fix did not reach the file"; exit 1; }

# No display: one clear line, and exit code 2.
if env -u DISPLAY -u WAYLAND_DISPLAY "$program" --fresh 2> "$work/said"; then echo "it opened a window on no display"; exit 1; fi
[ "$(wc -l < "$work/said")" -eq 1 ] || { echo "more than a line about the missing display:"; cat "$work/said"; exit 1; }

# A file that is not there: the same, and no window.
if in_display timeout 30 "$program" nosuch.tr --fresh > "$work/said" 2>&1; then echo "it opened what is not there"; exit 1; fi
grep -q "cannot read nosuch.tr" "$work/said" || { echo "it does not say what is missing:"; cat "$work/said"; exit 1; }
