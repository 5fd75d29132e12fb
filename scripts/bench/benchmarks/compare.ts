import { Database } from 'bun:sqlite';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refreshCheckpoint } from '../../../test/support/made-account.ts';
import { EXECUTABLE } from '../../build.ts';
import { writeBodies } from '../bodies.ts';
import { type AgentWithKey, enrolledWithKey } from '../enrolled-agent.ts';
import { type Bench, defineBenchmark } from '../harness/benchmark.ts';
import { atLeast, type Metric } from '../harness/metric.ts';
import { enrollPayers } from '../payers.ts';
import { type Product, startProduct } from '../product.ts';
import { median, print } from '../statistics.ts';
import { type Load, runWrk } from '../wrk.ts';
import { completeCommand, madeAccountIn } from './complete.ts';
import { signedReceipts } from './verify.ts';

/** More requests than can be sent in a second. */
const BODIES_A_SECOND = 10_000;
/** The agents that transfer credits to one another, and the credits of each. */
const PAYERS = 8;
const CREDITS = 100_000_000;
/** The time for issuing receipts into the audited directory. */
const AUDITED_SECONDS = 5;
/** The receipts that are verified in bulk, and those of the account that is proven complete. */
const VERIFIED = 50_000;
const ACCOUNT = 50_000;

interface Side {
  executable: string;
  bench: Bench;
  trust: Product;
  staffing: Product;
  /** A data directory full of finalized receipts, without a server. */
  audited: string;
  /** A service with a copy of it, whose logs nothing changes. */
  watched: Product;
  agent: AgentWithKey;
  /** A file with the commitments of agents that have credits. */
  payers: string;
  files: Files;
}

/** What both sides verify: a file of receipts, and a linked account with its log. */
interface Files {
  bulk: { file: string; keys: string };
  account: string;
}

/**
 * What a side did: its work in one second of processor time of all its threads, and in one second of the
 * clock.
 */
interface Work {
  perProcessorSecond: number;
  perSecond: number;
}

/** Measures one side for a number of seconds; a higher result is better. */
type Measure = (side: Side, seconds: number) => Promise<Work>;

const issueOver =
  (connections: number): Measure =>
  ({ trust }, seconds) =>
    costOf(trust, () => issuing(trust, connections, seconds));

const MEASURES = {
  issue1: issueOver(1),
  issue16: issueOver(16),
  issue64: issueOver(64),
  issue256: issueOver(256),
  finalize: async ({ trust }, seconds) => finalizing(trust, seconds),
  evidence: async ({ trust, agent }, seconds) => anchoring(trust, agent, seconds),
  transfers: ({ trust, payers }, seconds) => costOf(trust, () => transferring(trust, payers, seconds)),
  search: ({ staffing }, seconds) => costOf(staffing, () => searching(staffing, seconds)),
  monitor: monitored,
  fsck: audited,
  verify: ({ executable, files: { bulk } }) =>
    verifying([executable, 'verify', bulk.file, '--keys', bulk.keys], VERIFIED),
  complete: ({ executable, files: { account } }) => {
    refreshCheckpoint(account, Date.now());
    return verifying([executable, ...completeCommand(account)], ACCOUNT);
  },
  startTrust: (side) => starts(side, 'trust'),
  startStaffing: (side) => starts(side, 'staffing'),
} satisfies Record<string, Measure>;

/** What is compared of a measure. */
type Comparison = readonly [measure: keyof typeof MEASURES, by: keyof Work];

const COMPARISONS = {
  cpuIssue1: ['issue1', 'perProcessorSecond'],
  cpuIssue64: ['issue64', 'perProcessorSecond'],
  cpuIssue256: ['issue256', 'perProcessorSecond'],
  cpuFinalize: ['finalize', 'perProcessorSecond'],
  cpuEvidence: ['evidence', 'perProcessorSecond'],
  cpuTransfers: ['transfers', 'perProcessorSecond'],
  cpuSearch: ['search', 'perProcessorSecond'],
  cpuMonitor: ['monitor', 'perProcessorSecond'],
  cpuFsck: ['fsck', 'perProcessorSecond'],
  cpuVerify: ['verify', 'perProcessorSecond'],
  cpuComplete: ['complete', 'perProcessorSecond'],
  startTrust: ['startTrust', 'perSecond'],
  startStaffing: ['startStaffing', 'perSecond'],
} as const satisfies Record<string, Comparison>;

const ratio = (label: string): Metric => ({
  label: `${label}, new ÷ old`,
  unit: 'ratio',
  goal: atLeast(0.97),
});

export const compare = defineBenchmark({
  name: 'compare',
  capability: 'Old and new executable',
  about:
    'The executable of `--against` and the new one, in turns, each with its own services and data: work in a second of processor time of all ' +
    'threads (requests; log entries of `monitor --once`; signatures of fsck; receipts of `verify`), and starts in a second of the clock. The median of the ratios ' +
    'of all rounds, with the interval of the middle rounds. Searches do not repeat.',
  needs: ['wrk', 'product', 'old executable'],
  metrics: {
    cpuIssue1: ratio('Issues per processor second, 1 connection'),
    cpuIssue64: ratio('Issues per processor second, 64 connections'),
    cpuIssue256: ratio('Issues per processor second, 256 connections'),
    cpuFinalize: ratio('Finalizations per processor second'),
    cpuEvidence: ratio('Items of evidence per processor second'),
    cpuTransfers: ratio('Transfers of credits per processor second'),
    cpuSearch: ratio('Searches of clinicians per processor second'),
    cpuMonitor: ratio('Entries that the monitor checks per processor second'),
    cpuFsck: ratio('Signatures that fsck checks per processor second'),
    cpuVerify: ratio('Receipts verified in bulk per processor second'),
    cpuComplete: ratio('Receipts proven complete per processor second'),
    startTrust: ratio('Starts, trust service'),
    startStaffing: ratio('Starts, staffing service'),
    few: { label: 'Issue with 16 connections ÷ with 64, new', unit: 'ratio', goal: atLeast(0.66) },
  },
  short: { rounds: 3, seconds: 1 },
  full: { rounds: 20, seconds: 1 },
  async run({ rounds, seconds }, bench) {
    if (bench.oldExecutable === null) throw new Error('there is no executable to compare with');
    const files = {
      bulk: await signedReceipts(bench.newDirectory(), VERIFIED),
      account: madeAccountIn(bench.newDirectory(), ACCOUNT),
    };
    const sides = [
      await open(bench.oldExecutable, bench, files),
      await open(EXECUTABLE, bench, files),
    ] as const;
    const old = Bun.spawnSync([bench.oldExecutable, 'version']).stdout.toString().trim();
    print(`| Against ${old} | Old | New | New ÷ old | Interval |`);
    const results = new Map<string, Pair[]>(Object.keys(MEASURES).map((name) => [name, []]));
    for (const side of sides) await issuing(side.trust, 64, seconds);
    for (let round = 0; round < rounds; round++) {
      for (const [name, measure] of Object.entries(MEASURES)) {
        const work: [Work, Work] = [NONE, NONE];
        // The sides take turns to go first.
        for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
          work[index] = await measure(sides[index], seconds);
        const [before, after] = work;
        results.get(name)?.push({ before, after });
      }
    }
    for (const { trust, staffing, watched } of sides)
      for (const product of [trust, staffing, watched]) await product.stop();
    const pairsOf = (name: keyof typeof MEASURES) => results.get(name) ?? [];
    const newRate = (name: keyof typeof MEASURES) =>
      median(pairsOf(name).map(({ after }) => after.perSecond));
    const summaryOf = (name: keyof typeof COMPARISONS) => {
      const [measure, by] = COMPARISONS[name];
      const pairs = pairsOf(measure).map(({ before, after }) => ({ before: before[by], after: after[by] }));
      return summary(name, pairs, old);
    };
    return {
      cpuIssue1: summaryOf('cpuIssue1'),
      cpuIssue64: summaryOf('cpuIssue64'),
      cpuIssue256: summaryOf('cpuIssue256'),
      cpuFinalize: summaryOf('cpuFinalize'),
      cpuEvidence: summaryOf('cpuEvidence'),
      cpuTransfers: summaryOf('cpuTransfers'),
      cpuSearch: summaryOf('cpuSearch'),
      cpuMonitor: summaryOf('cpuMonitor'),
      cpuFsck: summaryOf('cpuFsck'),
      cpuVerify: summaryOf('cpuVerify'),
      cpuComplete: summaryOf('cpuComplete'),
      startTrust: summaryOf('startTrust'),
      startStaffing: summaryOf('startStaffing'),
      few: newRate('issue16') / newRate('issue64'),
    };
  },
});

const NONE: Work = { perProcessorSecond: 0, perSecond: 0 };

/** The work of both sides in one round. */
interface Pair {
  before: Work;
  after: Work;
}

function summary(name: string, pairs: readonly { before: number; after: number }[], old: string) {
  const sorted = pairs.map(({ before, after }) => after / before).toSorted((left, right) => left - right);
  // The median is between these with a probability of 98% for ten rounds, and of more than 98% for twenty.
  const edge = Math.max(0, Math.floor(sorted.length / 5 - 0.5));
  const [low = 0, high = 0] = [sorted[edge], sorted[sorted.length - 1 - edge]];
  const interval = `${low.toFixed(3)}–${high.toFixed(3)}`;
  const [before, after] = [median(pairs.map((one) => one.before)), median(pairs.map((one) => one.after))];
  print(
    `| ${name} | ${before.toPrecision(4)} | ${after.toPrecision(4)} | ${median(sorted).toFixed(3)} | ${interval} |`,
  );
  return { value: median(sorted), note: `${interval}, old: ${old}` };
}

async function open(executable: string, bench: Bench, files: Files): Promise<Side> {
  const trust = await startProduct(executable, bench.newDirectory(), { service: 'trust', rateLimits: 'on' });
  const staffing = await startProduct(executable, bench.newDirectory(), {
    service: 'staffing',
    rateLimits: 'off',
  });
  const filled = await startProduct(executable, bench.newDirectory(), { service: 'trust', rateLimits: 'on' });
  await finalizing(filled, AUDITED_SECONDS);
  await filled.stop();
  const copy = bench.newDirectory();
  cpSync(filled.data, copy, { recursive: true });
  const watched = await startProduct(executable, copy, { service: 'trust', rateLimits: 'off' });
  const side = { executable, bench, trust, staffing, audited: filled.data, watched, files };
  return {
    ...side,
    agent: await enrolledWithKey(trust),
    payers: (await enrollPayers(executable, trust, PAYERS, CREDITS)).file,
  };
}

function transferring({ url, apiKey }: Product, payers: string, seconds: number): Promise<Load> {
  const env = { API_KEY: apiKey, AGENTS: payers };
  const script = 'transfer.lua';
  return runWrk({
    url: `${url}/api/v1/passport/credits/transfers`,
    connections: 64,
    seconds,
    script,
    env,
  });
}

/** Runs a load on a product, and measures its processor time meanwhile. */
async function costOf(product: Product, load: () => Promise<Load>): Promise<Work> {
  const since = product.processorSeconds();
  const { requests, rate } = await load();
  return { perProcessorSecond: requests / (product.processorSeconds() - since), perSecond: rate };
}

function issuing({ url, apiKey }: Product, connections: number, seconds: number) {
  const env = { API_KEY: apiKey };
  return runWrk({ url: `${url}/api/v1/receipts`, connections, seconds, script: 'issue.lua', env });
}

async function finalizing(product: Product, seconds: number) {
  const { url, apiKey, data } = product;
  const newest = read<{ seq: number }>(product, 'SELECT max(receipt_seq) AS seq FROM receipt')[0]?.seq ?? 0;
  // Issues twice as many, so that no receipt is finalized twice even if finalizing is faster.
  for (let time = 0; time < 2; time++) await issuing(product, 64, seconds);
  const rows = read<{ id: string }>(
    product,
    `SELECT 'rcpt_' || lower(hex(receipt_id)) AS id FROM receipt WHERE receipt_seq > ${newest}`,
  );
  const ids = join(data, 'ids');
  writeFileSync(ids, rows.map(({ id }) => id).join('\n'));
  const env = { API_KEY: apiKey, IDS: ids };
  return costOf(product, () => runWrk({ url, connections: 64, seconds, script: 'finalize.lua', env }));
}

function read<Row>({ data }: Product, sql: string): Row[] {
  const database = new Database(join(data, 'trust.db'), { readonly: true });
  const rows = database.query<Row, []>(sql).all();
  database.close();
  return rows;
}

async function anchoring(product: Product, { commitment, key }: Side['agent'], seconds: number) {
  const { url, apiKey, data } = product;
  const file = join(data, 'bodies');
  await writeBodies(file, key, seconds * BODIES_A_SECOND);
  const work = await costOf(product, () =>
    runWrk({
      url: `${url}/api/v1/passport/agents/${commitment}/evidence`,
      connections: 64,
      seconds,
      script: 'evidence.lua',
      env: { API_KEY: apiKey, BODIES: file },
    }),
  );
  rmSync(file);
  return work;
}

function searching({ url, apiKey }: Product, seconds: number) {
  const env = { API_KEY: apiKey, SEED: String(Math.floor(Math.random() * 2 ** 31)) };
  return runWrk({ url, connections: 16, seconds, script: 'search-anew.lua', env });
}

/** Measures the signatures of an audit. */
async function audited({ executable, audited: data }: Side): Promise<Work> {
  const { output, processorSeconds, seconds } = await run([executable, 'fsck', data]);
  const { signatures } = JSON.parse(output).examined;
  return { perProcessorSecond: signatures / processorSeconds, perSecond: signatures / seconds };
}

/** Measures a command that verifies a number of receipts. */
async function verifying(command: string[], receipts: number): Promise<Work> {
  const { processorSeconds, seconds } = await run(command);
  return { perProcessorSecond: receipts / processorSeconds, perSecond: receipts / seconds };
}

/** Measures the entries that a monitor reads and checks in its first round. */
async function monitored({ executable, bench, watched }: Side): Promise<Work> {
  const state = bench.newDirectory();
  mkdirSync(state, { recursive: true });
  const command = [executable, 'monitor', watched.url, '--state', state, '--once', '--max-download', '4096'];
  const { processorSeconds, seconds } = await run(command);
  rmSync(state, { recursive: true });
  const [{ size } = { size: 0 }] = read<{ size: number }>(
    watched,
    'SELECT count(*) AS size FROM receipt_leaf',
  );
  return { perProcessorSecond: size / processorSeconds, perSecond: size / seconds };
}

/** Runs a command to its end. @throws Error if it fails */
async function run(command: string[]) {
  const since = performance.now();
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'ignore' });
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed: ${output}`);
  const processorSeconds = Number(child.resourceUsage()?.cpuTime.total ?? 0n) / 1e6;
  return { output, processorSeconds, seconds: (performance.now() - since) / 1000 };
}

/** Measures starts on an existing directory until the ready file is written. */
async function starts({ executable, bench }: Side, service: 'trust' | 'staffing'): Promise<Work> {
  const data = bench.newDirectory();
  const times: number[] = [];
  for (let start = 0; start < 4; start++) {
    const product = await startProduct(executable, data, { service, rateLimits: 'on' });
    // The first start creates the directory.
    if (start > 0) times.push(product.startedMs);
    await product.stop();
  }
  rmSync(data, { recursive: true });
  return { ...NONE, perSecond: 1000 / median(times) };
}
