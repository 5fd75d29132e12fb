// Command logs verifies the static files of logs with golang.org/x/mod/sumdb, which knows nothing of this project. Its arguments are a
// directory with <log>/checkpoint, <log>/vkey and <log>/tile/…, and the names of the logs. It prints the size of each log.
package main

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// tiles reads tiles by the paths of C2SP tlog-tiles, which have no height.
type tiles struct{ dir string }

func (t tiles) Height() int { return 8 }

func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range wanted {
		path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
		bytes, err := os.ReadFile(filepath.Join(t.dir, path))
		if err != nil {
			return nil, err
		}
		all = append(all, bytes)
	}
	return all, nil
}

func (t tiles) SaveTiles([]tlog.Tile, [][]byte) {}

// entries returns the entries of a log from its bundles: each has two bytes with its length before it.
func entries(dir string, size int64) [][]byte {
	var all [][]byte
	for bundle := int64(0); bundle*256 < size; bundle++ {
		width := size - bundle*256
		if width > 256 {
			width = 256
		}
		tile := tlog.Tile{H: 8, L: -1, N: bundle, W: int(width)}
		path := strings.Replace(tile.Path(), "tile/8/data/", "tile/entries/", 1)
		rest := read(filepath.Join(dir, path))
		for len(rest) > 0 {
			length := int(binary.BigEndian.Uint16(rest))
			all = append(all, rest[2:2+length])
			rest = rest[2+length:]
		}
	}
	return all
}

func read(path string) []byte {
	bytes, err := os.ReadFile(path)
	must(err)
	return bytes
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(dir string) int64 {
	verifier, err := note.NewVerifier(strings.TrimSpace(string(read(filepath.Join(dir, "vkey")))))
	must(err)
	signed, err := note.Open(read(filepath.Join(dir, "checkpoint")), note.VerifierList(verifier))
	must(err)
	lines := strings.Split(signed.Text, "\n")
	if lines[0] != verifier.Name() {
		must(fmt.Errorf("%s is not the origin %s", lines[0], verifier.Name()))
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	must(err)
	root, err := base64.StdEncoding.DecodeString(lines[2])
	must(err)
	tree := tlog.Tree{N: size}
	copy(tree.Hash[:], root)
	hashes := tlog.TileHashReader(tree, tiles{dir})
	found := entries(dir, size)
	if int64(len(found)) != size {
		must(fmt.Errorf("%s has %d entries instead of %d", dir, len(found), size))
	}
	for index, entry := range found {
		proof, err := tlog.ProveRecord(size, int64(index), hashes)
		must(err)
		must(tlog.CheckRecord(proof, size, tree.Hash, int64(index), tlog.RecordHash(entry)))
		before, err := tlog.TreeHash(int64(index)+1, hashes)
		must(err)
		consistency, err := tlog.ProveTree(size, int64(index)+1, hashes)
		must(err)
		must(tlog.CheckTree(consistency, size, tree.Hash, int64(index)+1, before))
	}
	return size
}

func main() {
	for _, name := range os.Args[2:] {
		fmt.Println(name, check(filepath.Join(os.Args[1], name)))
	}
}
