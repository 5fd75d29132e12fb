import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The compiled executable, as a user has it. */
export const EXECUTABLE = join(import.meta.dir, '../../dist/countersign');
const READY_LIMIT_MS = 10_000;

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
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Finished>;
}

/** A directory of its own that is removed by `dispose`. */
export function scratch(): { path: string; dispose: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'countersign-e2e-'));
  return { path, dispose: () => rmSync(path, { recursive: true, force: true }) };
}

/** Runs a command to its end. */
export async function run(
  args: string[],
  options: { stdin?: string; env?: Record<string, string> } = {},
): Promise<Finished> {
  const child = spawn(args, options.env ?? {}, options.stdin ?? '');
  return finished(child);
}

/** Starts the service on a free port and waits for its ready file. */
export async function serve(
  data: string,
  env: Record<string, string> = {},
  args: string[] = [],
): Promise<Running> {
  const readyFile = join(data, '..', `ready-${crypto.randomUUID()}.json`);
  const child = spawn(['serve', '--port', '0', '--data', data, '--ready-file', readyFile, ...args], env, '');
  const deadline = performance.now() + READY_LIMIT_MS;
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`not ready: ${JSON.stringify(await finished(child))}`);
    }
    await Bun.sleep(5);
  }
  const ready: Record<string, unknown> = JSON.parse(readFileSync(readyFile, 'utf8'));
  return {
    url: String(ready.url),
    apiKey: String(ready.api_key),
    ready,
    pid: child.pid,
    readyFile,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      return finished(child);
    },
  };
}

function spawn(args: string[], env: Record<string, string>, stdin: string) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('COUNTERSIGN_'));
  return Bun.spawn([EXECUTABLE, ...args], {
    env: { ...Object.fromEntries(inherited), ...env },
    stdin: new Blob([stdin]),
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

async function finished(child: ReturnType<typeof spawn>): Promise<Finished> {
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}
