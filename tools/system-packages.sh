#!/bin/sh
# Debian packages that some tests need: installed where that is possible, named where it is not.
missing=""
perl -MXML::DOM -MDB_File -e 1 2>/dev/null || missing="$missing libxml-dom-perl"
command -v chromium >/dev/null 2>&1 || missing="$missing chromium"
command -v chromedriver >/dev/null 2>&1 || missing="$missing chromium-driver"
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  apt-get update -qq
  # unquoted: a package a word
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null && exit 0
fi
echo "Not installed:$missing. The tests that need them will be skipped." >&2
[ -z "$CI" ]
