import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { trustSchema } from '../../db/trust/schema.ts';
import { takeDataDirectory } from '../../src/platform/data-directory.ts';
import { migrate } from '../../src/platform/store/migrations.ts';
import { DEFAULT_CONTEXT } from '../../src/proof/agent/commitment.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { issueAgentIn } from '../../src/trust/agents/issue.ts';
import { derivedRows } from '../../src/trust/audit/counts.ts';
import { HIGH_WATER_FILE } from '../../src/trust/log/high-water.ts';
import { operatorById } from '../../src/trust/operators/service.ts';
import { openTrustService, type TrustService } from '../../src/trust/service.ts';
import { newAgentKey } from '../support/agent.ts';
import { client, DIGEST } from '../support/client.ts';
import { evidencePath, PAYLOADS, SHA, signedEvidence } from '../support/evidence.ts';

const API_KEY = `pp_${'ab'.repeat(32)}`;
const LIST = '/api/v1/receipts';

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'countersign-upgrade-'));
});
afterEach(() => rmSync(path, { recursive: true }));

type Caller = ReturnType<typeof client>;

async function served<T>(task: (own: Caller, service: TrustService) => Promise<T>): Promise<T> {
  const directory = takeDataDirectory(path);
  const config = new Map([
    ['bootstrap_api_key', API_KEY],
    ['rate_limits', 'off'],
  ]);
  const service = await openTrustService(directory, config, pino({ level: 'silent' }), {
    version: 'test',
    url: 'http://localhost',
  });
  try {
    return await task(client(service.app('/').fetch, 'http://localhost', API_KEY), service);
  } finally {
    await service.close();
    directory.release();
  }
}

/** Puts what it had into a database of the first `count` migrations, as a program of that time would have left it. */
function takeBackTo(count: number): void {
  const file = join(path, 'trust.db');
  const old = join(path, 'old.db');
  migrate(old, { ...trustSchema, migrations: trustSchema.migrations.slice(0, count) });
  const database = new Database(old, { readwrite: true });
  // What refers to what is in no order that copying could follow.
  database.run('PRAGMA foreign_keys = OFF');
  database.query('ATTACH ? AS present').run(file);
  // What they would count is copied as well.
  const triggers = database
    .query<{ name: string; sql: string }, []>(
      "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'",
    )
    .all();
  for (const { name } of triggers) database.run(`DROP TRIGGER ${name}`);
  const tables = database
    .query<{ name: string }, []>(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT IN ('schema_migration', 'sqlite_sequence')",
    )
    .all();
  for (const { name } of tables) {
    // A table that is no more was empty, or is filled from the others.
    if (database.query('SELECT 1 FROM present.sqlite_schema WHERE name = ?').get(name) === null) continue;
    const columns = database
      .query<{ name: string }, [string, string]>(
        "SELECT name FROM pragma_table_info(?, 'main') INTERSECT SELECT name FROM pragma_table_info(?, 'present')",
      )
      .all(name, name)
      .map((column) => column.name);
    database.run(`INSERT INTO main.${name} (${columns}) SELECT ${columns} FROM present.${name}`);
  }
  for (const { sql } of triggers) database.run(sql);
  database.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  renameSync(old, file);
  if (count < 4) rmSync(join(path, HIGH_WATER_FILE));
}

/** That what was finalized before there was a log has its leaf, in the order in which it was. */
async function provenInOrder(
  own: Caller,
  newestFirst: { receipt_id: string; status: string }[],
): Promise<void> {
  const places = new Map<string, number>();
  for (const { receipt_id, status } of newestFirst.toReversed()) {
    const { body } = await own.get(`/api/v1/receipts/${receipt_id}/public-manifest`);
    const { leaf_index = null, leaf_entry = null } = Object(body.inclusion_path);
    expect([status, leaf_index === null]).toEqual([status, status === 'pending']);
    if (leaf_index !== null) places.set(JSON.parse(leaf_entry).finalized_at, leaf_index);
  }
  expect(places.size).toBeGreaterThan(3);
  const inTime = [...places].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, index]) => index);
  expect(inTime).toEqual([...inTime].sort((left, right) => left - right));
}

test('a database of the first schema keeps its lists, chains and figures', async () => {
  const queries = [
    '',
    'limit=3',
    'agent_id=agent-1',
    'agent_id=agent-1&limit=2',
    'domain=CUSTOMER_SUPPORT&limit=2',
    'status=success',
    'status=terminal',
    'status=pending&agent_id=agent-2&domain=CUSTOMER_SUPPORT',
  ];
  /** All pages of every list, as they are sent. The key of cursors goes with the migrations that are taken back. */
  const answers = async (own: Caller): Promise<unknown[]> => {
    const pages: unknown[] = [];
    for (const query of queries) {
      for (let cursor: unknown = ''; cursor !== null; ) {
        const { status, body } = await own.get(`${LIST}?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
        expect(status).toBe(200);
        cursor = body.next_cursor;
        pages.push({ ...body, next_cursor: cursor !== null });
      }
    }
    return pages;
  };

  /** What is counted as it happens: the operator's figures, and its standing at the gate. */
  const figures = async (own: Caller): Promise<unknown[]> => {
    const { body } = await own.get('/api/v1/operator/status');
    const gate = { operator_id: body.operator_id, domain: 'CODE_GENERATION' };
    // What was stored is counted from the migration on.
    const { quota: _, ...figures } = body;
    return [figures, (await own.post('/api/v1/gate/verify', gate)).body];
  };

  const before = await served(async (own) => {
    const hashes: unknown[] = [];
    for (let index = 0; index < 12; index++) {
      const issued = await own.issue({
        agent_id: `agent-${index % 3}`,
        domain: index % 2 === 0 ? 'CUSTOMER_SUPPORT' : 'CODE_GENERATION',
        ...(index > 6 ? { prev_receipt_hash: hashes[index - 2] } : {}),
      });
      expect(issued.status).toBe(201);
      hashes.push(issued.body.content_hash);
      if (index % 4 === 0)
        await own.finalize(issued.body.receipt_id, { status: 'success', output_hash: DIGEST });
      if (index % 4 === 1) {
        await own.finalize(issued.body.receipt_id, { status: 'timeout', terminal_reason: 'too late' });
      }
    }
    return { hashes, pages: await answers(own), figures: await figures(own) };
  });

  takeBackTo(1);
  await served(async (own) => {
    expect(existsSync(join(path, 'backups', 'before-0002.db'))).toBe(true);
    expect(await answers(own)).toEqual(before.pages);
    expect(await figures(own)).toEqual(before.figures);
    // Every hash is found, first versions and last ones alike; one that nothing had is not.
    for (const prev_receipt_hash of before.hashes) {
      expect((await own.issue({ prev_receipt_hash })).status).toBe(201);
    }
    await provenInOrder(own, Object(before.pages[0]).receipts);
    const newest = Object(before.pages[0]).receipts[0];
    expect((await own.issue({ prev_receipt_hash: newest.content_hash })).status).toBe(201);
    expect((await own.issue({ prev_receipt_hash: '00'.repeat(32) })).status).toBe(400);
  });
});

test('a database from before challenges named their service loses those that waited, and the sessions of holder keys', () => {
  const file = join(path, 'trust.db');
  const before = trustSchema.migrations.findIndex(({ name }) => name === '0007_challenges');
  migrate(file, { ...trustSchema, migrations: trustSchema.migrations.slice(0, before) });
  const at = '2026-01-01T00:00:00.000Z';
  const old = new Database(file, { readwrite: true, strict: true });
  old.run("INSERT INTO operator (operator_id, account_status, created_at) VALUES (?, 'ACTIVE', ?)", [
    `op_cus_${'A'.repeat(24)}`,
    at,
  ]);
  for (const [byte, role] of [
    ['01', 'issuer'],
    ['02', 'holder'],
  ] as const) {
    const hash = Buffer.from(byte.repeat(32), 'hex');
    old.run(
      `INSERT INTO api_key (key_hash, operator_seq, role, admin, created_at, subject_commitment) VALUES (?, 1, ?, 0, ?, ?)`,
      [hash, role, at, role === 'holder' ? hash : null],
    );
    old.run('INSERT INTO session VALUES (?, ?, ?, ?)', [hash, hash, at, at]);
  }
  old.run(
    `INSERT INTO challenge (kind, nonce, public_key, pow_difficulty, created_at, expires_at)
      VALUES ('autonomous', ?, zeroblob(32), 5, ?, ?)`,
    [`chal_${'A'.repeat(43)}`, at, at],
  );
  old.close();
  migrate(file, trustSchema);
  const present = new Database(file, { readonly: true });
  expect(present.query('SELECT hex(key_hash) AS key FROM session').all()).toEqual([{ key: '01'.repeat(32) }]);
  expect(present.query('SELECT count(*) AS rows FROM challenge').all()).toEqual([{ rows: 0 }]);
  expect(present.query('SELECT count(*) AS rows FROM api_key').all()).toEqual([{ rows: 2 }]);
  present.close();
});

test('a self-provisioned operator of before is known by its first agent, and challenges that a sponsor started are gone', () => {
  const file = join(path, 'trust.db');
  const before = trustSchema.migrations.findIndex(({ name }) => name === '0011_sponsorship');
  migrate(file, { ...trustSchema, migrations: trustSchema.migrations.slice(0, before) });
  const at = '2026-01-01T00:00:00.000Z';
  const old = new Database(file, { readwrite: true, strict: true });
  for (const [operatorSeq, selfProvisioned] of [
    [1, 0],
    [2, 1],
    [3, 1],
  ] as const) {
    old.run(
      `INSERT INTO operator (operator_seq, operator_id, account_status, created_at, self_provisioned)
        VALUES (?, ?, 'ACTIVE', ?, ?)`,
      [operatorSeq, `op_cus_${String(operatorSeq).repeat(24)}`, at, selfProvisioned],
    );
  }
  for (const [byte, sponsorSeq] of [
    ['01', 1],
    ['02', 2],
    ['03', 2],
  ] as const) {
    const hash = Buffer.from(byte.repeat(32), 'hex');
    old.run(
      `INSERT INTO agent (subject_commitment, public_key, context, passport_id, state, sponsor_seq, issued_at)
        VALUES (?, ?, 'passport-v1', ?, 'ISSUED', ?, ?)`,
      [hash, hash, hash.subarray(16), sponsorSeq, at],
    );
  }
  for (const [nonce, sponsorSeq] of [
    ['chal_A', 1],
    ['chal_B', null],
  ] as const) {
    old.run(
      `INSERT INTO challenge (purpose, nonce, caller, public_key, subject_commitment, context, sponsor_seq, created_at, expires_at)
        VALUES ('enroll', ?, zeroblob(32), zeroblob(32), zeroblob(32), 'passport-v1', ?, ?, ?)`,
      [nonce, sponsorSeq, at, at],
    );
  }
  old.close();
  migrate(file, trustSchema);
  const present = new Database(file, { readonly: true });
  expect(
    present.query('SELECT hex(provisioned_for) AS agent FROM operator ORDER BY operator_seq').all(),
  ).toEqual([{ agent: '' }, { agent: '02'.repeat(32) }, { agent: '' }]);
  expect(present.query('SELECT nonce FROM challenge').all()).toEqual([{ nonce: 'chal_B' }]);
  present.close();
});

test('keys that took over before their planned time are dated by the key log, and others stay as they are', () => {
  const file = join(path, 'trust.db');
  const before = trustSchema.migrations.findIndex(({ name }) => name === '0009_receipts');
  migrate(file, { ...trustSchema, migrations: trustSchema.migrations.slice(0, before) });
  const database = new Database(file, { readwrite: true });
  const keys = [
    ['early', 'active', '2026-01-01T02:00:00.000Z', '2026-01-01T00:30:00.000Z'],
    ['planned', 'retired', '2026-01-01T02:00:00.000Z', '2026-01-01T02:00:00.400Z'],
    ['never', 'compromised', '2026-01-01T02:00:00.000Z', null],
  ] as const;
  for (const [kid, status, validFrom, activated] of keys) {
    database
      .query(
        `INSERT INTO signing_key (kid, purpose, algorithm, public_key, status, valid_from)
         VALUES (?, 'receipts', 'Ed25519', zeroblob(32), ?, ?)`,
      )
      .run(kid, status, validFrom);
    if (activated === null) continue;
    database
      .query(
        `INSERT INTO key_leaf (key_seq, event, leaf_hash, entry)
         VALUES ((SELECT key_seq FROM signing_key WHERE kid = ?), 'activated', zeroblob(32), ?)`,
      )
      .run(kid, JSON.stringify({ at: activated }));
  }
  database.close();
  migrate(file, trustSchema, { keepCopies: false });
  const migrated = new Database(file, { readonly: true });
  const rows = migrated
    .query<{ kid: string; valid_from: string }, []>(
      'SELECT kid, valid_from FROM signing_key ORDER BY key_seq',
    )
    .all();
  migrated.close();
  expect(rows).toEqual([
    { kid: 'early', valid_from: '2026-01-01T00:30:00.000Z' },
    { kid: 'planned', valid_from: '2026-01-01T02:00:00.000Z' },
    { kid: 'never', valid_from: '2026-01-01T02:00:00.000Z' },
  ]);
});

test('first answers that were kept with a salt have none after it', () => {
  const file = join(path, 'trust.db');
  const before = trustSchema.migrations.findIndex(({ name }) => name === '0009_receipts');
  migrate(file, { ...trustSchema, migrations: trustSchema.migrations.slice(0, before) });
  const database = new Database(file, { readwrite: true });
  const kept = [
    { receipt_id: 'rcpt_a', domain_commitment: 'c', blind_salt: 'ab'.repeat(32), kid: 'k' },
    { receipt_id: 'rcpt_b', domain: 'CODE_GENERATION', kid: 'k' },
  ];
  for (const answer of kept) {
    database
      .query(
        `INSERT INTO idempotency (scope, body_digest, answer, created_at)
         VALUES (randomblob(16), randomblob(32), ?, '2026-01-01T00:00:00.000Z')`,
      )
      .run(JSON.stringify(answer));
  }
  database.close();
  migrate(file, trustSchema, { keepCopies: false });
  const migrated = new Database(file, { readonly: true });
  const answers = migrated
    .query<{ answer: string }, []>('SELECT answer FROM idempotency ORDER BY idempotency_seq')
    .all();
  migrated.close();
  const [blind, open] = kept;
  expect(answers.map(({ answer }) => answer)).toEqual([
    JSON.stringify({ ...blind, blind_salt: null }),
    JSON.stringify(open),
  ]);
});

test('a payload that is damaged keeps no database from being brought up to date', async () => {
  const key = newAgentKey();
  const payload: JsonObject = { sha: SHA, commit: { message: 'm' } };
  let commitment = '';
  await served(async (own, { trust }) => {
    const agent = await trust.store.writeAsService((tx) =>
      issueAgentIn(tx, trust, {
        publicKey: key.publicKey,
        context: DEFAULT_CONTEXT,
        name: null,
        sponsorSeq: null,
      }),
    );
    commitment = agent.subjectCommitment;
    const evidence = signedEvidence(key, 'github_commit_payload', payload);
    expect((await own.post(evidencePath(commitment), evidence)).status).toBe(201);
  });
  takeBackTo(5);
  const old = new Database(join(path, 'trust.db'), { readwrite: true });
  const triggers = old
    .query<{ name: string; sql: string }, []>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'evidence'",
    )
    .all();
  for (const { name } of triggers) old.run(`DROP TRIGGER ${name}`);
  old.run("UPDATE evidence SET payload = x'00'");
  for (const { sql } of triggers) old.run(sql);
  old.close();
  await served(async (own) => {
    const found = await own.get(`/api/v1/artifacts/${commitment}/${SHA}/attestation?format=json`);
    expect(found.status).toBe(404);
    expect((await own.issue()).status).toBe(201);
  });
});

test('a database whose evidence was found by parts of hashes finds it by whole ones, and counts what it counted', async () => {
  const key = newAgentKey();
  const commits = Array.from({ length: 300 }, (_, index) => ({
    id: SHA.slice(0, 12) + index.toString(16).padStart(28, '0'),
  }));
  const items = [
    ...Array.from({ length: 120 }, (_, index): [string, JsonObject] => [
      'github_commit_payload',
      { sha: `${SHA.slice(0, 12)}${index.toString(16).padStart(28, 'f')}`, commit: {} },
    ]),
    ['github_push_webhook', { ref: 'r', commits }] satisfies [string, JsonObject],
    ['otel_genai_trace', PAYLOADS.otel_genai_trace()] satisfies [string, JsonObject],
  ];
  let commitment = '';
  const answers = async (own: Caller): Promise<unknown[]> => {
    const found = [];
    for (const sha of [commits[0]?.id, commits[299]?.id, `${SHA.slice(0, 12)}${'f'.repeat(26)}77`]) {
      const { status, body } = await own.get(
        `/api/v1/artifacts/${commitment}/${sha}/attestation?format=json`,
      );
      expect([sha, status]).toEqual([sha, 200]);
      found.push(body.event_commitment_hash);
    }
    return [found, Object((await own.get(`/api/v1/profiles/${commitment}`)).body).totals];
  };
  const before = await served(async (own, { trust, firstStart }) => {
    const sponsorSeq = await trust.store.read(
      (tx) => operatorById(tx, firstStart.operatorId)?.operatorSeq ?? null,
    );
    const agent = await trust.store.writeAsService((tx) =>
      issueAgentIn(tx, trust, { publicKey: key.publicKey, context: DEFAULT_CONTEXT, name: null, sponsorSeq }),
    );
    commitment = agent.subjectCommitment;
    for (const [type, payload] of items) {
      const answer = await own.post(evidencePath(commitment), signedEvidence(key, type, payload));
      expect(answer.status).toBe(201);
    }
    for (const outcome of ['success', 'timeout', 'refusal', 'revoked']) {
      const { body } = await own.issue({ agent_id: commitment });
      if (outcome === 'success' || outcome === 'revoked')
        await own.finalize(body.receipt_id, { status: 'success', output_hash: DIGEST });
      if (outcome === 'timeout')
        await own.finalize(body.receipt_id, { status: 'timeout', terminal_reason: 'late' });
      if (outcome === 'refusal')
        await own.finalize(body.receipt_id, { status: 'refusal', refusal_reason: 'no' });
      if (outcome === 'revoked') await own.revoke(body.receipt_id);
    }
    return answers(own);
  });
  expect(before[1]).toEqual({
    evidence_count: 122,
    artifact_count: 420,
    failure_count: 1,
    receipts_count: 3,
  });

  takeBackTo(5);
  await served(async (own, { trust }) => {
    expect(await answers(own)).toEqual(before);
    expect(await trust.store.read((snapshot) => derivedRows(snapshot))).toEqual([]);
    const [type, payload] = items[0] ?? ['', {}];
    const again = await own.post(evidencePath(commitment), signedEvidence(key, type, payload));
    expect([again.status, again.body.duplicate]).toEqual([200, true]);
  });
});
