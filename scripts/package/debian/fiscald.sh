#!/bin/sh
# Runs fiscald as the user of its service: config, secrets and token are that user's.
set -e
: "${FISCALD_CONFIG:=/etc/fiscald/config.json}" "${FISCALD_DATA:=/var/lib/fiscald}"
export FISCALD_CONFIG FISCALD_DATA
if [ "$(id -u)" = 0 ] && [ "$1" != service ]; then
  export HOME=/var/lib/fiscald
  exec setpriv --reuid=fiscald --regid=fiscald --init-groups @HOME@/node @MAIN@ "$@"
fi
exec @HOME@/node @MAIN@ "$@"
