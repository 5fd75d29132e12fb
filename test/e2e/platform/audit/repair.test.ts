import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { client } from '../../../support/client.ts';
import { finalized } from '../../../support/log.ts';
import { type Finished, run, scratch, serve } from '../../../support/process.ts';
import { pastTriggers } from '../../../support/tampering.ts';

const directory = scratch();
const whole = join(directory.path, 'whole');
let apiKey: string;

beforeAll(async () => {
  const server = await serve(whole);
  apiKey = server.apiKey;
  const own = client(fetch, server.url, apiKey);
  for (let count = 0; count < 5; count++) await finalized(own);
  await own.revoke((await finalized(own)).receipt_id);
  await server.stop();
});
afterAll(() => directory.dispose());

/** Returns a copy of the data directory in which some tables were changed past their triggers. */
function damaged(changes: Readonly<Record<string, string>>): string {
  const copy = join(directory.path, crypto.randomUUID());
  cpSync(whole, copy, { recursive: true });
  const database = new Database(join(copy, 'trust.db'), { readwrite: true, strict: true });
  for (const [table, change] of Object.entries(changes))
    pastTriggers(database, table, () => database.run(change));
  database.close();
  return copy;
}

const repair = (data: string, ...more: string[]): Promise<Finished> =>
  run(['fsck', '--repair', data, ...more]);
const linesOf = ({ stdout }: Finished): Record<string, unknown>[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const backupsIn = (data: string): string[] =>
  existsSync(join(data, 'backups')) ? readdirSync(join(data, 'backups')) : [];
const countsIn = (file: string): unknown =>
  new Database(file, { readonly: true }).query('SELECT * FROM receipt_count WHERE receipts > 0').all();

const WRONG = {
  receipt_count: 'UPDATE receipt_count SET receipts = receipts + 7',
  gate_outcome: 'DELETE FROM gate_outcome',
};

test('fsck --repair makes wrong counts again, keeps a copy from before, and the service goes on', async () => {
  const data = damaged(WRONG);
  const before = countsIn(join(data, 'trust.db'));
  const finished = await repair(data);
  expect([finished.code, finished.stderr]).toEqual([0, expect.stringContaining('no problems: 6 receipts')]);
  const lines = linesOf(finished);
  const [name = ''] = backupsIn(data);
  const backup = join(data, 'backups', name);
  expect(lines).toContainEqual({ repaired: ['receipt_count', 'gate_outcome'], backup });
  expect(lines.at(-1)).toMatchObject({ ok: true, problems: 0 });
  expect(name).toMatch(/^before-repair-\d{8}T\d{9}Z\.db$/);
  expect(countsIn(backup)).toEqual(before);
  expect(countsIn(join(data, 'trust.db'))).toEqual(countsIn(join(whole, 'trust.db')));
  const server = await serve(data, { COUNTERSIGN_API_KEY: apiKey });
  const own = client(fetch, server.url, apiKey);
  await finalized(own);
  const { body } = await own.get('/api/v1/operator/status');
  expect((await server.stop()).code).toBe(0);
  expect(body).toMatchObject({ receiptCount: 7 });
  expect((await run(['fsck', data])).code).toBe(0);
});

test('without problems, it changes nothing and keeps no copy', async () => {
  const data = damaged({});
  const finished = await repair(data);
  expect([finished.code, linesOf(finished).length]).toEqual([0, 1]);
  expect(backupsIn(data)).toEqual([]);
});

const REFUSED: [string, Record<string, string>, string][] = [
  [
    'counts of receipts that are wrong themselves',
    { ...WRONG, receipt: "UPDATE receipt SET status = 'timeout' WHERE receipt_seq = 1" },
    'what is wrong in receipt cannot be made again',
  ],
  [
    'what is signed',
    { receipt: "UPDATE receipt SET authority_scope = 'all' WHERE receipt_seq = 1" },
    'what is wrong in receipt_version cannot be made again',
  ],
  [
    'a database without a trigger',
    { ...WRONG, movement: 'DROP TRIGGER IF EXISTS receipt_is_counted' },
    'what is wrong in sqlite_schema cannot be made again',
  ],
  [
    'a count that is the only trace of a deleted receipt',
    { receipt_leaf: 'DELETE FROM receipt_leaf', receipt: 'DELETE FROM receipt WHERE receipt_seq = 6' },
    'what is wrong in ',
  ],
];

test.each(REFUSED)('it does not repair %s', async (_, changes, why) => {
  const data = damaged(changes);
  const before = countsIn(join(data, 'trust.db'));
  const { code, stderr } = await repair(data);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`nothing was repaired: ${why}`)]);
  expect(countsIn(join(data, 'trust.db'))).toEqual(before);
  expect(backupsIn(data)).toEqual([]);
});

test('it is refused while a server runs, for a part, and for what is no data directory', async () => {
  const data = damaged(WRONG);
  const server = await serve(data, { COUNTERSIGN_API_KEY: apiKey });
  const running = await repair(data);
  expect([running.code, running.stderr]).toEqual([1, expect.stringContaining('is in use by another')]);
  await server.stop();
  for (const [args, why] of [
    [['--only', 'ledger', data], '--repair audits everything'],
    [['http://127.0.0.1:1'], '--repair is for a data directory'],
  ] as const) {
    const { code, stderr } = await run(['fsck', '--repair', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  }
  expect((await repair(join(directory.path, 'nowhere'))).code).toBe(1);
});
