#!/bin/sh
# Runs fiscald as the user of its service: config, secrets and token are that user's.
set -e
# As systemd reads it for the service: NAME=value a line, with quotes or without. It is no shell code.
if [ -r /etc/default/fiscald ]; then
  while IFS= read -r line || [ -n "$line" ]; do
    name=${line%%=*} value=${line#*=}
    case $name in "$line" | '' | [0-9]* | *[!A-Za-z0-9_]*) continue ;; esac
    case $value in \"*\" | \'*\') value=${value#?} value=${value%?} ;; esac
    export "$name=$value"
  done </etc/default/fiscald
fi
if [ "$1" = service ] && [ "$2" != status ]; then
  echo "fiscald: служба есть в пакете: \`sudo systemctl enable --now fiscald\` или \`disable --now\`" >&2
  echo "fiscald: the package brings its own unit: \`sudo systemctl enable --now fiscald\`, or \`disable --now\`" >&2
  exit 2
fi
: "${FISCALD_CONFIG:=/etc/fiscald/config.json}" "${FISCALD_DATA:=/var/lib/fiscald}"
export FISCALD_CONFIG FISCALD_DATA
if [ "$(id -u)" = 0 ] && [ "$1" != service ]; then
  export HOME=/var/lib/fiscald
  exec setpriv --reuid=fiscald --regid=fiscald --init-groups @HOME@/node @MAIN@ "$@"
fi
exec @HOME@/node @MAIN@ "$@"
