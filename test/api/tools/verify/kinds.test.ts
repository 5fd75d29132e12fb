import { afterAll, beforeAll, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { judgeProposal } from '../../../../src/proof/agora/verdict.ts';
import { type JsonValue, parseJson } from '../../../../src/proof/encoding/json.ts';
import { entryIn, judgeCoseReceipt } from '../../../../src/proof/log/cose-verdict.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { Negotiation } from '../../../support/agora.ts';
import { coseReceiptOf } from '../../../support/cose-receipt-of.ts';
import { finalized } from '../../../support/log.ts';
import { scratch } from '../../../support/process.ts';
import { documentsJudgedByPython, hasPython } from '../../../support/python.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const directory = scratch();
let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(async () => {
  await app.close();
  directory.dispose();
});

const textAt = async (path: string): Promise<string> =>
  (await app.fetch(new Request(`http://localhost${path}`))).text();

/** Returns the verdict of src/tools/python/verify.py; `valid` where there is no Python. */
async function byPython(document: Uint8Array, keys: JsonValue, entry?: string): Promise<unknown> {
  if (!hasPython) return 'valid';
  const beside = entry === undefined ? {} : { entry };
  const [said] = await documentsJudgedByPython([{ document, keys, now: Date.now() / 1000, beside }]);
  return Object(said).verdict;
}

test('COSE receipts of a running service are valid with the entry of the public manifest', async () => {
  const receipts = [await finalized(app.own), await finalized(app.own), await finalized(app.own)];
  await app.service.trust.log.publisher.publish();
  const keys = parseJson(await textAt('/api/v1/transparency/keys'));
  const { trusted: logKeys } = readLogKeys(nativePrimitives, keys);
  for (const { receipt_id } of receipts) {
    const { bytes } = await coseReceiptOf(app, receipt_id);
    const manifest = await textAt(`/api/v1/receipts/${receipt_id}/public-manifest`);
    const entry = entryIn(Buffer.from(manifest));
    const { verdict, problems, proven } = judgeCoseReceipt(nativePrimitives, bytes, { entry, logKeys });
    expect([verdict, problems]).toEqual(['valid', []]);
    expect(parseJson(proven?.entry ?? '')).toMatchObject({ receipt_id });
    const file = `${directory.path}/manifest.json`;
    await Bun.write(file, manifest);
    expect(await byPython(bytes, keys, file)).toBe('valid');
  }
});

test('a proposal of a running service is valid after every step', async () => {
  const [buyer, seller] = [await enrolledAgent(app), await enrolledAgent(app, { context: 'clinic-7' })];
  const deal = new Negotiation(app, buyer, seller);
  const keys = parseJson(await textAt('/api/v1/transparency/keys'));
  const steps = [
    () => deal.propose(),
    () => deal.step(seller, 'counter', { terms: { 'ü €': [1e21, -0.5, { b: null, a: true }] } }),
    () => deal.step(buyer, 'accept'),
  ];
  for (const step of steps) {
    expect((await step()).status).toBe(201);
    const document = Buffer.from(await textAt(`/api/v1/agora/proposals/${deal.proposalId}`));
    const { verdict, problems } = judgeProposal(nativePrimitives, document);
    expect([verdict, problems]).toEqual(['valid', []]);
    expect(await byPython(document, keys)).toBe('valid');
  }
});
