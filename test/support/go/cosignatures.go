// Command cosignatures verifies that a log and a witness have signed checkpoints, with golang.org/x/mod/sumdb/note and the cosignature/v1 of
// C2SP tlog-cosignature. Its arguments are a directory with <log>/checkpoint, <log>/vkey and witness-vkey, and the names of the logs.
package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// witness is a note.Verifier of keys of type 4, which sumdb does not know.
type witness struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func (w witness) Name() string    { return w.name }
func (w witness) KeyHash() uint32 { return w.hash }

func (w witness) Verify(text, signature []byte) bool {
	if len(signature) != 8+ed25519.SignatureSize {
		return false
	}
	time := binary.BigEndian.Uint64(signature)
	message := fmt.Sprintf("cosignature/v1\ntime %d\n%s", time, text)
	return time > 0 && ed25519.Verify(w.key, []byte(message), signature[8:])
}

func witnessOf(vkey string) witness {
	parts := strings.SplitN(strings.TrimSpace(vkey), "+", 3)
	hash, err := strconv.ParseUint(parts[1], 16, 32)
	must(err)
	key, err := base64.StdEncoding.DecodeString(parts[2])
	must(err)
	if len(key) != 33 || key[0] != 4 {
		must(fmt.Errorf("%s is not a key for Ed25519 cosignatures", vkey))
	}
	return witness{parts[0], uint32(hash), key[1:]}
}

func read(path ...string) string {
	bytes, err := os.ReadFile(filepath.Join(path...))
	must(err)
	return string(bytes)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	dir := os.Args[1]
	other := witnessOf(read(dir, "witness-vkey"))
	for _, name := range os.Args[2:] {
		log, err := note.NewVerifier(strings.TrimSpace(read(dir, name, "vkey")))
		must(err)
		signed, err := note.Open([]byte(read(dir, name, "checkpoint")), note.VerifierList(log, other))
		must(err)
		for _, signature := range signed.Sigs {
			fmt.Println(name, signature.Name)
		}
	}
}
