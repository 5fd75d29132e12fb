import { Database } from 'bun:sqlite';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { nativePrimitives, signEd25519 } from '../../src/platform/crypto/crypto.ts';
import { digest } from '../../src/proof/encoding/digest.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { createAgentIn } from '../../src/trust/agents/create-agent.ts';
import { dayOf } from '../../src/trust/evidence/reputation/score.ts';
import type { TrustService } from '../../src/trust/service/service.ts';

/** Sends a request to the application in this process. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<Response>;

/** A route with the most expensive data that callers can store. */
export interface Reading {
  name: string;
  path: string;
}

const SHA = (index: number): string => `6113728f27ae${index.toString(16).padStart(28, '0')}`;
/** A quote takes six characters in an SVG. */
const LONG_NAME = '"'.repeat(128);
const DAYS = 37;
const OTHERS = 400;
const MANY = 300;

interface BenchAgent {
  commitment: string;
  agentSeq: number;
  key: KeyObject;
}

/**
 * Fills the trust service with the most expensive data that callers can store. @returns the routes to read
 */
export async function worstTrust(service: TrustService, directory: string, ask: Ask): Promise<Reading[]> {
  const agent = await enrolled(service);
  await presented(agent, ask);
  await commitsThatBeginAlike(agent, ask);
  const long = await enrolled(service);
  await longPayloads(long, ask);
  const chinese = await enrolled(service);
  for (let item = 0; item < 110; item++)
    await anchored(chinese, 'otel_genai_trace', { 'gen_ai.a': '漢'.repeat(349_000) + item }, ask);
  const wide = await enrolled(service);
  await widePayloads(wide, ask);
  for (let count = 0; count < OTHERS; count++) await enrolled(service);
  everyDay(join(directory, 'trust.db'));
  const receipt = await manySuccessors(ask);
  const { body: hook } = await webhooks(ask);
  failedDeliveries(join(directory, 'trust.db'));
  await service.trust.log.publisher.publish();
  return readings({ agent, long, chinese, wide, receipt, webhook: String(hook), sizes: await twoSizes(ask) });
}

function readings(made: {
  agent: BenchAgent;
  long: BenchAgent;
  chinese: BenchAgent;
  wide: BenchAgent;
  receipt: string;
  webhook: string;
  sizes: string;
}): Reading[] {
  const { agent, long, chinese, wide, receipt, webhook, sizes } = made;
  const artifacts = `/api/v1/artifacts/${agent.commitment}`;
  const evidence = (commitment: string) => `/api/v1/passport/agents/${commitment}/evidence?limit=100`;
  const named = (names: readonly string[], path: (name: string) => string): Reading[] =>
    names.map((name) => ({ name, path: path(name) }));
  return [
    { name: 'receipts, 100 of the longest', path: '/api/v1/receipts?limit=100' },
    { name: 'receipts of all filters', path: '/api/v1/receipts?limit=100&agent_id=agent-0&status=terminal' },
    ...named(
      ['', '/public-manifest', '/proof', '/status'],
      (part) => `/api/v1/receipts/${receipt}${part}`,
    ).map(({ path }) => ({ name: path.replace(receipt, '{id}'), path })),
    { name: 'newest checkpoint', path: '/api/v1/receipts/checkpoints/latest' },
    { name: 'checkpoints, 100', path: '/api/v1/receipts/checkpoints?limit=100' },
    { name: 'consistency', path: `/api/v1/receipts/checkpoints/consistency?${sizes}` },
    { name: 'log checkpoint', path: '/log/receipts/checkpoint' },
    { name: 'log keys', path: '/log/receipts/vkeys' },
    { name: 'tile of hashes', path: '/log/receipts/tile/0/000' },
    { name: 'tile of entries', path: '/log/receipts/tile/entries/000' },
    { name: 'passport', path: `/api/v1/passport/agents/${agent.commitment}/passport` },
    { name: 'evidence, payloads of 1 MiB', path: evidence(long.commitment) },
    { name: 'evidence, payloads of 1 MiB in Chinese', path: evidence(chinese.commitment) },
    { name: 'evidence, 100 payloads of 40 KiB', path: evidence(wide.commitment) },
    { name: 'evidence, 100 pushes', path: evidence(agent.commitment) },
    { name: 'leaderboard, 100', path: '/api/v1/leaderboard?limit=100' },
    { name: 'profile', path: `/api/v1/profiles/${agent.commitment}` },
    { name: 'avatar, a redirect', path: `/api/v1/avatar/${agent.commitment}` },
    { name: 'avatar, an identicon', path: `/api/v1/avatar/${'9f'.repeat(32)}` },
    { name: 'badge', path: `/api/v1/badge/${agent.commitment}/attestation` },
    { name: 'badge, signed', path: `/api/v1/badge/${agent.commitment}/attestation?format=json` },
    { name: 'artifact, a card', path: `${artifacts}/${SHA(MANY - 1)}/attestation?format=svg` },
    { name: 'artifact, signed', path: `${artifacts}/${SHA(MANY - 1)}/attestation?format=json` },
    { name: 'artifact that is none', path: `${artifacts}/${SHA(2 ** 40)}/attestation` },
    { name: 'webhooks, 100', path: '/api/v1/webhooks?limit=100' },
    { name: 'verify guide', path: '/api/v1/webhooks/verify-guide' },
    { name: 'deliveries, 100', path: `/api/v1/webhooks/${webhook}/deliveries?limit=100` },
    { name: 'operator status', path: '/api/v1/operator/status' },
    { name: 'API keys, 100', path: '/api/v1/operator/api-keys?limit=100' },
    { name: 'public key', path: '/api/v1/public-key' },
    { name: 'keys', path: '/api/v1/transparency/keys' },
    { name: 'health', path: '/api/health' },
    { name: 'OpenAPI', path: '/openapi.json' },
  ];
}

async function enrolled({ trust, firstStart }: TrustService): Promise<BenchAgent> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const made = await trust.store.writeAsService((tx) =>
    createAgentIn(tx, trust, {
      publicKey: Buffer.from(x, 'base64url').toString('hex'),
      context: 'passport-v1',
      name: LONG_NAME,
      sponsorSeq: firstStart.operatorId === '' ? null : 1,
    }),
  );
  return { commitment: made.subjectCommitment, agentSeq: made.agentSeq, key: privateKey };
}

const signature = ({ key }: BenchAgent, object: JsonObject): string =>
  bytesToHex(signEd25519(key, Buffer.from(digest(nativePrimitives, object))));

async function anchored(
  agent: BenchAgent,
  source_type: string,
  payload: JsonObject,
  ask: Ask,
): Promise<void> {
  const path = `/api/v1/passport/agents/${agent.commitment}/evidence`;
  await made(await ask('POST', path, { source_type, payload, signature: signature(agent, payload) }));
}

async function made(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 500)}`);
  return JSON.parse(text);
}

/** Stores presentations with URLs of the maximum length. */
async function presented(agent: BenchAgent, ask: Ask): Promise<void> {
  for (let count = 0; count < 50; count++) {
    const photo = {
      photo_url: `https://example.org/${String(count).padEnd(2028, '&')}`,
      photo_content_sha256: 'ab'.repeat(32),
      photo_mime_type: 'image/png',
    };
    const signed = signature(agent, { subject_commitment: agent.commitment, ...photo });
    const path = `/api/v1/passport/agents/${agent.commitment}/presentation`;
    await made(await ask('PUT', path, { ...photo, signature: signed }));
  }
}

/** Stores pushes of 2,048 commits whose SHAs share the first 48 bits, each with a payload of about 150 KB. */
async function commitsThatBeginAlike(agent: BenchAgent, ask: Ask): Promise<void> {
  for (let push = 0; push < MANY; push++) {
    const commits = Array.from({ length: 2048 }, (_, index) => ({ id: SHA(index * MANY + push) }));
    await anchored(agent, 'github_push_webhook', { ref: `refs/heads/${push}`, commits }, ask);
  }
}

/** Stores payloads of nearly 1 MiB with 60 levels of nesting and characters that JSON must escape. */
async function longPayloads(agent: BenchAgent, ask: Ask): Promise<void> {
  let nested: JsonObject = { a: '\u0001"\\'.repeat(500) };
  for (let level = 0; level < 58; level++) nested = { a: nested };
  for (let item = 0; item < 110; item++) {
    const text = '\u0001"\\'.repeat(99_000) + item;
    await anchored(agent, 'otel_genai_trace', { 'gen_ai.a': text, nested }, ask);
  }
}

/** Stores payloads of such a size that a hundred just fit into one page. */
async function widePayloads(agent: BenchAgent, ask: Ask): Promise<void> {
  for (let item = 0; item < 110; item++) {
    const numbers = Array.from({ length: 2000 }, (_, index) => index / 7 + item);
    await anchored(agent, 'otel_genai_trace', { 'gen_ai.a': 'é'.repeat(2000), numbers }, ask);
  }
}

/** Gives every agent work on each day of the rate's window. */
function everyDay(file: string): void {
  const database = new Database(file, { readwrite: true, strict: true });
  const today = dayOf(Date.now());
  database
    .query(
      `WITH RECURSIVE days (day) AS (SELECT $first UNION ALL SELECT day + 1 FROM days WHERE day < $today)
       INSERT OR IGNORE INTO agent_day SELECT agent_seq, day, 7, 3 FROM agent, days`,
    )
    .run({ first: today - DAYS + 1, today });
  database.close();
}

/**
 * Stores a page of receipts with members of the maximum length that all follow one receipt. @returns its id
 */
async function manySuccessors(ask: Ask): Promise<string> {
  const issue = (more: object) =>
    ask('POST', '/api/v1/receipts', {
      agent_id: '𝒜'.repeat(256),
      receipt_type: 'custody',
      input_digest: 'ab'.repeat(32),
      authority_scope: '"'.repeat(256),
      expiry: '2036-01-31T12:00:00Z',
      domain: 'CODE_GENERATION',
      ...more,
    });
  const first = await made(await issue({}));
  for (let count = 0; count < 150; count++) {
    const { receipt_id } = await made(await issue({ prev_receipt_hash: first.content_hash }));
    const reason = '"'.repeat(1024);
    const ended = { status: 'refusal', refusal_reason: reason };
    await made(await ask('POST', `/api/v1/receipts/${receipt_id}/finalize`, ended));
  }
  const ended = { status: 'refusal', refusal_reason: '"'.repeat(1024) };
  await made(await ask('POST', `/api/v1/receipts/${first.receipt_id}/finalize`, ended));
  return String(first.receipt_id);
}

/** Returns a query with the sizes of the first nonempty checkpoint and the newest one. */
async function twoSizes(ask: Ask): Promise<string> {
  const { checkpoints } = await made(await ask('GET', '/api/v1/receipts/checkpoints?limit=100'));
  const sizes = (Array.isArray(checkpoints) ? checkpoints : []).map(({ tree_size }) => Number(tree_size));
  return `from=${Math.min(...sizes.filter((size) => size > 0))}&to=${Math.max(...sizes)}`;
}

/** Stores the maximum number of endpoints with the longest URLs, and keys with the longest names. */
async function webhooks(ask: Ask): Promise<{ body: unknown }> {
  let body: unknown = null;
  for (let count = 0; count < 100; count++) {
    const url = `https://127.0.0.1:1/${String(count).padEnd(2020, 'a')}`;
    const response = await ask('POST', '/api/v1/webhooks', { url, events: ['evidence.anchored'] });
    if (!response.ok && body !== null) break;
    body = (await made(response)).id;
  }
  for (let count = 0; count < 120; count++)
    await made(await ask('POST', '/api/v1/operator/api-keys', { name: '"'.repeat(128) }));
  return { body };
}

/** Stores the maximum number of retained deliveries, each with an error. */
function failedDeliveries(file: string): void {
  const database = new Database(file, { readwrite: true, strict: true });
  database.run(`WITH RECURSIVE numbered (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbered WHERE n < 99)
    INSERT INTO webhook_delivery (delivery_id, webhook_seq, event, created_at, ended_at, status, error)
    SELECT randomblob(16), webhook_seq, 'evidence.anchored', created_at, created_at, NULL, printf('%.1000c', 'e')
    FROM webhook, numbered`);
  database.close();
}
