#!/usr/bin/env bash
# Installs from Debian's packages what is missing to build, run and test Trellis. Quick, silent and without network when
# nothing is. Arguments: packages wanted besides, or `python` for those of the Python module. third_party/README.md says
# what each package is for.
set -euo pipefail

for argument in "$@"; do
  shift
  if [ "$argument" = python ]; then
    set -- "$@" python3 python3-dev python3-numpy python3-scipy python3-pytest pybind11-dev
  else
    set -- "$@" "$argument"
  fi
done

packages=(g++ make cmake ninja-build nlohmann-json3-dev doctest-dev libtcc-dev tcc libisl-dev libz3-dev libgraphviz-dev zlib1g-dev libxxhash-dev libmetis-dev libstb-dev libedit-dev
  pkg-config libimgui-dev libglfw3-dev libfreetype-dev libgl-dev fonts-inter fonts-jetbrains-mono fonts-dejavu-core "$@")

if ! command -v dpkg-query > /dev/null; then
  echo "This script knows Debian's package manager only. Install by hand what third_party/README.md lists." >&2
  exit 1
fi

missing=()
for package in "${packages[@]}"; do
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2> /dev/null || true)" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo > /dev/null; then
    echo "Run this as root, or install sudo; these packages are missing: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "Installing: ${missing[*]}"
"${as_root[@]}" apt-get update
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
