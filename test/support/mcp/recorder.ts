/** Runs a command and writes what passes into files: `bun recorder.ts DIRECTORY COMMAND…`. */

import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const [directory = '', command = '', ...args] = process.argv.slice(2);
mkdirSync(directory, { recursive: true });
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
child.stdin.on('error', () => process.stdin.destroy());
record('client', process.stdin, child.stdin);
record('server', child.stdout, process.stdout);
child.on('close', (code) => {
  process.exitCode = code ?? 1;
  process.stdin.destroy();
});

/** Passes bytes on. They are in the file before that, because a client kills this process without notice. */
function record(way: string, from: Readable, to: Writable): void {
  const file = join(directory, `${process.pid}.${way}`);
  appendFileSync(file, '');
  from.on('data', (chunk: Buffer) => {
    appendFileSync(file, chunk);
    to.write(chunk);
  });
  from.on('end', () => {
    if (to !== process.stdout) to.end();
  });
}
