import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import pino from 'pino';
import { takeDataDirectory } from '../../../../../src/platform/data-directory.ts';
import { recordHeads } from '../../../../../src/trust/receipts/heads/record-heads.ts';
import { openTrustService } from '../../../../../src/trust/service/service.ts';
import { audited } from '../../../../support/audit.ts';
import { scratch } from '../../../../support/process.ts';
import { unpack } from '../../../../support/recorded/archive.ts';

test('the first leaf of a recorded directory has all its journals, and the openings of its pools', async () => {
  const { path, dispose } = scratch();
  const data = unpack('trust', path);
  const directory = takeDataDirectory(data);
  const options = { version: 'test', url: 'https://recorded.example' };
  const service = await openTrustService(directory, new Map(), pino({ level: 'silent' }), options);
  await recordHeads(service.trust);
  await service.close();
  directory.release();
  const database = new Database(join(data, 'trust.db'), { readonly: true });
  const [leaf] = database.query('SELECT accounts FROM account_leaf WHERE date IS NOT NULL').values();
  const [journals] = database
    .query(
      `SELECT (SELECT count(*) FROM agent_credit WHERE head IS NOT NULL)
         + (SELECT count(DISTINCT owner_seq) FROM journal_opening WHERE kind = 'pool' AND balance > 0)`,
    )
    .values();
  const [pools] = database
    .query("SELECT count(DISTINCT owner_seq) > 0 FROM journal_opening WHERE kind = 'pool' AND balance > 0")
    .values();
  database.close();
  expect([leaf, pools]).toEqual([journals, [1]]);
  expect((await audited(data)).reported).toEqual([]);
  dispose();
});
