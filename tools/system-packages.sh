#!/bin/sh
# Debian packages that some tests need: installed where that is possible, named where it is not.
missing=""
perl -MXML::DOM -MDB_File -e 1 2>/dev/null || missing="$missing libxml-dom-perl"
for package in "$@"; do
  command -v "$package" >/dev/null 2>&1 || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing && exit 0
fi
echo "Not installed:$missing. The tests that need them will be skipped." >&2
[ -z "$CI" ]
