#!/bin/sh
# Starts Varnish in front of all `serve` containers. Varnish needs one backend for each address; this script writes these
# backends.
set -eu
folder=${VARNISH_FOLDER:-/etc/varnish}

addresses=$(getent ahostsv4 serve | awk '{ print $1 }' | sort -u)
awk -v addresses="$addresses" '
  BEGIN { count = split(addresses, all) }
  function machine(text, i) {
    gsub(/machine_1/, "machine_" i, text)
    gsub(/127\.0\.0\.1/, all[i], text)
    return text
  }
  /^backend machine_1 / { isMachine = 1 }
  isMachine { block = block $0 "\n" }
  isMachine && /^}/ {
    for (i = 1; i <= count; i++) printf "%s", machine(block, i)
    isMachine = 0
    next
  }
  isMachine { next }
  /add_backend\(machine_1\)/ { for (i = 1; i <= count; i++) print machine($0, i); next }
  { gsub(/127\.0\.0\.1/, all[1]); print }
' "$folder/zoetrope.vcl" > "$folder/machines.vcl"

# Only the other containers can reach the socket for purges, because compose.yaml does not publish its port.
exec varnishd -F -f "$folder/machines.vcl" -p http_gzip_support=off \
  -p vsl_mask=-SessOpen,-ReqStart,-ReqURL,-ReqHeader,-ReqUnset,-BereqURL,-BereqHeader,-BereqUnset,-HttpGarbage \
  -a http=:80 -a purge=:6082 \
  -s admissions=default,32m -s answers=default,512m -s media=default,2g -s Transient=default,128m
