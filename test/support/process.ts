import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The compiled executable. */
export const EXECUTABLE = join(import.meta.dir, '../../dist/countersign');
let executable = EXECUTABLE;
const READY_LIMIT_MS = 50_000;
/** Where no login context is, whatever the user of this machine has. */
const NO_CONFIGURATION = join(tmpdir(), 'countersign-no-configuration');
/** Longer than the program's grace period, and short enough that a hang is reported by its test. */
const END_LIMIT_MS = 60_000;

/** Has this module run another executable from now on, such as an older version. */
export function useExecutable(path: string): void {
  executable = path;
}

export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

export interface Running {
  url: string;
  apiKey: string;
  ready: Record<string, unknown>;
  pid: number;
  readyFile: string;
  /** Waits until stderr contains `text`. */
  logged(text: string): Promise<void>;
  /** Sends a signal. */
  signal(signal: NodeJS.Signals): void;
  /** Waits for the end. */
  ended(): Promise<Finished>;
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Finished>;
}

type Child = ReturnType<typeof spawn>;
const running = new Set<Child>();
process.on('exit', () => {
  for (const child of running) child.end('SIGKILL');
});

/** A temporary directory. `dispose` stops the processes that use it and removes it. */
export function scratch(): { path: string; dispose: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'countersign-e2e-'));
  return {
    path,
    dispose() {
      for (const child of running) if (child.serves.startsWith(path)) child.end('SIGKILL');
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/**
 * Runs a command to its end. `limitMs`: when it has not ended after so many milliseconds, it is ended, and
 * that is an error.
 */
export async function run(
  args: string[],
  options: { stdin?: string; env?: Record<string, string>; limitMs?: number } = {},
): Promise<Finished> {
  return spawn(args, options.env ?? {}, options.stdin ?? '', '').finished(options.limitMs);
}

/** Returns the command that a restore says to run next; null unless its last line says one. */
export function nextOf({ stderr }: Finished): string | null {
  const last = stderr.trimEnd().split('\n').at(-1) ?? '';
  return last.startsWith('next: ') ? last.slice('next: '.length) : null;
}

/** Starts the service on a free port and waits for its ready file. */
export async function serve(
  data: string,
  env: Record<string, string> = {},
  args: string[] = [],
): Promise<Running> {
  const readyFile = join(data, '..', `ready-${crypto.randomUUID()}.json`);
  return start(['--port', '0', '--data', data, '--ready-file', readyFile, ...args], readyFile, env);
}

/** Starts a witness on a free port, unless `args` name one, and waits for its ready file. */
export async function witness(data: string, args: string[]): Promise<Running> {
  const readyFile = join(data, '..', `ready-${crypto.randomUUID()}.json`);
  const port = args.includes('--port') ? [] : ['--port', '0'];
  return start([...port, '--data', data, '--ready-file', readyFile, ...args], readyFile, {}, 'witness');
}

/** Starts the service with only these arguments and waits until it has written `readyFile`. */
export async function start(
  args: string[],
  readyFile: string,
  env: Record<string, string> = {},
  command: 'serve' | 'witness' = 'serve',
): Promise<Running> {
  const child = spawn([command, ...args], env, '', readyFile);
  const deadline = performance.now() + READY_LIMIT_MS;
  let ready = readReady(readyFile);
  while (ready.pid !== child.pid) {
    if (child.hasEnded() || performance.now() > deadline) {
      child.end('SIGKILL');
      throw new Error(`not ready: ${JSON.stringify(await child.finished())}`);
    }
    await Bun.sleep(5);
    ready = readReady(readyFile);
  }
  return {
    url: String(ready.url),
    apiKey: String(ready.api_key),
    ready,
    pid: child.pid,
    readyFile,
    logged: child.logged,
    signal: child.end,
    ended: child.finished,
    stop(signal = 'SIGTERM') {
      child.end(signal);
      return child.finished();
    },
  };
}

/** The file is written atomically, so one that does not parse fails its test. */
function readReady(path: string): Record<string, unknown> {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

/** Starts the executable. Its output is read from the beginning, so that a full pipe never blocks it. */
function spawn(args: string[], env: Record<string, string>, stdin: string, serves: string) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('COUNTERSIGN_'));
  const child = Bun.spawn([executable, ...args], {
    env: { ...Object.fromEntries(inherited), XDG_CONFIG_HOME: NO_CONFIGURATION, ...env },
    stdin: new Blob([stdin]),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const whole = Promise.all([child.exited, stdout.end, stderr.end]).then(([code]) => ({
    code,
    stdout: stdout.text(),
    stderr: stderr.text(),
  }));
  const self = {
    pid: child.pid,
    /** The path in a scratch directory that the process uses; empty for none. */
    serves,
    logged: stderr.holds,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    end: (signal: NodeJS.Signals) => child.kill(signal),
    async finished(limitMs = END_LIMIT_MS): Promise<Finished> {
      const limit = Promise.withResolvers<never>();
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        limit.reject(new Error(`${args.join(' ')} did not end: ${stdout.text()}${stderr.text()}`));
      }, limitMs);
      return Promise.race([whole, limit.promise]).finally(() => clearTimeout(timer));
    },
  };
  running.add(self);
  void child.exited.then(() => running.delete(self));
  return self;
}

/** Collects the output of a stream. */
function collect(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  let output = '';
  let over = false;
  let arrived = Promise.withResolvers<void>();
  const read = async (): Promise<void> => {
    for await (const part of stream.pipeThrough(new TextDecoderStream())) {
      output += part;
      arrived.resolve();
      arrived = Promise.withResolvers();
    }
    over = true;
    arrived.resolve();
  };
  return {
    end: read(),
    text: () => output,
    async holds(text: string): Promise<void> {
      while (!output.includes(text)) {
        if (over) throw new Error(`ended without saying ${text}: ${output}`);
        await arrived.promise;
      }
    },
  };
}
