#!/bin/sh
# Runs a script of the project with the Bun that package.json names: the one on PATH, else npm's copy of it. Each program is
# replaced by the next, so that signals pass through as few processes as there can be.
version=$(sed -n 's/^ *"bun": "\([0-9.]*\)".*/\1/p' package.json)
if [ "$(bun --version 2>/dev/null)" = "$version" ]; then
  exec bun "$@"
fi
exec npm exec --yes -- "bun@$version" "$@"
