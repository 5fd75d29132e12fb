import { Database } from 'bun:sqlite';
import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HIGH_WATER_FILE, NOTHING_PUBLISHED } from '../../../../../src/trust/log/high-water.ts';
import { audited } from '../../../../support/audit.ts';
import { accountEntries, link } from '../../../../support/linked.ts';
import { finalized, latest } from '../../../../support/log.ts';
import { scratch } from '../../../../support/process.ts';
import { pastTriggers } from '../../../../support/tampering.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const directory = scratch();
let data: string;
afterAll(() => directory.dispose());

async function served<T>(task: (app: TrustApp) => Promise<T>): Promise<T> {
  const app = await openTrustApp({}, null, data);
  try {
    return await task(app);
  } finally {
    await app.close();
  }
}

const markPath = () => join(data, HIGH_WATER_FILE);
const count = (sql: string): number => {
  const database = new Database(join(data, 'trust.db'), { readonly: true });
  const found = database.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${sql}`).get()?.n ?? -1;
  database.close();
  return found;
};

/**
 * Removes the log of accounts and its keys, as in a directory of a version that did not have them. Nothing
 * was published.
 */
beforeEach(async () => {
  data = join(directory.path, crypto.randomUUID());
  await served(async (app) => {
    await finalized(app.own);
    await app.own.issue();
  });
  const database = new Database(join(data, 'trust.db'));
  const ofKeys = "key_seq IN (SELECT key_seq FROM signing_key WHERE purpose = 'accounts-log')";
  for (const [table, where] of [
    ['checkpoint', '1'],
    ['key_leaf', ofKeys],
    ['signing_key', ofKeys],
    ['log', "name = 'accounts'"],
  ] as const)
    pastTriggers(database, table, () => database.run(`DELETE FROM ${table} WHERE ${where}`));
  database.close();
  const { logs, ...mark } = JSON.parse(readFileSync(markPath(), 'utf8'));
  delete logs.accounts;
  for (const name of Object.keys(logs)) logs[name] = NOTHING_PUBLISHED;
  writeFileSync(markPath(), JSON.stringify({ ...mark, logs }));
});

describe('a directory of an earlier version', () => {
  test('is whole for fsck before the first start of this one', async () => {
    expect((await audited(data)).reported).toEqual([]);
  });

  test('gets the log with its keys at the first start, and publishes it', async () => {
    await served(async (app) => {
      expect((await latest(app.anyone, 'accounts')).body).toMatchObject({
        origin: 'localhost:3000/accounts',
        tree_size: 0,
      });
      expect((await latest(app.anyone, 'keys')).body).toMatchObject({ origin: 'localhost:3000/keys' });
      expect(await accountEntries(app)).toEqual([]);
      await link(app.own);
      await finalized(app.own);
      expect((await accountEntries(app)).map(({ event }) => event)).toEqual([
        'linked',
        'issued',
        'finalized',
      ]);
    });
    expect(JSON.parse(readFileSync(markPath(), 'utf8')).logs.accounts.tree_size).toBeGreaterThanOrEqual(0);
    expect(count("log WHERE name = 'accounts'")).toBe(1);
    expect((await audited(data)).reported).toEqual([]);
    await served(async (app) => expect(await accountEntries(app)).toHaveLength(3));
  });

  test('is left as it was by a start if a later version has published more', async () => {
    const mark = JSON.parse(readFileSync(markPath(), 'utf8'));
    mark.logs.accounts = { tree_size: 3, root_hash: '11'.repeat(32) };
    writeFileSync(markPath(), JSON.stringify(mark));
    const before = [count('signing_key'), count('key_leaf'), count('log')];
    await expect(served(async () => undefined)).rejects.toThrow(
      /must not be continued: the database has no log of accounts, but 3 of its leaves were published/,
    );
    expect([count('signing_key'), count('key_leaf'), count('log')]).toEqual(before);
  });

  test('is refused with a mark that names another log wrongly', async () => {
    const mark = JSON.parse(readFileSync(markPath(), 'utf8'));
    delete mark.logs.evidence;
    writeFileSync(markPath(), JSON.stringify(mark));
    await expect(served(async () => undefined)).rejects.toThrow(/it does not name the trees/);
    rmSync(markPath());
  });
});
