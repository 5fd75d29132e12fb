import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import type { Connection } from '../../../../src/platform/store/connection.ts';
import { openMigrated } from '../../../../src/platform/store/migrations/migrate.ts';
import { snapshotOf } from '../../../../src/platform/store/transaction.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { judgeText } from '../../../../src/proof/receipt/verdict.ts';
import { exportPages } from '../../../../src/trust/receipts/export/pages.ts';
import { trustDatabase } from '../../../../src/trust/service/database.ts';
import { concurrently } from '../../../support/client.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
let connection: Connection;
beforeAll(async () => {
  app = await openTrustApp();
  // More than a page, of two operators, some blind.
  await concurrently([...Array(1030).keys()], 64, (index) =>
    (index % 3 === 0 ? app.other : app.own).issue({ blind: index % 4 === 0 }),
  );
  connection = openMigrated(join(app.directory, 'trust.db'), trustDatabase.schema);
});
afterAll(async () => {
  connection.sqlite.close();
  await app.close();
});

const everything = { from: undefined, to: undefined };

test('an export has all receipts of all operators, once, in order, each valid by itself', async () => {
  const pages = await Array.fromAsync(exportPages(snapshotOf(connection), everything));
  const lines = pages.flatMap(({ text }) => text.trimEnd().split('\n'));
  expect([pages.length, lines.length]).toEqual([2, 1030]);
  expect(pages.map(({ receipts }) => receipts)).toEqual([1000, 30]);
  expect(pages.at(-1)?.share).toBe(1);
  const keys = readTrustedKeys(
    nativePrimitives,
    JSON.parse(JSON.stringify((await app.anyone.get('/api/v1/transparency/keys')).body)),
  );
  const verdicts = lines.map((line) => judgeText(nativePrimitives, line, { keys, now: Date.now() }).verdict);
  expect(verdicts.filter((verdict) => verdict !== 'valid')).toEqual([]);
  expect(new Set(lines.map((line) => JSON.parse(line).receipt_id)).size).toBe(1030);
  expect(lines.filter((line) => line.includes('blind_salt'))).toEqual([]);
});

test('an export leaves out receipts that are issued while it runs, and has the current state of changed ones', async () => {
  const pages = exportPages(snapshotOf(connection), everything);
  const first = await pages.next();
  const late = await app.own.issue();
  const { body } = await app.own.get('/api/v1/receipts?limit=3');
  const [, changed] = Object(body).receipts;
  await app.own.revoke(changed.receipt_id);
  const rest = (await Array.fromAsync(pages)).map(({ text }) => text).join('');
  expect(first.done).toBe(false);
  expect(rest).not.toContain(String(late.body.receipt_id));
  const line = rest.split('\n').find((text) => text.includes(changed.receipt_id));
  expect(JSON.parse(line ?? '').revocation_status).toBe('revoked');
});
