# shellcheck shell=bash
# Processes by pid file, for every up.sh and down.sh.  Needs RUN, the folder of the pid files.
#
# A pid file holds the pid and the process's start time: a pid may be reused after a reboot or
# a crash, and gunicorn rewrites its command line, so neither alone says that it is ours.

started() { # started PID: its start time in clock ticks since boot; nothing if it is gone
    sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20
}

remember() { # remember NAME PID: write NAME's pid file
    echo "$2 $(started "$2")" >"$RUN/$1.pid"
}

pid_of() { cut -d' ' -f1 "$RUN/$1.pid"; }

alive() { # alive NAME: does the process of NAME's pid file still run?
    local pid when
    [ -s "$RUN/$1.pid" ] && read -r pid when <"$RUN/$1.pid" && [ -n "$when" ] &&
        [ "$(started "$pid")" = "$when" ]
}

stop() { # stop NAME: end it politely, after ten seconds by force
    local pid how=stopped
    if alive "$1"; then
        pid=$(pid_of "$1")
        kill -TERM "$pid"
        for _ in $(seq 100); do alive "$1" || break; sleep 0.1; done
        if alive "$1"; then kill -KILL "$pid"; how=killed; fi
        echo "$1 $pid: $how"
    fi
    rm -f "$RUN/$1.pid"
}
