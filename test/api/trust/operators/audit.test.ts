import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256Hex } from '../../../../src/platform/crypto/crypto.ts';
import { audited } from '../../../support/audit.ts';
import { copyOf, pastTriggers } from '../../../support/tampering.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
let scratch: string;
beforeAll(async () => {
  app = await openTrustApp();
  scratch = mkdtempSync(join(tmpdir(), 'countersign-operators-audit-'));
  await app.own.issue();
  await app.other.issue();
});
afterAll(async () => {
  await app.close();
  rmSync(scratch, { recursive: true });
});

test.each<[string, string, (hash: string) => string[]]>([
  ['nothing was changed', 'SELECT 1', () => []],
  [
    'a key lost its number',
    "DELETE FROM api_key_number WHERE key_hash = unhex('HASH')",
    (hash) => [`key_hash ${hash}`, 'its operator has no API key (api_key_seq 1)'],
  ],
  [
    'the number of a key names another operator',
    "UPDATE api_key_number SET operator_seq = 2 WHERE key_hash = unhex('HASH')",
    (hash) => [`key_hash ${hash}`, 'its operator has no API key (api_key_seq 1)'],
  ],
  [
    "a receipt names another operator's key",
    'UPDATE receipt SET api_key_seq = 2 WHERE receipt_seq = 1',
    () => ['its operator has no API key (api_key_seq 2)'],
  ],
])('fsck names keys and receipts where %s', async (what, sql, expected) => {
  const directory = join(scratch, what.replaceAll(/\W/g, '-'));
  copyOf(app.directory, directory);
  const hash = sha256Hex(app.apiKey);
  const database = new Database(join(directory, 'trust.db'), { readwrite: true, strict: true });
  database.run('PRAGMA foreign_keys = OFF');
  pastTriggers(database, sql.includes('receipt') ? 'receipt' : 'api_key_number', () => {
    database.run(sql.replace('HASH', hash));
  });
  database.close();
  const sentences = (await audited(directory)).reported.map(({ sentence }) => sentence).sort();
  const parts = expected(hash);
  // A missing number also breaks the reference to it.
  expect(sentences.length > 0).toBe(parts.length > 0);
  for (const part of parts) expect(sentences.some((sentence) => sentence.includes(part))).toBe(true);
});
