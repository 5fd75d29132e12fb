import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How a test service is started. */
export interface StartOptions {
  service?: 'trust' | 'staffing';
  /** Where its clock starts: it stands at `2026-01-01T00:00:00Z`, or runs ahead by `+72h`. */
  clock?: string;
  /** The path of a seed: the data with which it begins. */
  seed?: string;
  /** Further options of `countersign serve`, such as `['--rate-limits', 'on']`. */
  args?: readonly string[];
  /** The path of the executable. Default: the variable COUNTERSIGN, else `countersign` on the PATH. */
  executable?: string;
}

/** Requests that fail on purpose. */
export interface Fault {
  /** The operationId, such as `issueReceipt`. */
  operation: string;
  count: number;
  /** The status of the response: the request is not performed. */
  status?: number;
  /** Whether the request is performed, and its response lost. */
  lose_response?: boolean;
  delay_ms?: number;
}

/** A test service that runs. */
export interface TestService {
  url: string;
  /** Of an operator that is an administrator; in the staffing service, of a sandbox. */
  apiKey: string;
  /** In the staffing service: the token of its administrator. */
  adminToken: string | null;
  /** What the service said when it was ready. */
  ready: Readonly<Record<string, unknown>>;
  /** In the trust service: the operator of `apiKey`. */
  operatorId: string | null;
  /** In the trust service: the token that sends deliverables. */
  serviceToken: string | null;
  /** Advances the clock: `72h`. Resolves when all that became due has ended. Returns the time. */
  advance(duration: string): Promise<string>;
  /** Returns the time of the service, in RFC 3339. */
  now(): Promise<string>;
  /** Makes a new installation: no data, the clock at its start. The keys stay. */
  reset(): Promise<void>;
  /** Has the next requests of an operation fail. */
  fault(fault: Fault): Promise<void>;
  clearFaults(): Promise<void>;
  /** Returns what the service wrote so far. */
  log(): string;
  /** Ends the service. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const READY_LIMIT_MS = 30_000;

/**
 * Starts a test service, for tests of your program. It ends with `stop`, with `await using`, and whenever the
 * process of the tests ends.
 * @throws Error with what the service wrote, if it does not start
 */
export async function startCountersign(options: StartOptions = {}): Promise<TestService> {
  const { service = 'trust', clock, seed, args = [] } = options;
  const executable = options.executable ?? process.env.COUNTERSIGN ?? 'countersign';
  const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
  const readyFile = join(folder, 'ready.json');
  const given = [
    ...(clock === undefined ? [] : ['--clock', clock]),
    ...(seed === undefined ? [] : ['--seed', seed]),
  ];
  const child = spawn(
    executable,
    ['serve', '--test', '--service', service, '--port', '0', '--ready-file', readyFile, ...given, ...args],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (log += text));
  let end: string | null = null;
  const ended = new Promise<void>((resolve) => {
    const note = (what: string) => {
      end ??= what;
      rmSync(folder, { recursive: true, force: true });
      resolve();
    };
    child.on('error', (error) => note(`${executable} cannot be started: ${error.message}`));
    child.on('exit', (code, signal) => note(`${executable} ended with ${code ?? signal}`));
  });
  const stop = async (): Promise<void> => {
    // Keeps this process until the service has ended.
    child.ref();
    child.kill('SIGTERM');
    await ended;
  };
  const ready = await readyIn(readyFile, () => end).catch(async (error: Error) => {
    if (end === null) await stop();
    throw new Error(`${error.message}\n${log}`);
  });
  // The process of the tests may end without `stop`: the service ends with it.
  child.unref();
  for (const stream of [child.stdout, child.stderr]) if ('unref' in stream) Object(stream).unref();

  const url = String(ready.url);
  const adminToken = textIn(ready.admin_token);
  const call = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${url}/_test/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${adminToken ?? ready.api_key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} /_test/${path} returned ${response.status}: ${text}`);
    return JSON.parse(text);
  };
  return {
    url,
    apiKey: String(ready.api_key),
    adminToken,
    ready,
    operatorId: textIn(ready.operator_id),
    serviceToken: textIn(ready.service_token),
    advance: async (duration) => String((await call('POST', 'clock', { advance: duration })).now),
    now: async () => String((await call('GET', 'clock')).now),
    reset: async () => void (await call('POST', 'reset', {})),
    fault: async (fault) => void (await call('POST', 'faults', fault)),
    clearFaults: async () => void (await call('DELETE', 'faults')),
    log: () => log,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/**
 * Returns a test that gets a test service of its own, for vitest, jest, `bun test` and node:test. The service
 * ends with the test. If the test fails, stderr shows what the service wrote.
 *
 *     test('a receipt expires', withCountersign({ clock: '+72h' }, async (service) => { … }));
 */
export function withCountersign(
  options: StartOptions,
  body: (service: TestService) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const service = await startCountersign(options);
    try {
      await body(service);
    } catch (error) {
      process.stderr.write(`\nThe log of countersign serve --test:\n${service.log()}\n`);
      throw error;
    } finally {
      await service.stop();
    }
  };
}

const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null);

async function readyIn(file: string, end: () => string | null): Promise<Record<string, unknown>> {
  const deadline = performance.now() + READY_LIMIT_MS;
  for (;;) {
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      // Not there yet, or not complete.
    }
    const problem = end();
    if (problem !== null) throw new Error(problem);
    if (performance.now() > deadline) throw new Error(`the service was not ready after ${READY_LIMIT_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
