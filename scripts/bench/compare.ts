import { Database } from 'bun:sqlite';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signEd25519 } from '../../src/platform/crypto/crypto.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import { client } from '../../test/support/client.ts';
import { EXECUTABLE } from '../build.ts';
import { writeBodies } from './bodies.ts';
import { type Bench, defineBenchmark } from './harness/benchmark.ts';
import { atLeast, type Metric } from './harness/metric.ts';
import { type Product, startProduct } from './product.ts';
import { median, print } from './statistics.ts';
import { runWrk } from './wrk.ts';

/** More requests than can be sent in a second. */
const BODIES_A_SECOND = 10_000;
/** The time for issuing receipts into the audited directory. */
const AUDITED_SECONDS = 5;

interface Side {
  executable: string;
  bench: Bench;
  trust: Product;
  staffing: Product;
  /** A data directory full of receipts, without a server. */
  audited: string;
  agent: { commitment: string; key: KeyObject };
}

/** Measures one side for a number of seconds; a higher result is better. */
type Measure = (side: Side, seconds: number) => Promise<number>;

const issueOver =
  (connections: number): Measure =>
  async ({ trust }, seconds) =>
    (await issuing(trust, connections, seconds)).rate;

const MEASURES = {
  issue1: issueOver(1),
  issue4: issueOver(4),
  issue16: issueOver(16),
  issue64: issueOver(64),
  issue256: issueOver(256),
  finalize: async ({ trust }, seconds) => (await finalizing(trust, seconds)).rate,
  evidence: async ({ trust, agent }, seconds) => (await anchoring(trust, agent, seconds)).rate,
  search: async ({ staffing }, seconds) => (await searching(staffing, seconds)).rate,
  fsck: auditRate,
  startTrust: async (side) => 1000 / (await firstAnswer(side, 'trust')),
  startStaffing: async (side) => 1000 / (await firstAnswer(side, 'staffing')),
} satisfies Record<string, Measure>;

const ratio = (label: string): Metric => ({
  label: `${label}, new ÷ old`,
  unit: 'ratio',
  goal: atLeast(0.97),
});

export const compare = defineBenchmark({
  name: 'compare',
  capability: 'Old and new executable',
  about:
    'The executable of `--against` and the new one, in turns, each with its own services and data. Requests a second, signatures ' +
    'audited a second, and starts a second: the median of the ratios of all rounds, with the interval of the middle rounds. Searches ' +
    'do not repeat.',
  needs: ['wrk', 'product', 'old executable'],
  metrics: {
    issue1: ratio('Issue, 1 connection'),
    issue4: ratio('Issue, 4 connections'),
    issue16: ratio('Issue, 16 connections'),
    issue64: ratio('Issue, 64 connections'),
    issue256: ratio('Issue, 256 connections'),
    finalize: ratio('Finalize'),
    evidence: ratio('Evidence'),
    search: ratio('Search of clinicians'),
    fsck: ratio('fsck'),
    startTrust: ratio('Starts, trust service'),
    startStaffing: ratio('Starts, staffing service'),
    few: { label: 'Issue with 16 connections ÷ with 64, new', unit: 'ratio', goal: atLeast(0.66) },
  },
  short: { rounds: 3, seconds: 2 },
  full: { rounds: 10, seconds: 2 },
  async run({ rounds, seconds }, bench) {
    if (bench.oldExecutable === null) throw new Error('there is no executable to compare with');
    const sides = [await open(bench.oldExecutable, bench), await open(EXECUTABLE, bench)] as const;
    const old = Bun.spawnSync([bench.oldExecutable, 'version']).stdout.toString().trim();
    print(`| Against ${old} | Old | New | New ÷ old | Interval |`);
    const results = new Map<string, Pair[]>(Object.keys(MEASURES).map((name) => [name, []]));
    for (const side of sides) await issuing(side.trust, 64, seconds);
    for (let round = 0; round < rounds; round++) {
      for (const [name, measure] of Object.entries(MEASURES)) {
        const rates: [number, number] = [0, 0];
        // The sides take turns to go first.
        for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
          rates[index] = await measure(sides[index], seconds);
        const [before, after] = rates;
        results.get(name)?.push({ before, after });
      }
    }
    for (const { trust, staffing } of sides) for (const product of [trust, staffing]) await product.stop();
    const summaryOf = (name: keyof typeof MEASURES) => summary(name, results.get(name) ?? [], old);
    const newRate = (name: keyof typeof MEASURES) =>
      median((results.get(name) ?? []).map(({ after }) => after));
    return {
      issue1: summaryOf('issue1'),
      issue4: summaryOf('issue4'),
      issue16: summaryOf('issue16'),
      issue64: summaryOf('issue64'),
      issue256: summaryOf('issue256'),
      finalize: summaryOf('finalize'),
      evidence: summaryOf('evidence'),
      search: summaryOf('search'),
      fsck: summaryOf('fsck'),
      startTrust: summaryOf('startTrust'),
      startStaffing: summaryOf('startStaffing'),
      few: newRate('issue16') / newRate('issue64'),
    };
  },
});

/** The results of both sides in one round. */
interface Pair {
  before: number;
  after: number;
}

function summary(name: string, pairs: readonly Pair[], old: string) {
  const sorted = pairs.map(({ before, after }) => after / before).toSorted((left, right) => left - right);
  // With ten rounds, the median is between the second smallest and the second largest with a probability of 98%.
  const edge = Math.max(0, Math.floor(sorted.length / 5 - 0.5));
  const [low = 0, high = 0] = [sorted[edge], sorted[sorted.length - 1 - edge]];
  const interval = `${low.toFixed(3)}–${high.toFixed(3)}`;
  const [before, after] = [median(pairs.map((one) => one.before)), median(pairs.map((one) => one.after))];
  print(
    `| ${name} | ${before.toPrecision(4)} | ${after.toPrecision(4)} | ${median(sorted).toFixed(3)} | ${interval} |`,
  );
  return { value: median(sorted), note: `${interval}, old: ${old}` };
}

async function open(executable: string, bench: Bench): Promise<Side> {
  const trust = await startProduct(executable, bench.newDirectory(), { service: 'trust', rateLimits: 'on' });
  const staffing = await startProduct(executable, bench.newDirectory(), {
    service: 'staffing',
    rateLimits: 'off',
  });
  const filled = await startProduct(executable, bench.newDirectory(), { service: 'trust', rateLimits: 'on' });
  await issuing(filled, 64, AUDITED_SECONDS);
  await filled.stop();
  return { executable, bench, trust, staffing, audited: filled.data, agent: await enroll(trust) };
}

async function enroll({ url, apiKey }: Product): Promise<Side['agent']> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const call = client(fetch, url, apiKey);
  const { body: started } = await call.post('/api/v1/passport/agents/enroll/start', {
    public_key: Buffer.from(x, 'base64url').toString('hex'),
  });
  const commitment = String(started.subject_commitment);
  const { status } = await call.post('/api/v1/passport/agents/enroll/complete', {
    subject_commitment: commitment,
    signature: bytesToHex(signEd25519(privateKey, Buffer.from(String(started.challenge_nonce)))),
  });
  if (status !== 201) throw new Error(`the agent was not enrolled: ${status}`);
  return { commitment, key: privateKey };
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
  return runWrk({ url, connections: 64, seconds, script: 'finalize.lua', env });
}

function read<Row>({ data }: Product, sql: string): Row[] {
  const database = new Database(join(data, 'trust.db'), { readonly: true });
  const rows = database.query<Row, []>(sql).all();
  database.close();
  return rows;
}

async function anchoring(
  { url, apiKey, data }: Product,
  { commitment, key }: Side['agent'],
  seconds: number,
) {
  const file = join(data, 'bodies');
  await writeBodies(file, key, seconds * BODIES_A_SECOND);
  const load = await runWrk({
    url: `${url}/api/v1/passport/agents/${commitment}/evidence`,
    connections: 64,
    seconds,
    script: 'evidence.lua',
    env: { API_KEY: apiKey, BODIES: file },
  });
  rmSync(file);
  return load;
}

function searching({ url, apiKey }: Product, seconds: number) {
  const env = { API_KEY: apiKey, SEED: String(Math.floor(Math.random() * 2 ** 31)) };
  return runWrk({ url, connections: 16, seconds, script: 'search-anew.lua', env });
}

/** Measures signatures per second from the start of an audit to its end. */
async function auditRate({ executable, audited }: Side): Promise<number> {
  const since = performance.now();
  const child = Bun.spawn([executable, 'fsck', audited], { stdout: 'pipe', stderr: 'ignore' });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${executable} fsck found: ${text}`);
  const seconds = (performance.now() - since) / 1000;
  return Number(JSON.parse(text).examined.signatures) / seconds;
}

/** Measures the start on an existing directory until the ready file is written. @returns milliseconds */
async function firstAnswer({ executable, bench }: Side, service: 'trust' | 'staffing'): Promise<number> {
  const data = bench.newDirectory();
  const times: number[] = [];
  for (let start = 0; start < 4; start++) {
    const product = await startProduct(executable, data, { service, rateLimits: 'on' });
    // The first start creates the directory.
    if (start > 0) times.push(product.startedMs);
    await product.stop();
  }
  rmSync(data, { recursive: true });
  return median(times);
}
