import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXECUTABLE } from '../../build.ts';
import { ROOT } from '../../sources.ts';
import { type Bench, defineBenchmark } from '../harness/benchmark.ts';
import { atMost } from '../harness/metric.ts';
import { type Product, startProduct } from '../product.ts';
import { memoryOf } from '../server-process.ts';
import { median, print } from '../statistics.ts';

const SERVER = [process.execPath, join(ROOT, 'test/support/mcp/returning-server.ts')];
const CONNECTIONS = 50;

export const capture = defineBenchmark({
  name: 'capture',
  capability: 'Receipts',
  about:
    'What `countersign mcp` adds to an MCP server over stdio, in milliseconds from the request to its result. Calls: one after the ' +
    `other, and ${CONNECTIONS} in parallel; the server is also called without the wrapper, and receipts are issued over HTTP by as many ` +
    'connections in the same run. A call may take as long as one durable receipt and 1 ms more: the metrics have the difference. ' +
    'Other messages: `ping`. Ready: from exec to the first response; memory: of the wrapper, before its first call. ' +
    '`--local`: the first call with a new directory, whose service the wrapper begins, and its memory after that.',
  needs: ['product'],
  metrics: {
    ready: { label: 'Ready, without the time of the server, median', unit: 'ms', goal: atMost(60) },
    memory: { label: 'Memory before the first call', unit: 'MB', goal: atMost(70) },
    localCall: { label: 'First call with `--local`, median', unit: 'ms', goal: atMost(400) },
    localMemory: { label: 'Memory after it', unit: 'MB', goal: atMost(150) },
    ping: { label: 'Other messages, added, median', unit: 'ms', goal: atMost(0.2) },
    call: { label: 'Calls, one after the other, added beyond an issue, median', unit: 'ms', goal: atMost(1) },
    callSlow: {
      label: 'Calls, one after the other, added beyond an issue, p99',
      unit: 'ms',
      goal: atMost(1),
    },
    parallel: { label: 'Calls, 50 in parallel, added beyond an issue, median', unit: 'ms', goal: atMost(1) },
    parallelSlow: { label: 'Calls, 50 in parallel, added beyond an issue, p99', unit: 'ms', goal: atMost(1) },
  },
  short: { starts: 11, calls: 1000 },
  full: { starts: 21, calls: 10_000 },
  async run({ starts, calls }, bench) {
    const ready: number[] = [];
    const memory: number[] = [];
    const localCall: number[] = [];
    const localMemory: number[] = [];
    for (let turn = 0; turn < starts; turn++) {
      const bare = await started(SERVER, bench);
      const wrapped = await started(wrapper(['--url', 'http://127.0.0.1:9']), bench);
      ready.push(wrapped.ms - bare.ms);
      memory.push(memoryOf(wrapped.pid, 'VmRSS'));
      await bare.stop();
      await wrapped.stop();
      const local = await started(wrapper(['--local', join(bench.newDirectory(), 'receipts')]), bench);
      localCall.push(...(await timesOf(local, 'tools/call', 1, 1)));
      localMemory.push(memoryOf(local.pid, 'VmRSS'));
      await local.stop();
    }
    const product = await startProduct(EXECUTABLE, bench.newDirectory(), {
      service: 'trust',
      rateLimits: 'off',
    });
    const key = join(bench.newDirectory(), 'key');
    writeFileSync(key, product.apiKey, { mode: 0o600 });
    const bare = await started(SERVER, bench);
    const wrapped = await started(wrapper(['--url', product.url, '--api-key-file', key]), bench);
    const pings = [await timesOf(bare, 'ping', calls, 1), await timesOf(wrapped, 'ping', calls, 1)] as const;
    const measured: Record<string, number> = {};
    for (const [name, parallel] of [
      ['call', 1],
      ['parallel', CONNECTIONS],
    ] as const) {
      // The first calls open the session and the connections.
      await timesOf(wrapped, 'tools/call', 4 * parallel, parallel);
      await issueTimes(product, 4 * parallel, parallel);
      const without = await timesOf(bare, 'tools/call', calls, parallel);
      const issues = await issueTimes(product, calls, parallel);
      const added = await timesOf(wrapped, 'tools/call', calls, parallel);
      for (const [metric, at] of [
        [name, 0.5],
        [`${name}Slow`, 0.99],
      ] as const) {
        measured[metric] = quantile(added, at) - quantile(without, at) - quantile(issues, at);
        print(
          `| ${metric} | wrapped ${quantile(added, at).toFixed(2)} ms | bare ${quantile(without, at).toFixed(2)} ms | ` +
            `issue ${quantile(issues, at).toFixed(2)} ms |`,
        );
      }
    }
    await bare.stop();
    await wrapped.stop();
    await product.stop();
    return {
      ready: median(ready),
      memory: median(memory),
      localCall: median(localCall),
      localMemory: median(localMemory),
      ping: quantile(pings[1], 0.5) - quantile(pings[0], 0.5),
      call: measured.call ?? Number.NaN,
      callSlow: measured.callSlow ?? Number.NaN,
      parallel: measured.parallel ?? Number.NaN,
      parallelSlow: measured.parallelSlow ?? Number.NaN,
    };
  },
});

const wrapper = (options: readonly string[]) => [EXECUTABLE, 'mcp', ...options, '--', ...SERVER];

const quantile = (times: readonly number[], at: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * at)] ?? Number.NaN;

type Started = Awaited<ReturnType<typeof started>>;

/** Starts a server, wrapped or not, and waits for its first response. */
async function started(command: readonly string[], bench: Bench) {
  const since = performance.now();
  const child = Bun.spawn([...command], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'ignore',
    env: { ...process.env, XDG_STATE_HOME: bench.newDirectory() },
  });
  const waiting = new Map<number, () => void>();
  void (async () => {
    let rest = '';
    const text = new TextDecoder();
    for await (const chunk of child.stdout) {
      const lines = `${rest}${text.decode(chunk, { stream: true })}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) waiting.get(JSON.parse(line).id)?.();
    }
  })();
  let id = 0;
  const request = (method: string) => {
    const own = id++;
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.set(own, () => {
      waiting.delete(own);
      resolve();
    });
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: own, method, params: { name: 'echo', arguments: { n: own } } })}\n`,
    );
    void child.stdin.flush();
    return promise;
  };
  const isEnded = await Promise.race([request('ping').then(() => false), child.exited.then(() => true)]);
  if (isEnded) throw new Error(`${command.join(' ')} did not start`);
  return {
    ms: performance.now() - since,
    pid: child.pid,
    request,
    async stop() {
      await child.stdin.end();
      await child.exited;
    },
  };
}

/** Sends requests, some in parallel. @returns the milliseconds of each */
const timesOf = (server: Started, method: string, count: number, parallel: number) =>
  inParallel(count, parallel, () => server.request(method));

/** Issues receipts over HTTP. @returns the milliseconds of each */
function issueTimes({ url, apiKey }: Product, count: number, parallel: number) {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  return inParallel(count, parallel, async () => {
    const body = JSON.stringify({
      ...{ agent_id: 'bench', receipt_type: 'custody', domain: 'SYSTEM_INTEGRATION' },
      ...{ authority_scope: 'mcp:bench:echo', input_digest: 'ab'.repeat(32) },
      expiry: '2036-01-01T00:00:00Z',
    });
    const response = await fetch(`${url}/api/v1/receipts`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
      body,
    });
    if (response.status !== 201) throw new Error(`issue: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  });
}

async function inParallel(count: number, parallel: number, act: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let begun = 0;
  const worker = async () => {
    while (begun < count) {
      begun++;
      const since = performance.now();
      await act();
      times.push(performance.now() - since);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return times;
}
