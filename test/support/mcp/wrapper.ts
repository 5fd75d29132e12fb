import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

/** How a process ended. */
export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process whose pipes a test holds. */
export interface Piped {
  child: ChildProcessWithoutNullStreams;
  /** What it wrote so far. */
  readonly out: Buffer;
  readonly err: string;
  /** Waits until it has written a text. */
  wrote(text: string): Promise<void>;
  /** Waits until its output has ended. */
  closed: Promise<void>;
  ended: Promise<End>;
}

/** Starts a process with pipes, as a client starts a server. */
export function piped([command = '', ...args]: string[], env: Record<string, string>): Piped {
  const child = spawn(command, args, { env: { PATH: process.env.PATH ?? '', ...env } });
  const out: Buffer[] = [];
  let err = '';
  let onOutput: () => void = () => undefined;
  child.stdout.on('data', (chunk: Buffer) => {
    out.push(chunk);
    onOutput();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  // A server that ended does not read what is written to it.
  child.stdin.on('error', () => undefined);
  const text = () => Buffer.concat(out);
  const ended = new Promise<End>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  const closed = new Promise<void>((resolve) => {
    child.stdout.on('close', () => resolve());
  });
  return {
    child,
    get out() {
      return text();
    },
    get err() {
      return err;
    },
    async wrote(expected) {
      while (!text().includes(expected)) {
        await new Promise<void>((resolve, reject) => {
          onOutput = resolve;
          void ended.then((end) => reject(new Error(`it ended: ${JSON.stringify({ ...end, err })}`)));
        });
      }
    },
    closed,
    ended,
  };
}
