import { Database, type SQLQueryBindings } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noopRecorder } from '../../../../src/platform/monitoring/recorder.ts';
import { Publisher } from '../../../../src/trust/log/checkpoints/publisher.ts';
import { HIGH_WATER_FILE } from '../../../../src/trust/log/high-water.ts';
import { activateDueKeys } from '../../../../src/trust/log/keys/activate-due.ts';
import { reportCompromised } from '../../../../src/trust/log/keys/report-compromised.ts';
import { rotate } from '../../../../src/trust/log/keys/rotate.ts';
import { restartLogs } from '../../../../src/trust/log/lifecycle/restart.ts';
import { openLogs } from '../../../../src/trust/log/logs.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { Auditor, audited } from '../../../support/audit.ts';
import { evidencePath, PAYLOADS, signedEvidence } from '../../../support/evidence.ts';
import { finalized } from '../../../support/log.ts';
import { copyOf, flip, names, pastTriggers, type Row, withoutTriggers } from '../../../support/tampering.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

/** A directory that holds everything that can go wrong, in two generations of logs; tests work on copies. */
let whole: string;
/** One like it with so many receipts that a log has a whole tile: each audit of it takes much longer. */
let tiled: string;
let scratch: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-fsck-'));
  whole = await directoryWith(9);
  tiled = await directoryWith(254);
});
afterAll(() => rmSync(scratch, { recursive: true }));

/** Makes a directory with a number of receipts in the same state beside all others. */
async function directoryWith(receipts: number): Promise<string> {
  // What is done here takes some hours, and none of its checkpoints may be dated in the future.
  const time = new VirtualTime(Date.now() - 86_400_000);
  const app = await openTrustApp({}, time);
  await live(app, time, receipts);
  const { trust } = app.service;
  await restartLogs({ ...trust, contents: trust.log.contents }, app.directory);
  await liveOn(app);
  const directory = join(scratch, `whole-${receipts}`);
  copyOf(app.directory, directory);
  await app.close();
  return directory;
}

/**
 * Receipts in every state, chains, blind ones, keys that were rotated, one that was reported,
 * checkpoints of all.
 */
async function live(app: TrustApp, time: VirtualTime, receipts: number): Promise<void> {
  const { trust } = app.service;
  const agent = await enrolledAgent(app);
  for (const name of ['a', 'b', 'c']) {
    const body = signedEvidence(agent, 'github_commit_payload', PAYLOADS.github_commit_payload(name));
    await app.own.post(evidencePath(agent.commitment), body);
  }
  const own = (await app.own.issue({ agent_id: agent.commitment })).body;
  await app.own.finalize(own.receipt_id, { status: 'timeout', terminal_reason: 'too late' });
  const first = await finalized(app.own);
  await app.own.issue({ prev_receipt_hash: first.content_hash, blind: true });
  await trust.log.publisher.publish();
  await app.own.revoke(first.receipt_id, { reason: 'by mistake' });
  const refused = (await app.own.issue()).body;
  await app.own.finalize(refused.receipt_id, { status: 'refusal', refusal_reason: 'not allowed' });
  const late = (await app.own.issue()).body;
  await app.own.finalize(late.receipt_id, { status: 'timeout', terminal_reason: 'too late' });
  const never = (await app.own.issue()).body;
  await app.own.revoke(never.receipt_id);
  const former = await enrolledAgent(app);
  await app.own.post(`/api/v1/passport/agents/${former.commitment}/revoke`);
  await rotate(trust, 'receipts');
  await rotate(trust, 'keys-log');
  time.advance(7_300_000);
  await activateDueKeys(trust);
  await trust.log.publisher.publish();
  for (let count = 0; count < receipts; count++) await finalized(app.own);
  const compromised = trust.signer.activeKey('receipts').kid;
  await reportCompromised(trust, compromised);
  await trust.log.publisher.publish();
  await reportCompromised(trust, trust.signer.activeKey('keys-log').kid);
  await trust.log.publisher.publish();
  time.advance(600_000);
  await trust.log.publisher.publish();
}

/** What a start after the restart does, and a receipt in the new logs. */
async function liveOn({ service: { trust }, own, directory }: TrustApp): Promise<void> {
  const logs = await trust.store.read(openLogs);
  if (logs === null) throw new Error('no logs');
  trust.log.open = logs;
  trust.log.publisher = new Publisher({ ...trust, logs, quorum: null }, directory, noopRecorder.checkpoint);
  await trust.store.read((snapshot) => trust.log.publisher.resume(snapshot));
  await trust.log.publisher.publish();
  const last = await finalized({ ...own });
  await own.revoke(last.receipt_id);
  await trust.log.publisher.publish();
}

test('an undamaged directory has no problem', async () => {
  for (const directory of [whole, tiled]) {
    const { outcome, reported: problems } = await audited(directory);
    expect(problems.map(({ sentence }) => sentence)).toEqual([]);
    expect(outcome).toMatchObject({ ok: true, problems: 0 });
  }
});

describe('the high-water mark of published checkpoints', () => {
  const SIZE = /("tree_size":) \d+/;
  const ROOT = /("root_hash": ")(..)/;
  const marks: [string, (text: string) => string | null, RegExp][] = [
    ['that is gone', () => null, /it is missing/],
    ['that is no JSON', () => '{', /is damaged/],
    [
      'of another log',
      (text) => text.replace(/"origin": "[^"]+/, '"origin": "elsewhere'),
      /it is of another log/,
    ],
    ['of a larger tree', (text) => text.replace(SIZE, '$1 9999'), /more was published than the database has/],
    ['with a root that is no hash', (text) => text.replace(ROOT, '$1zz'), /is damaged/],
    [
      'of another tree',
      (text) => text.replace(ROOT, (_, before, first) => before + (first === '00' ? '11' : '00')),
      /are not those that were published/,
    ],
    [
      'with an older size and the root of a newer',
      (text) => text.replace(/"tree_size": \d+/, '"tree_size": 1'),
      /is older than the newest checkpoint/,
    ],
  ];

  test.each(marks)('%s is reported', async (name, change, message) => {
    const target = join(scratch, `mark ${name}`);
    cpSync(whole, target, { recursive: true });
    const file = join(target, HIGH_WATER_FILE);
    const changed = change(readFileSync(file, 'utf8'));
    if (changed === null) rmSync(file);
    else writeFileSync(file, changed);
    const { reported: problems } = await audited(target);
    expect(problems.map(({ sentence }) => sentence).join('\n')).toMatch(message);
  });
});

test.each([
  [
    'a key that took over before its valid_from',
    "UPDATE signing_key SET valid_from = '2099-01-01T00:00:00.000Z' WHERE key_seq = 1",
    'signing_key (key_seq 1',
    'valid_from is after the key log says that it was activated',
  ],
  [
    'a key that signed a receipt before its valid_from',
    "UPDATE signing_key SET valid_from = '2099-01-01T00:00:00.000Z' WHERE key_seq = 1",
    'receipt_version (receipt_seq 1, version 1)',
    'signed_at is before valid_from of key',
  ],
  [
    'a key that signed a checkpoint before its valid_from',
    "UPDATE signing_key SET valid_from = '2099-01-01T00:00:00.000Z' WHERE purpose = 'receipts-log' AND algorithm = 'Ed25519'",
    'checkpoint (checkpoint_seq 1)',
    'before valid_from of key',
  ],
  [
    "a checkpoint that names another log's key",
    "UPDATE checkpoint SET key_seq = (SELECT key_seq FROM signing_key WHERE purpose = 'revocations-log' AND algorithm = 'Ed25519') WHERE checkpoint_seq = 1",
    'checkpoint (checkpoint_seq 1)',
    'which is not an Ed25519 key of this log',
  ],
  [
    "a key that is turned into another log's",
    "UPDATE signing_key SET purpose = 'keys-log', status = 'retired' WHERE purpose = 'revocations-log' AND algorithm = 'Ed25519'",
    'key_leaf',
    'is not the key of its entry',
  ],
  [
    'a commit that is not indexed',
    'DELETE FROM evidence_commit WHERE evidence_seq = 2',
    'evidence (evidence_seq 2)',
    'evidence_commit has no row for its commit',
  ],
  [
    'a commit that no payload has',
    `INSERT INTO evidence_commit VALUES (1, x'${'00'.repeat(20)}', 2)`,
    'agent_standing (agent_seq 1)',
    'artifact_count is not the number',
  ],
  [
    'an item that is gone, with its commits',
    'DELETE FROM evidence_commit WHERE evidence_seq = 3; DELETE FROM evidence WHERE evidence_seq = 3',
    'evidence (evidence_seq 2)',
    "the agent's counters do not match this item",
  ],
  [
    'a count that is too high',
    'UPDATE agent_standing SET evidence_count = 4 WHERE agent_seq = 1',
    'evidence (evidence_seq 3)',
    "the agent's counters do not match this item",
  ],
  [
    'a payload without a canonical form',
    `UPDATE evidence SET payload = x'${Bun.zstdCompressSync('{"a":1e999}').toString('hex')}' WHERE evidence_seq = 1`,
    'evidence (evidence_seq 1)',
    'payload cannot be read',
  ],
  [
    'a revoked agent whose leaf was given to another agent',
    'UPDATE revocation_leaf SET agent_seq = 1 WHERE agent_seq = 2',
    'agent (agent_seq 2)',
    'it is revoked, and revocation_leaf has no leaf for it',
  ],
  [
    'a leaf of another agent',
    'UPDATE revocation_leaf SET agent_seq = 1 WHERE agent_seq = 2',
    'revocation_leaf (leaf_seq 3)',
    'and it names agent (agent_seq 1)',
  ],
  [
    'a leaf of an agent that is gone',
    'DELETE FROM agent_standing WHERE agent_seq = 2; DELETE FROM agent WHERE agent_seq = 2',
    'revocation_leaf (leaf_seq 3)',
    'there is no agent (agent_seq 2)',
  ],
  [
    'a revoked agent that was made active again',
    "UPDATE agent SET state = 'ISSUED', revoked_at = NULL WHERE agent_seq = 2",
    'revocation_leaf (leaf_seq 3)',
    'agent (agent_seq 2) is not revoked',
  ],
  [
    'a revoked agent with another time',
    "UPDATE agent SET revoked_at = '2020-01-01T00:00:00.000Z' WHERE agent_seq = 2",
    'revocation_leaf (leaf_seq 3)',
    'was revoked at 2020-01-01T00:00:00.000Z',
  ],
  [
    'a revocation of an agent that is said to be lost and is there',
    'UPDATE revocation_leaf SET agent_seq = NULL, lost_agent = (SELECT subject_commitment FROM agent WHERE agent_seq = 2) WHERE agent_seq = 2',
    'revocation_leaf (leaf_seq 3)',
    'which is there, and it says that it is lost',
  ],
  [
    'an agent that was revoked and not logged',
    "UPDATE agent SET state = 'REVOKED', revoked_at = '2026-01-01T00:00:00.000Z' WHERE agent_seq = 1",
    'agent (agent_seq 1)',
    'it is revoked, and revocation_leaf has no leaf for it',
  ],
  [
    "another agent's key",
    'UPDATE agent SET public_key = randomblob(32)',
    'evidence (evidence_seq 1)',
    "signature is invalid for the payload and the agent's key",
  ],
  ...[
    [
      'UPDATE agent_standing SET failure_count = failure_count + 1 WHERE agent_seq = 1',
      'agent_standing',
      'its failed evidence',
    ],
    ['UPDATE agent_standing SET receipt_count = 0', 'agent_standing', 'receipts that count for it'],
    ['UPDATE agent_standing SET artifact_count = 9', 'agent_standing', 'artifact_count is not the number'],
    ['UPDATE agent_standing SET milestone = 100', 'agent_standing', 'milestone is not what'],
    ['UPDATE agent_standing SET listed = 0', 'agent_standing', 'listed does not match'],
    ['UPDATE agent_day SET failures = failures + 1', 'agent_day', 'failures is not the number'],
    ['UPDATE agent_day SET successes = successes - 1', 'agent_day', 'successes is not the number'],
    [
      'INSERT INTO agent_day VALUES (1, 7, 1, 0, 0, 0, 0, 0, 0, 0, 0)',
      'agent_day',
      'successes is not the number',
    ],
    ['DELETE FROM agent_day', 'agent_day', 'successes is not the number'],
    ['DELETE FROM agent_receipt', 'agent_standing', 'receipts that count for it'],
  ].map(
    ([statements = '', table, what = '']) => [statements, statements, `${table} (agent_seq 1`, what] as const,
  ),
  ...[
    [
      "UPDATE agent_receipt SET outcome = 'neither'",
      'agent_receipt',
      'finalized version of the receipt says',
    ],
    ['UPDATE agent_receipt SET day = day + 1', 'agent_receipt', 'finalized version of the receipt says'],
  ].map(
    ([statements = '', table, what = '']) =>
      [statements, statements, `${table} (receipt_seq `, what] as const,
  ),
  ...[
    'UPDATE gate_outcome SET breach = NOT breach WHERE abandoned = 0',
    'UPDATE gate_outcome SET counted_at = counted_at + 1',
    'DELETE FROM gate_outcome WHERE receipt_seq % 2',
    'INSERT INTO gate_outcome SELECT operator_seq, domain, 0, 0, 7, receipt_seq, 0 FROM receipt LIMIT 1',
  ].map(
    (statement) =>
      [
        statement,
        statement,
        'gate_outcome (operator_seq 1, domain ',
        'it is not what a finalized receipt, or one revoked while pending, says',
      ] as const,
  ),
])('%s is reported', async (_, statements, location, what) => {
  const directory = mkdtempSync(join(scratch, 'evidence-'));
  cpSync(whole, directory, { recursive: true });
  const database = new Database(join(directory, 'trust.db'), { readwrite: true, strict: true });
  database.run('PRAGMA synchronous = OFF');
  withoutTriggers(database);
  for (const statement of statements.split('; ')) database.run(statement);
  database.close();
  const sentences = (await audited(directory)).reported.map(({ sentence }) => sentence);
  expect(sentences).toContainEqual(expect.stringContaining(what));
  expect(sentences).toContainEqual(expect.stringContaining(location));
});

/** The columns in which nothing can be proven, each with its reason. */
const UNPROVABLE: Record<string, string> = {
  'receipt_version.revocation_reason': 'is kept for the operator and neither signed nor logged',
  'log_tile.tile_seq': 'is the number of the row and nothing else',
};

/** The columns for which fsck knows only an upper bound, each with its reason. */
const BOUNDED_ABOVE: Record<string, string> = {
  'signing_key.valid_from': 'is earlier than the key log says where the clock was set back after it',
};

/**
 * The columns that link checkpoints, which no note states. Where checkpoints between two were deleted, they
 * name one that is gone: test/api/trust/log/checkpoints/thinning.test.ts changes those of the last hour.
 */
const LINKS = ['checkpoint_seq', 'checkpoint_id', 'previous_id', 'previous_size'].map(
  (name) => `checkpoint.${name}`,
);

/**
 * Filled only where a copy of the log brought leaves back: test/unit/trust/receipts/audit/leaves.test.ts
 * flips those.
 */
const EMPTY_HERE = ['receipt_leaf.entry', 'revocation_leaf.lost_agent', 'evidence_leaf.entry'];

describe('a flipped byte is named, with its table and row:', () => {
  const tables = [
    'receipt',
    'receipt_version',
    'receipt_leaf',
    'revocation_leaf',
    'evidence_leaf',
    'key_leaf',
    'log_tile',
    'checkpoint',
    'signing_key',
    'log',
    'evidence',
    'receipt_count',
  ];

  test.each(tables)(
    '%s',
    async (table) => {
      const directory = join(scratch, table);
      cpSync(table === 'log_tile' ? tiled : whole, directory, { recursive: true });
      const database = new Database(join(directory, 'trust.db'), { readwrite: true, strict: true });
      database.run('PRAGMA journal_mode = WAL');
      database.run('PRAGMA synchronous = OFF');
      database.run('PRAGMA ignore_check_constraints = ON');
      withoutTriggers(database);
      using auditor = new Auditor(directory, { guarded: false });
      const change = (sql: string, values: SQLQueryBindings[]): void =>
        void database.query(sql).run(...values);
      const columns = database.query<{ name: string; pk: number }, []>(`PRAGMA table_info(${table})`).all();
      const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
      for (const { name } of columns) {
        if (LINKS.includes(`${table}.${name}`)) continue;
        const rows = database
          .query<Row, []>(`SELECT * FROM ${table} WHERE ${name} IS NOT NULL ORDER BY ${keys.join(', ')}`)
          .all();
        const column = `${table}.${name}`;
        if (rows.length === 0) expect(EMPTY_HERE).toContain(column);
        for (const row of [rows[0], rows[Math.floor(rows.length / 3)], rows.at(-1)]) {
          if (row === undefined) continue;
          const flipped = flip(row[name] ?? null);
          const location = keys.map((key) => (key === name ? flipped : (row[key] ?? null)));
          const where = keys.map((key) => `${key} = ?`).join(' AND ');
          const original = keys.map((key) => row[key] ?? null);
          change(`UPDATE ${table} SET ${name} = ? WHERE ${where}`, [flipped, ...original]);
          const sentences = (await auditor.audited()).reported.map(({ sentence }) => sentence);
          const isNamed = sentences.some((sentence) => names(sentence, table, keys, [original, location]));
          const isEarlier = column in BOUNDED_ABOVE && String(flipped) < String(row[name]);
          if (column in UNPROVABLE || isEarlier) expect([column, sentences]).toEqual([column, []]);
          else
            expect([column, sentences.slice(0, 5), isNamed]).toEqual([column, sentences.slice(0, 5), true]);
          // What is not a key is named at once: the first difference leads to the row.
          if (row === rows[0] && !(column in UNPROVABLE) && !isEarlier && !keys.includes(name)) {
            const { reported: problems } = await auditor.audited({ all: false });
            expect([column, problems.map(({ sentence }) => sentence)]).toEqual([
              column,
              sentences.slice(0, 1),
            ]);
          }
          change(`UPDATE ${table} SET ${name} = ? WHERE ${where}`, [row[name] ?? null, ...location]);
        }
      }
      database.close();
      expect((await auditor.audited()).reported).toEqual([]);
    },
    180_000,
  );
});

describe('missing data is reported:', () => {
  /** Audits a copy that was changed. */
  async function without(name: string, change: (database: Database) => void): Promise<string[]> {
    const directory = join(scratch, `without-${name.replaceAll(' ', '-')}`);
    cpSync(whole, directory, { recursive: true });
    const database = new Database(join(directory, 'trust.db'), { readwrite: true, strict: true });
    change(database);
    database.close();
    return (await audited(directory)).reported.map(({ sentence }) => sentence);
  }

  const OPEN = 'log_seq IN (SELECT log_seq FROM log WHERE closed_size IS NULL';

  test.each([
    ['every checkpoint', '1', /^checkpoint, .*\/receipts: the log has no checkpoint, and was published/],
    [
      'every checkpoint of an open log',
      `${OPEN} AND name = 'receipts')`,
      /\/receipts: the log has no checkpoint/,
    ],
    ['those of a log that has no leaf', `${OPEN} AND name = 'keys')`, /\/keys: the log has no checkpoint/],
    [
      'the first of every log',
      'previous_id IS NULL',
      /previous_id is not the checkpoint before it: expected null/,
    ],
  ])('%s', async (name, where, message) => {
    const sentences = await without(name, (database) => {
      database.run('PRAGMA foreign_keys = OFF');
      pastTriggers(database, 'checkpoint', () => database.run(`DELETE FROM checkpoint WHERE ${where}`));
    });
    expect(sentences.join('\n')).toMatch(new RegExp(message.source, 'm'));
  });

  test('a newest checkpoint below the mark is what a copy leaves that brought leaves back', async () => {
    const sentences = await without('the newest', (database) =>
      pastTriggers(database, 'checkpoint', () =>
        database.run(
          'DELETE FROM checkpoint WHERE checkpoint_seq = (SELECT max(checkpoint_seq) FROM checkpoint)',
        ),
      ),
    );
    expect(sentences).toEqual([]);
  });

  test.each(['trigger', 'index'])('each %s', async (type) => {
    const dropped: string[] = [];
    const sentences = await without(type, (database) => {
      const names = database
        .query<{ name: string }, [string]>(
          'SELECT name FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL ORDER BY name',
        )
        .all(type);
      for (const { name } of names) {
        database.run(`DROP ${type} ${name}`);
        dropped.push(`sqlite_schema (type ${type}, name ${name}): it is not there`);
      }
    });
    expect(sentences.filter((sentence) => sentence.startsWith('sqlite_schema'))).toEqual(dropped);
  });

  test('a trigger with another body and an unknown trigger are reported', async () => {
    const sentences = await without('sense', (database) => {
      database.run('DROP TRIGGER receipt_version_is_final');
      database.run(
        'CREATE TRIGGER receipt_version_is_final BEFORE UPDATE ON receipt_version BEGIN SELECT 1; END',
      );
      database.run('CREATE TRIGGER another AFTER INSERT ON receipt BEGIN SELECT 1; END');
    });
    expect(sentences).toEqual([
      'sqlite_schema (type trigger, name receipt_version_is_final): it is not as this program makes it',
      'sqlite_schema (type trigger, name another): this program makes none of that name',
    ]);
  });

  test('counts by which the gate and the lists go', async () => {
    const sentences = await without('counts', (database) => {
      database.run('DELETE FROM receipt_count');
      pastTriggers(database, 'gate_outcome', () => database.run('DELETE FROM gate_outcome'));
    });
    expect(sentences[0]).toMatch(
      /^receipt_count \(operator_seq \d+, status \w+, revocation_status \w+\): .*expected \d+, found 0$/,
    );
    expect(sentences.at(-1)).toMatch(/^gate_outcome \(operator_seq 1, .*receipt_seq \d+\): .*found no row$/);
  });

  test('a table that begins at the page of another', async () => {
    const directory = join(scratch, 'without-a-table');
    cpSync(whole, directory, { recursive: true });
    const file = join(directory, 'trust.db');
    const bytes = readFileSync(file);
    // In the schema's row the page stands behind type and both names, in one byte while it is below 128.
    const locationOf = (table: string): number => {
      const row = `table${table}${table}`;
      return bytes.lastIndexOf(row) + row.length;
    };
    bytes[locationOf('receipt')] = bytes[locationOf('log_tile')] ?? 0;
    writeFileSync(file, bytes);
    const { reported: problems } = await audited(directory);
    expect(problems.length).toBeGreaterThan(1);
    expect(problems.some(({ table }) => table === 'receipt')).toBe(true);
  });
});
