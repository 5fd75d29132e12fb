import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXECUTABLE } from '../../build.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atMost } from '../harness/metric.ts';
import { median, print } from '../statistics.ts';

/** Between the due times of the engagements that an advance of 72 hours ends. */
const MINUTES_APART = 4;

export const testing = defineBenchmark({
  name: 'testing',
  capability: 'Start',
  about:
    'What scripts and tests wait for: a command from exec to exit at a service that runs, `serve --test` until its ready file is there, a ' +
    'reset, and an advance of 72 hours, during which engagements expire, each at another time. And the first start of the ' +
    'staffing service, which unpacks the sample registry.',
  needs: ['product'],
  metrics: {
    command: { label: '`receipts issue`, from exec to exit, median', unit: 'ms', goal: atMost(60) },
    trust: { label: '`serve --test`, trust service, ready, median', unit: 'ms', goal: atMost(300) },
    staffing: { label: '`serve --test`, staffing service, ready, median', unit: 'ms', goal: atMost(300) },
    reset: { label: 'Reset, trust service, median', unit: 'ms', goal: atMost(150) },
    staffingReset: { label: 'Reset, staffing service, median', unit: 'ms', goal: atMost(150) },
    advance: { label: 'Advance of 72 h', unit: 'ms', goal: atMost(2000) },
    fresh: { label: 'First start, staffing service, ready, median', unit: 'ms', goal: atMost(150) },
  },
  short: { turns: 9, engagements: 1000 },
  full: { turns: 25, engagements: 1000 },
  async run({ turns, engagements }, bench) {
    const directory = bench.newDirectory();
    const commands: number[] = [];
    const resets: Record<string, number[]> = { trust: [], staffing: [] };
    const ready: Record<string, number[]> = { trust: [], staffing: [], fresh: [] };
    for (let turn = 0; turn < turns; turn++) {
      for (const service of ['trust', 'staffing']) {
        const server = await started(['--test', '--service', service], directory);
        ready[service]?.push(server.ms);
        // The first reset makes the template of the later ones.
        await server.post('reset', {});
        resets[service]?.push(await timeOf(() => server.post('reset', {})));
        if (service === 'trust') commands.push(await issued(server, directory));
        await server.stop();
      }
      const data = join(directory, `data-${turn}`);
      const server = await started(['--service', 'staffing', '--data', data], directory);
      ready.fresh?.push(server.ms);
      await server.stop();
    }
    const advance = await advanced(engagements, directory);
    const measured = {
      command: median(commands),
      trust: median(ready.trust ?? []),
      staffing: median(ready.staffing ?? []),
      reset: median(resets.trust ?? []),
      staffingReset: median(resets.staffing ?? []),
      advance,
      fresh: median(ready.fresh ?? []),
    };
    print(
      `| ${Object.entries(measured)
        .map(([name, ms]) => `${name} ${ms.toFixed(0)} ms`)
        .join(' | ')} |`,
    );
    return measured;
  },
});

type Started = Awaited<ReturnType<typeof started>>;

/** Starts a service and waits for its ready file. */
async function started(args: readonly string[], directory: string) {
  const readyFile = join(directory, 'ready.json');
  rmSync(readyFile, { force: true });
  const since = performance.now();
  const child = Bun.spawn([EXECUTABLE, 'serve', '--port', '0', '--ready-file', readyFile, ...args], {
    stdout: 'ignore',
    stderr: 'ignore',
  });
  while (!(await Bun.file(readyFile).exists())) {
    if (child.exitCode !== null) throw new Error(`serve ${args.join(' ')} did not start`);
    await Bun.sleep(1);
  }
  const ms = performance.now() - since;
  const ready: Record<string, unknown> = JSON.parse(readFileSync(readyFile, 'utf8'));
  const key = String(ready.admin_token ?? ready.api_key);
  return {
    ms,
    url: String(ready.url),
    key,
    async post(path: string, body: object): Promise<Record<string, unknown>> {
      const response = await fetch(`${ready.url}/_test/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`/_test/${path} returned ${response.status}`);
      return Object(await response.json());
    },
    async stop() {
      child.kill('SIGTERM');
      await child.exited;
    },
  };
}

/** Issues a receipt by the command line. @returns the milliseconds from exec to exit */
async function issued({ url, key }: Started, directory: string): Promise<number> {
  const configuration = join(directory, 'configuration');
  mkdirSync(configuration, { recursive: true });
  writeFileSync(join(directory, 'key'), `${key}\n`, { mode: 0o600 });
  writeFileSync(join(directory, 'input'), crypto.randomUUID());
  const env = { ...process.env, XDG_CONFIG_HOME: configuration };
  const run = async (...args: string[]) => {
    const child = Bun.spawn([EXECUTABLE, ...args], { env, stdout: 'ignore', stderr: 'ignore' });
    if ((await child.exited) !== 0) throw new Error(`${args.join(' ')} failed`);
  };
  const name = `turn-${crypto.randomUUID()}`;
  await run('login', url, '--api-key-file', join(directory, 'key'), '--name', name);
  const scope = ['--agent', 'clerk', '--domain', 'CODE_GENERATION', '--scope', 'repo:write'];
  return timeOf(() =>
    run('receipts', 'issue', '--context', name, ...scope, '--input', join(directory, 'input')),
  );
}

/** Advances a service by 72 hours, during which engagements expire. @returns milliseconds */
async function advanced(engagements: number, directory: string): Promise<number> {
  const seed = join(directory, 'seed.json');
  const held = Array.from({ length: engagements }, (_, index) => ({
    task_id: `task-${index}`,
    hirer: 'hirer',
    worker: 'worker',
    amount: 1,
    deadline: `+${(index + 1) * MINUTES_APART}m`,
  }));
  const content = { agents: { hirer: {}, worker: {} }, grants: [{ to: 'hirer', amount: engagements }] };
  writeFileSync(seed, JSON.stringify({ ...content, engagements: held }));
  const server = await started(['--test', '--clock', '2026-01-01T00:00:00Z', '--seed', seed], directory);
  let steps: unknown;
  const ms = await timeOf(async () => {
    ({ steps } = await server.post('clock', { advance: '72h' }));
  });
  await server.stop();
  // The service has due work of its own, too.
  if (!(Number(steps) >= engagements)) throw new Error(`the advance had ${String(steps)} steps`);
  return ms;
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await act();
  return performance.now() - since;
}
