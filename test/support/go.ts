import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Debian's golang-go and golang-golang-x-mod-dev; GOPATH can name another place of the sources. */
const GOPATH = process.env.GOPATH ?? '/usr/share/gocode';

/** True if this machine can run the programs of `test/support/go`. */
export const hasGo = Bun.which('go') !== null && existsSync(join(GOPATH, 'src/golang.org/x/mod/sumdb/tlog'));

/**
 * Runs a program of `test/support/go`.
 * @param scratch a directory for what Go builds, and the program's first argument
 */
export function runGo(program: string, scratch: string, args: readonly string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    ['go', 'run', join(import.meta.dir, 'go', program), scratch, ...args],
    {
      env: { ...process.env, GO111MODULE: 'off', GOPATH, GOFLAGS: '', GOCACHE: join(scratch, 'go-cache') },
    },
  );
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

/** Picks the line of the Ed25519 key, of type 1, from a log's verifier keys. Sumdb knows no other type. */
export function ed25519Key(vkeys: string): string {
  const [vkey = ''] = vkeys
    .split('\n')
    .map((line) => line.replace(/^log /, ''))
    .filter((line) => /^[^+]+\+[^+]+\+A[Q-Za-f].{42}$/.test(line));
  return vkey;
}
