import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audited as creditTables } from '../../../../../src/trust/ledger/credits/audit.ts';
import { audited } from '../../../../support/audit.ts';
import { creditedAgent } from '../../../../support/credits.ts';
import { copyOf, withoutTriggers } from '../../../../support/tampering.ts';
import { openTrustApp } from '../../../../support/trust-app.ts';

/** A directory with overrides; tests work on copies. */
let whole: string;
let scratch: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-credits-audit-'));
  const app = await openTrustApp();
  const { commitment } = await creditedAgent(app);
  for (const tier of ['LIMITED', 'FULL', null]) {
    const { status } = await app.own.post('/api/v1/passport/access/override', {
      subject_commitment: commitment,
      tier,
      reason: 'Under review',
    });
    expect(status).toBe(200);
  }
  whole = join(scratch, 'whole');
  copyOf(app.directory, whole);
  await app.close();
});
afterAll(() => rmSync(scratch, { recursive: true }));

test.each([
  ['no change', '', []],
  [
    'an override that is missing',
    'DELETE FROM access_override WHERE override_seq = 2',
    ['access_override (override_seq 3): rows are missing: their numbers have gaps: expected 3, found 2'],
  ],
  [
    'an override with an unknown tier',
    "UPDATE access_override SET tier = 'GOLD' WHERE override_seq = 1",
    ['access_override (override_seq 1): tier is not a tier: expected a tier, found GOLD'],
  ],
])('fsck reports %s of the access tiers', async (name, statement, sentences) => {
  const directory = join(scratch, name.replaceAll(/\W/g, '-'));
  cpSync(whole, directory, { recursive: true });
  const database = new Database(join(directory, 'trust.db'), { readwrite: true, strict: true });
  database.run('PRAGMA journal_mode = WAL');
  database.run('PRAGMA foreign_keys = OFF');
  withoutTriggers(database);
  if (statement !== '') database.run(statement);
  database.close();
  const { reported } = await audited(directory, { only: creditTables });
  expect(reported.filter(({ table }) => table !== 'sqlite_schema').map(({ sentence }) => sentence)).toEqual(
    sentences,
  );
});
