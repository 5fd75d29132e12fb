import { expect, test } from 'bun:test';
import { isJsonObject, type JsonObject } from '../../../../src/proof/encoding/json.ts';
import { reportCompromised } from '../../../../src/trust/log/keys/report-compromised.ts';
import { verifyReceipt } from '../../../../src/trust/receipts/verify.ts';
import { SUCCESS } from '../../../support/log.ts';
import { publishCheckpoints } from '../../../support/published.ts';
import { openTrustApp } from '../../../support/trust-app.ts';

const shown = (body: unknown): JsonObject => {
  const copy = JSON.parse(JSON.stringify(body));
  if (!isJsonObject(copy)) throw new Error('a receipt is an object');
  return copy;
};

test('the service says of its own receipts whether they are revoked, and of no others', async () => {
  const app = await openTrustApp();
  const { trust } = app.service;
  const own = shown((await app.own.issue()).body);
  const said = async (document: JsonObject) => {
    const { verdict, revocation, description } = await verifyReceipt(trust, document);
    return [verdict, revocation, description];
  };
  expect(await said(own)).toEqual([
    'valid',
    'ok',
    'The receipt is authentic, unchanged, not revoked and not expired.',
  ]);
  expect(await said({ ...own, receipt_id: `rcpt_${'0'.repeat(32)}` })).toEqual([
    ...['hash_mismatch', 'not_checked'],
    'The receipt was changed after it was signed: its content does not match its content_hash.',
  ]);
  expect((await said({ receipt_id: own.receipt_id ?? null })).slice(0, 2)).toEqual([
    'malformed',
    'not_checked',
  ]);
  await app.own.revoke(String(own.receipt_id));
  expect(await said(own)).toEqual(['revoked', 'revoked', 'The receipt has been revoked.']);
  await app.close();
});

test('a compromised key still counts for the version that the log has, and for no other', async () => {
  const app = await openTrustApp();
  const { trust } = app.service;
  const pending = shown((await app.own.issue()).body);
  const finalized = shown((await app.own.finalize(pending.receipt_id, SUCCESS)).body);
  await publishCheckpoints(app);
  const verdicts = async () => {
    const judged = [await verifyReceipt(trust, pending), await verifyReceipt(trust, finalized)];
    return judged.map(({ verdict, checks }) => `${verdict} ${checks.key}`);
  };
  expect(await verdicts()).toEqual(['valid trusted', 'valid trusted']);
  await reportCompromised(trust, String(finalized.kid));
  expect(await verdicts()).toEqual(['key_compromised compromised', 'valid trusted']);
  await app.close();
});
