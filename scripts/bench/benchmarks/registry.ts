import { statSync } from 'node:fs';
import { join } from 'node:path';
import { nameOf, type Plan } from '../../../src/staffing/nppes/generate/files.ts';
import { EXECUTABLE } from '../../build.ts';
import { type Bench, defineBenchmark } from '../harness/benchmark.ts';
import { atMost } from '../harness/metric.ts';
import { type Product, startProduct } from '../product.ts';
import { memoryOf } from '../server-process.ts';
import { median, print } from '../statistics.ts';
import { runWrk } from '../wrk.ts';

/** Individuals, organizations and deactivated NPIs of a monthly file of CMS, together. */
const MONTH_ROWS = 9_700_000;
const CONNECTIONS = 4;

export const registry = defineBenchmark({
  name: 'registry',
  capability: 'Search of clinicians',
  about:
    'Made-up files as CMS publishes them, loaded by the executable: a full file without a server, the time from exec to the end of the ' +
    'command and the peak memory of the process; starts of the server with this registry, from exec to the response to a first search; one after ' +
    'the file was dropped from memory, from exec to the end of the first second with 90 % of the rate that the server keeps; and ' +
    `a weekly file next to the running server while ${CONNECTIONS} connections search (searches that do not repeat), whose latency is ` +
    `divided by the latency without it; and a larger file without a server, in the full form with ${MONTH_ROWS.toLocaleString('en-US')} rows, of 100 rows 22 organizations and 4 deactivated NPIs, as a month of CMS has.`,
  needs: ['wrk', 'product'],
  metrics: {
    imported: { label: 'Import of a full file', unit: 's', goal: atMost(150), goalHoldsFor: 'full' },
    memory: {
      label: 'Import of a full file, peak memory',
      unit: 'MB',
      goal: atMost(1000),
      goalHoldsFor: 'full',
    },
    month: { label: 'Import of a month of CMS', unit: 's', goal: atMost(480), goalHoldsFor: 'full' },
    monthMemory: { label: 'Import of a month of CMS, peak memory', unit: 'MB' },
    size: { label: 'Registry file', unit: 'MB' },
    start: {
      label: 'Start to the first search, median',
      unit: 'ms',
      goal: atMost(1500),
      goalHoldsFor: 'full',
    },
    warm: {
      label: 'Start to full speed, with nothing of the file in memory',
      unit: 's',
      goal: atMost(10),
      goalHoldsFor: 'full',
    },
    weekly: {
      label: 'Weekly file next to the server under load',
      unit: 's',
      goal: atMost(10),
      goalHoldsFor: 'full',
    },
    slower: {
      label: 'Search while it is applied ÷ without it, 99th percentile',
      unit: 'ratio',
      goal: atMost(2),
      goalHoldsFor: 'full',
    },
    log: {
      label: 'Largest log of the registry meanwhile',
      unit: 'MB',
      goal: atMost(200),
      goalHoldsFor: 'full',
    },
  },
  short: { rows: 200_000, changes: 10_000, month: 400_000, starts: 3 },
  full: { rows: 3_390_000, changes: 34_000, month: MONTH_ROWS, starts: 5 },
  async run({ rows, changes, month, starts }, bench) {
    const files = bench.newDirectory();
    const full = await generate(files, { kind: 'full', rows, of: rows, week: 1, seed: 1 });
    const week = await generate(files, { kind: 'weekly', rows: changes, of: rows, week: 1, seed: 1 });
    const data = bench.newDirectory();
    const loadResult = await loaded(full, data);
    const started = await startsOf(data, starts);
    const warm = await warmAfter(data);
    const weeklyImport = await weeklyUnderLoad(data, week);
    const whole = await monthOf(bench, month);
    return {
      imported: loadResult.seconds,
      memory: loadResult.memory,
      month: whole.seconds,
      monthMemory: whole.memory,
      size: sizeOf(await currentFile(data)) / 1e6,
      start: started,
      warm,
      ...weeklyImport,
    };
  },
});

async function generate(directory: string, plan: Plan): Promise<string> {
  const file = join(directory, nameOf(plan));
  const { kind, rows, of, week, seed, mix = 'clinicians' } = plan;
  const options = ['--of', String(of), '--week', String(week), '--seed', String(seed), '--mix', mix];
  await run(['generate', '--kind', kind, '--rows', String(rows), '--out', file, ...options]);
  return file;
}

/** Starts the server. Each start gives the partner another key. */
function started(data: string): Promise<Product> {
  return startProduct(EXECUTABLE, data, { service: 'staffing', rateLimits: 'off' });
}

async function monthOf(bench: Bench, rows: number) {
  const file = await generate(bench.newDirectory(), {
    kind: 'full',
    rows,
    of: rows,
    week: 1,
    seed: 2,
    mix: 'cms',
  });
  return loaded(file, bench.newDirectory());
}

/** Imports a file without a server. @returns seconds, and the peak memory in MB */
async function loaded(file: string, data: string): Promise<{ seconds: number; memory: number }> {
  // The first start makes the data directory.
  const product = await started(data);
  await product.stop();
  const since = performance.now();
  const memory = await run(['import', '--npi', file, '--data', data]);
  const seconds = (performance.now() - since) / 1000;
  print(`| import | ${seconds.toFixed(1)} s | ${memory.toFixed(0)} MB |`);
  return { seconds, memory };
}

/** Runs the executable. @returns its peak memory in MB. @throws Error when it fails */
async function run(args: string[]): Promise<number> {
  const child = Bun.spawn([EXECUTABLE, ...args], { stdout: 'ignore', stderr: 'pipe' });
  const problem = new Response(child.stderr).text();
  let memory = 0;
  while (child.exitCode === null) {
    memory = Math.max(memory, memoryOf(child.pid, 'VmHWM'));
    await Promise.race([child.exited, Bun.sleep(50)]);
  }
  if (child.exitCode !== 0) throw new Error(`${args[0]}: ${await problem}`);
  return memory;
}

/** @returns the median time from exec to the response to a first search, in milliseconds */
async function startsOf(data: string, starts: number): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < starts; turn++) {
    const since = performance.now();
    const product = await started(data);
    await search(product);
    times.push(performance.now() - since);
    await product.stop();
  }
  print(`| start to the first search | ${times.map((time) => time.toFixed(0)).join(' / ')} ms |`);
  return median(times);
}

/**
 * How many seconds after a start are looked at, and how many of them at the end count as the rate that the
 * server keeps.
 */
const WATCHED = 20;
const KEPT = 5;

/**
 * Drops the registry file from memory and starts the server. @returns the seconds from exec to the end of the
 * first second at full speed
 */
async function warmAfter(data: string): Promise<number> {
  const file = await currentFile(data);
  // With a count of zero, dd reads nothing and tells the system that the file is not needed in memory.
  const { exitCode } = Bun.spawnSync(['dd', `if=${file}`, 'iflag=nocache', 'count=0'], { stderr: 'ignore' });
  if (exitCode !== 0) throw new Error('dd failed');
  const since = performance.now();
  const product = await started(data);
  const seconds: { rate: number; at: number }[] = [];
  while (seconds.length < WATCHED) {
    const { rate } = await runWrk({
      url: product.url,
      connections: CONNECTIONS,
      seconds: 1,
      script: 'search-anew.lua',
      env: { API_KEY: product.apiKey, SEED: String(Math.floor(Math.random() * 2 ** 31)) },
    });
    seconds.push({ rate, at: (performance.now() - since) / 1000 });
  }
  await product.stop();
  print(
    `| rates of the seconds after a cold start | ${seconds.map(({ rate }) => rate.toFixed(0)).join(' / ')} |`,
  );
  const kept = median(seconds.slice(-KEPT).map(({ rate }) => rate));
  return seconds.find(({ rate }) => rate >= 0.9 * kept)?.at ?? Number.POSITIVE_INFINITY;
}

async function search({ url, apiKey }: Product): Promise<void> {
  const response = await fetch(`${url}/api/staffing/partner/v1/clinicians/search?surname=gar&state=TX`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  if (!response.ok) throw new Error(await response.text());
  await response.text();
}

/** Applies a weekly file while clients search. */
async function weeklyUnderLoad(data: string, week: string) {
  const product = await started(data);
  const load = (seconds: number) =>
    runWrk({
      url: product.url,
      connections: CONNECTIONS,
      seconds,
      script: 'search-anew.lua',
      env: { API_KEY: product.apiKey, SEED: String(Math.floor(Math.random() * 2 ** 31)) },
    });
  await load(10);
  const alone = await load(10);
  const file = await currentFile(data);
  let log = 0;
  const watch = setInterval(() => {
    log = Math.max(log, sizeOf(`${file}-wal`));
  }, 20);
  const since = performance.now();
  let weekly = 0;
  const [during] = await Promise.all([
    load(10),
    run(['import', '--npi', week, '--data', data]).then(() => {
      weekly = (performance.now() - since) / 1000;
    }),
  ]);
  clearInterval(watch);
  await product.stop();
  print(
    `| weekly | ${weekly.toFixed(1)} s | p99 ${alone.p99.toFixed(1)} ms alone, ${during.p99.toFixed(1)} ms | log ${(log / 1e6).toFixed(0)} MB |`,
  );
  return { weekly, slower: during.p99 / alone.p99, log: log / 1e6 };
}

async function currentFile(data: string): Promise<string> {
  return join(data, 'registry', (await Bun.file(join(data, 'registry', 'current')).text()).trim());
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
