import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXAMPLE_COMMITMENT } from '../../src/trust/agents/example-agent.ts';
import { DEMO_API_KEY, DEMO_WORKER } from '../../src/trust/http/example-ids.ts';
import { EXECUTABLE } from '../build.ts';

const READY_LIMIT_MS = 60_000;

/** A running demonstration of the compiled executable. */
export interface Service {
  /** Without a slash at its end. */
  url: string;
  /** What `countersign --version` prints. */
  version: string;
  apiKey: string;
  /** The commitments of an agent with credits, and of another one, whose reputation it certifies. */
  hirer: string;
  worker: string;
  stop(): Promise<void>;
}

/**
 * Starts the trust service with the data of its demonstration on a free port of loopback. @throws Error if it
 * is not ready in a minute
 */
export async function startService(): Promise<Service> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-conformance-'));
  const readyFile = join(directory, 'ready.json');
  const child = Bun.spawn([EXECUTABLE, 'serve', '--demo', '--port', '0', '--ready-file', readyFile], {
    // Suites send more requests a minute than one address may.
    env: { ...process.env, COUNTERSIGN_RATE_LIMITS: 'off' },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'inherit',
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await child.exited;
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const url = await urlIn(readyFile, () => child.exitCode !== null);
    const version = Bun.spawnSync([EXECUTABLE, '--version']).stdout.toString().trim();
    return { url, version, apiKey: DEMO_API_KEY, hirer: EXAMPLE_COMMITMENT, worker: DEMO_WORKER, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits for the file that the service writes when it accepts requests. */
async function urlIn(readyFile: string, hasEnded: () => boolean): Promise<string> {
  const deadline = performance.now() + READY_LIMIT_MS;
  while (!(await Bun.file(readyFile).exists())) {
    if (hasEnded() || performance.now() > deadline) throw new Error('the service did not start');
    await Bun.sleep(20);
  }
  const ready: { url: string } = JSON.parse(readFileSync(readyFile, 'utf8'));
  return ready.url;
}
