// Package countersign starts `countersign serve --test` for the tests of Go programs. Copy this file into
// your module; it needs the standard library only. docs/testing.md of Countersign describes it.
package countersign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

const readyLimit = 30 * time.Second

// Options say how a test service is started.
type Options struct {
	// Service is trust or staffing; trust by default.
	Service string
	// Clock is where its clock starts: it stands at 2026-01-01T00:00:00Z, or runs ahead by +72h.
	Clock string
	// Seed is the path of the data with which it begins.
	Seed string
	// Args are further options of `countersign serve`.
	Args []string
	// Executable is by default the variable COUNTERSIGN, else countersign on the PATH.
	Executable string
}

// Service is a test service that runs until the end of its test.
type Service struct {
	URL string
	// APIKey is that of an administrator; in the staffing service, of a sandbox.
	APIKey string
	// AdminToken is empty for the trust service.
	AdminToken string
	log        *output
}

type output struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (o *output) Write(text []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.Write(text)
}

func (o *output) String() string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.String()
}

// Start starts a test service, which ends with the test. If the test fails, its log shows what the service
// wrote.
func Start(t testing.TB, options Options) *Service {
	t.Helper()
	executable := options.Executable
	if executable == "" {
		executable = os.Getenv("COUNTERSIGN")
	}
	if executable == "" {
		executable = "countersign"
	}
	readyFile := filepath.Join(t.TempDir(), "ready.json")
	args := []string{"serve", "--test", "--port", "0", "--ready-file", readyFile}
	for _, option := range [][2]string{{"--service", options.Service}, {"--clock", options.Clock}, {"--seed", options.Seed}} {
		if option[1] != "" {
			args = append(args, option[0], option[1])
		}
	}
	log := &output{}
	command := exec.Command(executable, append(args, options.Args...)...)
	command.Stdout, command.Stderr = log, log
	if err := command.Start(); err != nil {
		t.Fatalf("%s cannot be started: %v", executable, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	t.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt)
		select {
		case <-ended:
		case <-time.After(readyLimit):
			_ = command.Process.Kill()
			<-ended
		}
		if t.Failed() {
			t.Logf("The log of countersign serve --test:\n%s", log)
		}
	})
	var ready struct {
		URL        string `json:"url"`
		APIKey     string `json:"api_key"`
		AdminToken string `json:"admin_token"`
	}
	for deadline := time.Now().Add(readyLimit); ; time.Sleep(5 * time.Millisecond) {
		text, err := os.ReadFile(readyFile)
		if err == nil && json.Unmarshal(text, &ready) == nil {
			break
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("%s ended before it was ready: %v", executable, err)
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("the service was not ready after %v", readyLimit)
		}
	}
	return &Service{URL: ready.URL, APIKey: ready.APIKey, AdminToken: ready.AdminToken, log: log}
}

// Log returns what the service wrote so far.
func (s *Service) Log() string { return s.log.String() }

// Advance advances the clock, such as by 72h, and returns its time when all that became due has ended.
func (s *Service) Advance(duration string) (string, error) {
	return s.time(http.MethodPost, map[string]any{"advance": duration})
}

// Now returns the time of the service, in RFC 3339.
func (s *Service) Now() (string, error) { return s.time(http.MethodGet, nil) }

// Reset makes a new installation: no data, the clock at its start. The keys stay.
func (s *Service) Reset() error {
	_, err := s.call(http.MethodPost, "reset", map[string]any{})
	return err
}

// Fault has the next requests of an operation fail: {"operation": "issueReceipt", "count": 1, "status": 503}.
func (s *Service) Fault(fault map[string]any) error {
	_, err := s.call(http.MethodPost, "faults", fault)
	return err
}

func (s *Service) time(method string, body map[string]any) (string, error) {
	text, err := s.call(method, "clock", body)
	if err != nil {
		return "", err
	}
	var clock struct {
		Now string `json:"now"`
	}
	return clock.Now, json.Unmarshal(text, &clock)
}

func (s *Service) call(method, path string, body map[string]any) ([]byte, error) {
	key := s.AdminToken
	if key == "" {
		key = s.APIKey
	}
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, s.URL+"/_test/"+path, content)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	client := http.Client{Transport: &http.Transport{Proxy: nil}}
	defer client.CloseIdleConnections()
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = errors.New(fmt.Sprintf("%s /_test/%s returned %d: %s", method, path, response.StatusCode, text))
	}
	return text, err
}
