import { Database } from 'bun:sqlite';
import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { hexToBytes } from '../../src/proof/encoding/hex.ts';
import { leafHash, verifyConsistency, verifyInclusion } from '../../src/proof/log/merkle.ts';
import { openCheckpoint } from '../../src/proof/log/note-signature.ts';
import { client, concurrently, strings } from '../../test/support/client.ts';
import { fourSteps } from '../../test/support/four-steps.ts';
import { logKeys } from '../../test/support/log.ts';
import { type Running, scratch, serve } from '../../test/support/process.ts';
import { killUnder } from './kill.ts';

type Receipt = Record<string, string>;
type Client = ReturnType<typeof client>;

const API_KEY = `pp_${'5a'.repeat(32)}`;
const ENV = {
  COUNTERSIGN_BOOTSTRAP_API_KEY: API_KEY,
  COUNTERSIGN_RATE_LIMITS: 'off',
};
const OUTCOME = { status: 'refusal', refusal_reason: 'load' };
const WORKERS = 32;
/** The members that a later version may change; all others stay as issued. */
const CHANGING = ['status', 'refusal_reason', 'error_tranche', 'content_hash', 'signature', 'kid'];

/** A checkpoint that was published before a kill. */
interface Seen {
  size: number;
  root: string;
}

/**
 * Kills the service with SIGKILL repeatedly under load, on one data directory. After each restart, every
 * receipt with a 2xx response since the last restart must exist, as returned or in a later version, and
 * verify. The log must contain every finalized receipt, under a checkpoint that extends every checkpoint ever
 * seen, and the database must be intact. At the end, the same must be true of all receipts, including those
 * whose response was cut off.
 *
 * @returns the number of receipts with a 2xx response
 */
export async function killNine(rounds: number): Promise<number> {
  const { path, dispose } = scratch();
  const data = `${path}/data`;
  const promised = new Map<string, Receipt>();
  const seen: Seen[] = [];
  try {
    let server = await serve(data, ENV);
    for (let round = 0; round < rounds; round++) {
      const acknowledged = await loadAndKill(server, seen);
      // The service itself must recover after the kill, so nothing else opens the file before it.
      server = await serve(data, ENV);
      wholeness(data);
      await keptOneByOne(server, acknowledged);
      await keptInTheLog(server, acknowledged, seen);
      for (const [id, receipt] of acknowledged) promised.set(id, receipt);
    }
    await keptInTheList(server, promised);
    await keptInTheLog(server, promised, seen);
    const { code } = await server.stop();
    if (code !== 0) throw new Error(`the restarted service ended with ${code}`);
    wholeness(data);
    return promised.size;
  } finally {
    dispose();
  }
}

/** Loads and kills the server. @returns the last 2xx response for each receipt before the kill */
async function loadAndKill(server: Running, seen: Seen[]): Promise<Map<string, Receipt>> {
  const api = client(fetch, server.url, API_KEY);
  const acknowledged = new Map<string, Receipt>();
  // A random number, so that each round is killed at a different point within a commit group.
  const target = 400 + Math.floor(Math.random() * 800);
  const reached = Promise.withResolvers<void>();
  let responses = 0;
  const keep = (receipt: Receipt): void => {
    acknowledged.set(String(receipt.receipt_id), receipt);
    responses += 1;
    if (responses === target) reached.resolve();
  };
  const work = async (): Promise<never> => {
    for (;;) {
      const issued = await api.issue({ blind: responses % 2 === 0 });
      if (issued.status !== 201) throw new Error(`issue returned ${issued.status}`);
      keep(strings(issued.body));
      const ended = await api.finalize(issued.body.receipt_id, OUTCOME);
      if (ended.status !== 200) throw new Error(`finalize returned ${ended.status}`);
      keep(strings(ended.body));
    }
  };
  const watch = async (): Promise<never> => {
    for (;;) {
      const { body } = await api.get('/api/v1/receipts/checkpoints/latest');
      const checkpoint = { size: Number(body.tree_size), root: String(body.root_hash) };
      if (seen.at(-1)?.size !== checkpoint.size) seen.push(checkpoint);
    }
  };
  watch().catch(() => undefined);
  await killUnder(server, reached, Array.from({ length: WORKERS }, work));
  return acknowledged;
}

function wholeness(data: string): void {
  const database = new Database(`${data}/trust.db`, { readonly: true });
  try {
    const integrity = database.query('PRAGMA integrity_check').values().flat().join();
    if (integrity !== 'ok') throw new Error(`integrity_check: ${integrity}`);
    const strays = database.query('PRAGMA foreign_key_check').values();
    if (strays.length > 0) throw new Error(`foreign_key_check: ${JSON.stringify(strays)}`);
  } finally {
    database.close();
  }
}

async function keptOneByOne(server: Running, promised: Map<string, Receipt>): Promise<void> {
  const api = client(fetch, server.url, API_KEY);
  const key = await publicKey(api);
  await concurrently([...promised], WORKERS, async ([id, response]) => {
    const { status, body } = await api.get(`/api/v1/receipts/${id}`);
    if (status !== 200) throw new Error(`${id} was promised and is ${status}`);
    mustFollow(response, strings(body));
    mustVerify(strings(body), key);
  });
}

/**
 * Checks that a checkpoint of the current tree proves every finalized receipt, and that this tree extends
 * every checkpoint published before the kill.
 */
async function keptInTheLog(
  server: Running,
  promised: Map<string, Receipt>,
  seen: readonly Seen[],
): Promise<void> {
  const api = client(fetch, server.url, null);
  const newest = (await api.get('/api/v1/receipts/checkpoints/latest')).body;
  const origin = String(newest.origin);
  const keys = await logKeys(api, origin);
  const { checkpoint } = openCheckpoint(nativePrimitives, Buffer.from(String(newest.note)), keys);
  for (const { size, root } of seen) {
    const { status, body } = await api.get(
      `/api/v1/receipts/checkpoints/consistency?from=${size}&to=${checkpoint.size}`,
    );
    const proof = {
      from: size,
      to: checkpoint.size,
      fromRoot: hexToBytes(root),
      toRoot: checkpoint.root,
      path: hashesOf(body.hashes),
    };
    if (status !== 200 || !verifyConsistency(nativePrimitives, proof)) {
      throw new Error(
        `the checkpoint of ${checkpoint.size} leaves contradicts the earlier checkpoint of ${size} leaves`,
      );
    }
  }
  const finalized = [...promised].filter(([, receipt]) => receipt.status === OUTCOME.status);
  await concurrently(finalized, WORKERS, async ([id, receipt]) => {
    const path = Object((await api.get(`/api/v1/receipts/${id}/public-manifest`)).body.inclusion_path);
    const proof = {
      leaf: leafHash(nativePrimitives, Buffer.from(String(path.leaf_entry))),
      index: Number(path.leaf_index),
      size: Number(path.tree_size),
      path: hashesOf(path.hashes),
      root: openCheckpoint(nativePrimitives, Buffer.from(String(path.checkpoint)), keys).checkpoint.root,
    };
    const isIt = JSON.parse(String(path.leaf_entry)).content_hash === receipt.content_hash;
    if (!isIt || !verifyInclusion(nativePrimitives, proof))
      throw new Error(`${id} was finalized and is not in the log`);
  });
}

function hashesOf(value: unknown): Uint8Array[] {
  const texts: unknown[] = Array.isArray(value) ? value : [];
  return texts.map((text) => Uint8Array.fromBase64(String(text)));
}

/** Checks that every receipt verifies and is in the list once, and that no promised receipt is missing. */
async function keptInTheList(server: Running, promised: Map<string, Receipt>): Promise<void> {
  const api = client(fetch, server.url, API_KEY);
  const key = await publicKey(api);
  const listed = new Set<string>();
  let cursor: string | null = '';
  while (cursor !== null) {
    const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body } = await api.get(`/api/v1/receipts?limit=100${after}`);
    for (const row of Array.isArray(body.receipts) ? body.receipts : []) {
      const receipt = strings(row);
      const id = String(receipt.receipt_id);
      if (listed.has(id)) throw new Error(`${id} is listed twice`);
      listed.add(id);
      mustFollow(promised.get(id) ?? receipt, receipt);
      mustVerify(receipt, key);
    }
    cursor = typeof body.next_cursor === 'string' ? body.next_cursor : null;
  }
  for (const id of promised.keys()) if (!listed.has(id)) throw new Error(`${id} was promised and is gone`);
}

async function publicKey(api: Client): Promise<string> {
  return String((await api.get('/api/v1/public-key')).body.public_key);
}

/** Checks that a stored receipt equals the response, or is the next version that the load creates. */
function mustFollow(response: Receipt, stored: Receipt): void {
  const isLater = response.status === 'pending' && stored.status === OUTCOME.status;
  const names = new Set([...Object.keys(response), ...Object.keys(stored)]);
  for (const name of names) {
    if (isLater && CHANGING.includes(name)) continue;
    if (response[name] === stored[name]) continue;
    throw new Error(`${response.receipt_id}: ${name} was ${response[name]} and is ${stored[name]}`);
  }
}

function mustVerify(receipt: Receipt, key: string): void {
  const verdict = fourSteps(receipt, key, Date.now());
  if (verdict !== 'valid') throw new Error(`${receipt.receipt_id}: ${verdict}`);
}
