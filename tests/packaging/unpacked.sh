#!/usr/bin/env bash
# The binary package, built and unpacked into an empty folder: what lies there runs from there. Argument: the build
# folder. Exit code 77: dpkg-shlibdeps is not installed here.
set -euo pipefail
build=$1
command -v dpkg-shlibdeps > /dev/null || { echo "SKIPPED: dpkg-shlibdeps (dpkg-dev) is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

# What is unpacked here is not handed out: the quickest compression.
(cd "$work" && cpack -G DEB -B "$work/package" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip \
  --config "$build/CPackConfig.cmake" > cpack.log 2>&1) ||
  { cat "$work/cpack.log"; fail "cpack"; }
package=$(echo "$work"/package/trellis_*.deb)
dpkg-deb -x "$package" "$work/root"
depends=$(dpkg-deb -f "$package" Depends)
for needed in tcc libisl libmetis libgvc libstdc++ libglfw; do
  [[ $depends == *$needed* ]] || fail "it does not depend on $needed: $depends"
done

# Nothing of the tree or of the build folder is found from here.
cd "$work"
export HOME=$work XDG_CACHE_HOME=$work/cache XDG_STATE_HOME=$work/state PATH=$work/root/usr/bin:$PATH
[ "$(command -v trellis)" = "$work/root/usr/bin/trellis" ] || fail "another trellis is called"
trellis run "$work/root/usr/share/trellis/examples/spmv.tr" > run.txt 2>&1 || { cat run.txt; fail "spmv.tr"; }
grep -q "agrees with the reference" run.txt || { cat run.txt; fail "spmv.tr was not checked"; }
trellis gui cholesky --fresh --outline > outline.txt 2>&1 || { cat outline.txt; fail "the explorer beside it"; }
grep -q cholesky outline.txt || { cat outline.txt; fail "the explorer shows something else"; }
[ -e root/usr/share/doc/trellis/copyright ] || fail "no licence"

if [ -d root/usr/lib/python3/dist-packages/trellis ]; then
  [[ $depends == *python3-numpy* ]] || fail "it does not depend on NumPy: $depends"
  PYTHONPATH=$work/root/usr/lib/python3/dist-packages /usr/bin/python3 -B - "$work" > python.txt 2>&1 <<'PYTHON' ||
import sys, numpy as np, trellis as tr
assert tr.__file__.startswith(sys.argv[1]), tr.__file__
y = tr.compile("y(i) = A(i,j) * x(j)")(np.eye(3), np.arange(3.0))
assert y.tolist() == [0, 1, 2], y
PYTHON
    { cat python.txt; fail "the Python module"; }
else
  echo "without the Python module, which was not built"
fi
echo "$(basename "$package"): $(du -h --apparent-size "$package" | cut -f1), runs unpacked"
