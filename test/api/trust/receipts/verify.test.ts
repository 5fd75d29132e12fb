import { expect, test } from 'bun:test';
import { isJsonObject, type JsonObject } from '../../../../src/proof/encoding/json.ts';
import { reportCompromised } from '../../../../src/trust/keys/rotation.ts';
import { verifyReceipt } from '../../../../src/trust/receipts/queries/verify.ts';
import { SUCCESS } from '../../../support/log.ts';
import { publishCheckpoints } from '../../../support/published.ts';
import { openTrustApp } from '../../../support/trust-app.ts';

test('a compromised key still counts for the version that the log has, and for no other', async () => {
  const app = await openTrustApp();
  const { trust } = app.service;
  const shown = (body: unknown): JsonObject => {
    const copy = JSON.parse(JSON.stringify(body));
    if (!isJsonObject(copy)) throw new Error('a receipt is an object');
    return copy;
  };
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
