import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test';
import { inclusionProofOf } from '../../../../../src/trust/log/proofs/inclusion-proof.ts';
import { leafOfReceipt } from '../../../../../src/trust/receipts/log/leaves.ts';
import { concurrently } from '../../../../support/client.ts';
import { consistent, finalized, provenEntry } from '../../../../support/log.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(() => app.close());

/** Enough leaves for a full tile and an edge beside it. */
const RECEIPTS = 300;

test('receipts, checkpoints and proofs that are made at once come out as one after the other', async () => {
  const { publisher } = app.service.trust.log;
  const ids: unknown[] = [];
  const each = Array.from({ length: RECEIPTS }, (_, index) => index);
  await concurrently(each, 20, async () => {
    const { receipt_id } = await finalized(app.own);
    ids.push(receipt_id);
    const covered = publisher.latest('receipts').response.tree_size;
    // Two rounds that are asked for at once, and a proof while they run.
    const rounds = [publisher.publish(), publisher.publish()];
    if (covered > 1) await consistent(app.anyone, 1, covered);
    await Promise.all(rounds);
    expect(await provenEntry(app, receipt_id)).toMatchObject({ receipt_id });
  });
  const { body } = await app.anyone.get('/api/v1/receipts/checkpoints?limit=100');
  const checkpoints: Record<string, unknown>[] = Object(body.checkpoints);
  expect(checkpoints[0]).toMatchObject({ tree_size: RECEIPTS });
  for (const [at, { previous_checkpoint_id, from_index }] of checkpoints.slice(0, -1).entries()) {
    const { checkpoint_id, tree_size } = checkpoints[at + 1] ?? {};
    expect([previous_checkpoint_id, from_index]).toEqual([checkpoint_id, tree_size]);
  }
  for (const id of ids) await provenEntry(app, id);
}, 180_000);

test('a proof reads all its nodes of the tree by two calls of the store', async () => {
  const { store, log } = app.service.trust;
  const checkpoints = log.publisher.proofCheckpoints('receipts', true);
  const calls = await store.read(async (snapshot) => {
    const leaf = await leafOfReceipt(snapshot, 1);
    if (leaf === null || snapshot.promises === undefined) throw new Error('there is no such leaf');
    const asked = spyOn(snapshot.promises, 'to');
    expect(await inclusionProofOf(snapshot, log.open.receipts, leaf, checkpoints)).toMatchObject({
      hashes: { length: 9 },
    });
    return asked.mock.calls.length;
  });
  expect(calls).toBeLessThanOrEqual(2);
});
