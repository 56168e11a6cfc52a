// Command etcd is one etcd server for a run of tests: HTTP on a free loopback port, no fsync, no peers.
//
//	etcd --data-dir DIR --url-file FILE
//
// It keeps its data in DIR, and writes its URL to FILE once it answers. It ends at SIGTERM or SIGINT.
package main

import (
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"syscall"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
)

// patience is how long the server may take until it has elected itself.
const patience = time.Minute

func main() {
	dir := flag.String("data-dir", "", "folder for the data; made if it is not there")
	file := flag.String("url-file", "", "file that gets the URL of this server")
	flag.Parse()
	if err := run(*dir, *file); err != nil {
		fmt.Fprintln(os.Stderr, "etcd:", err)
		os.Exit(1)
	}
}

// run serves until a signal comes, or fails.
func run(dir, file string) error {
	if dir == "" || file == "" {
		return errors.New("--data-dir and --url-file are needed")
	}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, syscall.SIGINT)

	config := embed.NewConfig()
	config.Dir = dir
	config.LogLevel = "warn"
	// Without it every request would be a slow one, and logged.
	config.WarningUnaryRequestDuration = time.Second
	// What is lost in a crash of the machine is a test's data.
	config.UnsafeNoFsync = true
	// Port 0: the kernel chooses one that is free, so no two servers can want the same.
	config.ListenClientUrls = []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	// A single member has no peers to listen to.
	config.ListenPeerUrls = nil

	server, err := embed.StartEtcd(config)
	if err != nil {
		return fmt.Errorf("it did not start: %w", err)
	}
	defer server.Close()
	select {
	case <-server.Server.ReadyNotify():
	case err := <-server.Err():
		return fmt.Errorf("it ended while it started: %w", err)
	case <-ended:
		return nil
	case <-time.After(patience):
		return fmt.Errorf("it was not ready after %s", patience)
	}
	if err := publish(file, "http://"+server.Clients[0].Addr().String()); err != nil {
		return err
	}
	select {
	case err := <-server.Err():
		return fmt.Errorf("it ended: %w", err)
	case <-ended:
		return nil
	}
}

// publish writes text to file in one step: whoever finds the file finds all of it.
func publish(file, text string) error {
	half := file + ".new"
	if err := os.WriteFile(half, []byte(text+"\n"), 0o600); err != nil {
		return fmt.Errorf("the URL cannot be written: %w", err)
	}
	if err := os.Rename(half, file); err != nil {
		return fmt.Errorf("the URL cannot be written: %w", err)
	}
	return nil
}
