#!/usr/bin/env bash
# Make the keys and certificates of a control plane in a folder, unless they are there.
#
#   ./certificates.sh FOLDER
#
#   ca.{crt,key}                 signs the server's certificate and those of clients
#   server.{crt,key}             kube-apiserver, for 127.0.0.1 and for its names inside a cluster
#   admin.{crt,key}              a client in system:masters, which may do everything
#   front-proxy-ca.{crt,key}     signs what kube-apiserver shows to servers that it aggregates:
#   front-proxy.{crt,key}        they know by it that the user names in its requests are true
#   service-accounts.{key,pub}   sign and verify the tokens of service accounts
#
# Elliptic curves: RSA keys take long to make, and more time in each handshake.
set -euo pipefail

CONFIG=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/openssl.cnf
DAYS=3650
cd "$1"
[ ! -e .complete ] || exit 0
umask 077

key() { # key NAME
    openssl ecparam -genkey -noout -name prime256v1 -out "$1.key"
}

authority() { # authority NAME: a key and its own certificate
    key "$1"
    openssl req -x509 -new -config "$CONFIG" -extensions authority -key "$1.key" -subj "/CN=$1" \
        -days $DAYS -out "$1.crt"
}

signed() { # signed NAME SUBJECT AUTHORITY SECTION: a key, and a certificate from AUTHORITY
    key "$1"
    openssl req -new -config "$CONFIG" -key "$1.key" -subj "$2" |
        openssl x509 -req -CA "$3.crt" -CAkey "$3.key" -CAcreateserial -days $DAYS \
            -extfile "$CONFIG" -extensions "$4" -out "$1.crt" 2>errors || { cat errors >&2; return 1; }
}

authority ca
signed server /CN=kube-apiserver ca server
signed admin /O=system:masters/CN=admin ca client
authority front-proxy-ca
signed front-proxy /CN=front-proxy-client front-proxy-ca client
key service-accounts
openssl pkey -in service-accounts.key -pubout -out service-accounts.pub
rm -f errors
touch .complete
