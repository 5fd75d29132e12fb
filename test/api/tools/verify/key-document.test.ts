import { afterEach, beforeEach, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { parseJson } from '../../../../src/proof/encoding/json.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { decodeEntries } from '../../../../src/proof/log/tiles.ts';
import { judgeKeyDocument } from '../../../../src/proof/log-documents/key-document-verdict.ts';
import { reportCompromised } from '../../../../src/trust/log/keys/report-compromised.ts';
import { rotate } from '../../../../src/trust/log/keys/rotate.ts';
import { finalized, latest } from '../../../support/log.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

let time: VirtualTime;
let app: TrustApp;
beforeEach(async () => {
  time = new VirtualTime();
  app = await openTrustApp({}, time);
});
afterEach(() => app.close());

const bytesAt = async (path: string): Promise<Uint8Array> =>
  new Uint8Array(await (await app.fetch(new Request(`http://localhost${path}`))).arrayBuffer());

const documentNow = async (): Promise<Uint8Array> => {
  await app.service.trust.log.publisher.publish();
  return bytesAt('/api/v1/transparency/keys');
};

/** Judges the list of keys as the service gives it now, by keys that were trusted before. */
async function judged(trusted: Uint8Array) {
  const document = await documentNow();
  const { tree_size } = (await latest(app.anyone, 'keys')).body;
  const log = {
    checkpoint: await bytesAt('/log/keys/checkpoint'),
    entries: decodeEntries(await bytesAt(`/log/keys/tile/entries/000.p/${tree_size}`)),
  };
  const { trusted: logKeys } = readLogKeys(nativePrimitives, parseJson(Buffer.from(trusted).toString()));
  return judgeKeyDocument(nativePrimitives, document, { logKeys, log, now: time.now() });
}

test('the list of keys of a service is what its log says, after rotations and the compromise of every key', async () => {
  const first = await documentNow();
  expect((await judged(first)).problems).toEqual([]);
  const { trust } = app.service;
  await finalized(app.own);
  for (const purpose of ['receipts', 'receipts-log', 'keys-log'] as const) await rotate(trust, purpose, 0);
  expect((await judged(first)).problems).toEqual([]);
  for (const { kid, status } of trust.signer.all())
    if (status === 'active') await reportCompromised(trust, kid);
  await finalized(app.own);
  const { verdict, problems, checks } = await judged(first);
  expect([verdict, problems]).toEqual(['valid', []]);
  expect(checks).toEqual({ checkpoint: 'ok', log: 'ok', events: 'ok', keys: 'ok' });
});
