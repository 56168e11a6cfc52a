"""Two small things that a shell can't do: find a free port, wait for a server.

    net.py port WANTED      print WANTED if it is free (0 = no wish), else another free port
    net.py wait URL PID     exit 0 once URL gives any HTTP answer, 1 when PID ended or after 300 s
"""
import os
import random
import socket
import sys
import time
import urllib.error
import urllib.request

# Below the kernel's range for outgoing connections, so that none of those takes the port
# between this look and the server's start; random, so that two instances starting at once
# don't choose the same.
PORTS = range(20000, 30000)


def is_free(port):
    with socket.socket() as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            s.bind(('127.0.0.1', port))
        except OSError:
            return False
    return True


def port(wanted):
    if wanted and is_free(wanted):
        return wanted
    return next(p for p in random.sample(PORTS, len(PORTS)) if is_free(p))


def wait(url, pid):
    end = time.monotonic() + 300
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(url, timeout=60).close()
            return True
        except urllib.error.HTTPError:
            return True         # it speaks HTTP: that is up
        except OSError:
            pass
        try:
            os.kill(pid, 0)
        except OSError:
            return False
        time.sleep(0.1)
    return False


if __name__ == '__main__':
    if sys.argv[1] == 'port':
        print(port(int(sys.argv[2])))
    else:
        sys.exit(0 if wait(sys.argv[2], int(sys.argv[3])) else 1)
