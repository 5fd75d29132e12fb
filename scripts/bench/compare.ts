import { Database } from 'bun:sqlite';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { signEd25519 } from '../../src/platform/crypto.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import { client } from '../../test/support/client.ts';
import { writeBodies } from './bodies.ts';
import { newData, type Product, shoot, startProduct } from './product.ts';
import { median, print } from './server-process.ts';

/**
 * Two executables of the product against each other, in turns, each with services and data of its own: issuing at several numbers of
 * connections, finalizing, evidence, searching by questions that do not repeat, and the first answer after exec. Prints the median of
 * the rounds' ratios with its interval. Needs wrk.
 * `bun scripts/bench/compare.ts OLD NEW [rounds]`
 */
const [old = '', fresh = ''] = process.argv.slice(2).map((path) => resolve(path));
const ROUNDS = Number(process.argv[4] ?? 10);
const SECONDS = 2;
const LADDER = [1, 4, 16, 64, 256];
/** More than are sent in that time. */
const BODIES = 20_000;

interface Side {
  executable: string;
  trust: Product;
  staffing: Product;
  agent: { commitment: string; key: KeyObject };
}

/** A measure: its name, and what one side reaches; more is better. */
type Measure = [string, (side: Side) => Promise<number>];

const measures: Measure[] = [
  ...LADDER.map(
    (connections): Measure => [
      `issue, ${connections} connections`,
      async ({ trust }) => (await issuing(trust, connections)).rate,
    ],
  ),
  ['finalize', async ({ trust }) => (await finalizing(trust)).rate],
  ['evidence', async ({ trust, agent }) => (await anchoring(trust, agent)).rate],
  ['search', async ({ staffing }) => (await searching(staffing)).rate],
  ['starts a second, trust', async ({ executable }) => 1000 / (await firstAnswer(executable, 'trust'))],
  ['starts a second, staffing', async ({ executable }) => 1000 / (await firstAnswer(executable, 'staffing'))],
];

const sides = [await open(old), await open(fresh)];
const results = new Map(
  measures.map(([name]) => [name, { ratios: [] as number[], rates: [[] as number[], [] as number[]] }]),
);
try {
  for (const side of sides) await issuing(side.trust, 64);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, measure] of measures) {
      const rates = [0, 0];
      // Whoever goes first does so in every other round.
      for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const side = sides[index];
        if (side !== undefined) rates[index] = await measure(side);
      }
      const [before = 0, after = 0] = rates;
      const result = results.get(name);
      result?.ratios.push(after / before);
      result?.rates[0]?.push(before);
      result?.rates[1]?.push(after);
    }
  }
} finally {
  for (const { trust, staffing } of sides) for (const product of [trust, staffing]) await close(product);
}
print('| Measured | Old | New | New ÷ old | Interval |');
print('| --- | --- | --- | --- | --- |');
for (const [name, { ratios, rates }] of results) {
  const sorted = ratios.toSorted((left, right) => left - right);
  // Of ten rounds the second smallest and the second largest hold the median with 98%.
  const edge = Math.max(0, Math.floor(sorted.length / 5 - 0.5));
  const [low = 0, high = 0] = [sorted[edge], sorted[sorted.length - 1 - edge]];
  const [before = [], after = []] = rates;
  print(
    `| ${name} | ${median(before).toPrecision(4)} | ${median(after).toPrecision(4)} | ${median(ratios).toFixed(3)} | ${low.toFixed(3)}–${high.toFixed(3)} |`,
  );
}

async function open(executable: string): Promise<Side> {
  const trust = await startProduct(executable, newData(), { service: 'trust', rateLimits: 'on' });
  const staffing = await startProduct(executable, newData(), { service: 'staffing', rateLimits: 'off' });
  return { executable, trust, staffing, agent: await enroll(trust) };
}

async function close(product: Product): Promise<void> {
  await product.stop();
  rmSync(product.data, { recursive: true, force: true });
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

function issuing({ url, apiKey }: Product, connections: number) {
  const env = { API_KEY: apiKey };
  return shoot({ url: `${url}/api/v1/receipts`, connections, seconds: SECONDS, script: 'issue.lua', env });
}

async function finalizing(product: Product) {
  const { url, apiKey, data } = product;
  const newest = read<{ seq: number }>(product, 'SELECT max(receipt_seq) AS seq FROM receipt')[0]?.seq ?? 0;
  // As many again, so that none is asked for twice however fast finalizing is.
  for (let time = 0; time < 2; time++) await issuing(product, 64);
  const rows = read<{ id: string }>(
    product,
    `SELECT 'rcpt_' || lower(hex(receipt_id)) AS id FROM receipt WHERE receipt_seq > ${newest}`,
  );
  const ids = join(data, 'ids');
  writeFileSync(ids, rows.map(({ id }) => id).join('\n'));
  const env = { API_KEY: apiKey, IDS: ids };
  return shoot({ url, connections: 64, seconds: SECONDS, script: 'finalize.lua', env });
}

function read<Row>({ data }: Product, sql: string): Row[] {
  const database = new Database(join(data, 'trust.db'), { readonly: true });
  const rows = database.query<Row, []>(sql).all();
  database.close();
  return rows;
}

async function anchoring({ url, apiKey, data }: Product, { commitment, key }: Side['agent']) {
  const file = join(data, 'bodies');
  await writeBodies(file, key, BODIES);
  const load = await shoot({
    url: `${url}/api/v1/passport/agents/${commitment}/evidence`,
    connections: 64,
    seconds: SECONDS,
    script: 'evidence.lua',
    env: { API_KEY: apiKey, BODIES: file },
  });
  rmSync(file);
  return load;
}

function searching({ url, apiKey }: Product) {
  const env = { API_KEY: apiKey, SEED: String(Math.floor(Math.random() * 2 ** 31)) };
  return shoot({ url, connections: 16, seconds: SECONDS, script: 'search-anew.lua', env });
}

/** The first answer can be had when the ready file is there. @returns milliseconds, on a directory that was made before */
async function firstAnswer(executable: string, service: 'trust' | 'staffing'): Promise<number> {
  const data = newData();
  const times: number[] = [];
  for (let start = 0; start < 4; start++) {
    const product = await startProduct(executable, data, { service, rateLimits: 'on' });
    // The first one makes it.
    if (start > 0) times.push(product.startedMs);
    await product.stop();
  }
  rmSync(data, { recursive: true });
  return median(times);
}
