import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { base64 } from '@scure/base';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import { verifyInclusion } from '../../../../src/proof/log/merkle.ts';
import { sha256 } from '../../../support/evidence.ts';
import { hourOf, ingested, TELEMETRY, telemetryOf } from '../../../support/telemetry.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const RECEIPTS = '/api/v1/datacenter/receipts';

let app: TrustApp;
/** What arrived, oldest first. */
const sent: Awaited<ReturnType<typeof ingested>>[] = [];

beforeAll(async () => {
  app = await openTrustApp();
  for (let hour = 0; hour < 3; hour++) {
    sent.push(await ingested(app.own, telemetryOf(hour)));
    sent.push(await ingested(app.other, telemetryOf(hour, { cluster_id: 'hall-2', origin: 'synthetic' })));
    await app.own.issue();
  }
  await app.service.trust.log.publisher.publish();
});
afterAll(() => app.close());

/** The receipts of a page as they come. */
const listed = async (query = '') => {
  const { status, body } = await app.anyone.get(`${RECEIPTS}${query}`);
  if (status !== 200) throw new Error(`the list was refused: ${JSON.stringify(body)}`);
  const receipts: Record<string, unknown>[] = Object(body.receipts);
  return { receipts, checkpoint: Object(body.checkpoint), next: body.next_cursor };
};

describe('the list of receipts of telemetry', () => {
  test('shows everybody each receipt with a proof that verifies against the newest checkpoint', async () => {
    const { receipts, checkpoint } = await listed();
    expect(receipts.map(({ evidence_id }) => evidence_id)).toEqual(
      sent.map(({ evidence_id }) => evidence_id).reverse(),
    );
    const { body: newest } = await app.anyone.get('/api/v1/receipts/checkpoints/latest');
    expect(checkpoint.root_hash).toBe(newest.root_hash);
    for (const { inclusion_path, content_hash } of receipts) {
      const { leaf_index: index, leaf_entry, leaf_hash, hashes, ...tree } = Object(inclusion_path);
      expect(tree).toEqual({ log: checkpoint.origin, tree_size: checkpoint.tree_size });
      expect(leaf_hash).toBe(sha256(`\0${leaf_entry}`));
      expect(JSON.parse(leaf_entry).content_hash).toBe(content_hash);
      const proof = {
        leaf: hexToBytes(leaf_hash),
        index,
        size: checkpoint.tree_size,
        path: hashes.map((hash: string) => base64.decode(hash)),
        root: hexToBytes(checkpoint.root_hash),
      };
      expect(verifyInclusion(nativePrimitives, proof)).toBe(true);
    }
    const [first] = receipts.slice(-1);
    expect(first).toMatchObject({
      receipt_id: Object(sent[0]?.receipt).receipt_id,
      cluster_id: 'hall-1',
      instance_id: 'rack-1',
      event_type: 'WORKLOAD_ENERGY_EFFICIENCY',
      class: 'declared',
      counts_energy: true,
      window_start: hourOf(0),
      window_end: hourOf(1),
      payload_digest: sent[0]?.payload_digest,
      revocation_status: 'active',
    });
  });

  test('has only what is public: no operator, and no values', async () => {
    const { receipts } = await listed();
    const text = JSON.stringify(receipts);
    expect(text).not.toContain('op_cus_');
    expect(text).not.toContain('kwh');
  });

  test('in pages has each receipt of a cluster once, newest first', async () => {
    for (const query of ['?cluster_id=hall-2&limit=1', '?limit=4']) {
      const { receipts: all } = await listed(query.replace(/limit=\d+/, 'limit=100'));
      const found: unknown[] = [];
      let cursor = '';
      for (let page = 0; page < 10; page++) {
        const { receipts, next } = await listed(query + cursor);
        found.push(...receipts.map(({ evidence_id }) => evidence_id));
        if (next === null) break;
        cursor = `&cursor=${next}`;
      }
      expect(found).toEqual(all.map(({ evidence_id }) => evidence_id));
    }
    const { receipts } = await listed('?cluster_id=hall-2');
    expect(receipts.map((receipt) => receipt.class)).toEqual(['simulated', 'simulated', 'simulated']);
  });

  test('continues with a cursor of the same cluster only', async () => {
    const { next } = await listed('?cluster_id=hall-2&limit=1');
    for (const query of ['?limit=1', '?cluster_id=hall-1&limit=1']) {
      const { status, body } = await app.anyone.get(`${RECEIPTS}${query}&cursor=${next}`);
      expect([query, status, Object.keys(Object(body.issues))]).toEqual([query, 400, ['cursor']]);
    }
  });

  test('has no proof until the next checkpoint', async () => {
    const { evidence_id } = await ingested(app.own, telemetryOf(9));
    const [newest] = (await listed('?limit=1')).receipts;
    expect([newest?.evidence_id, newest?.inclusion_path]).toEqual([evidence_id, null]);
  });

  test('shows that a receipt was revoked', async () => {
    const { receipt } = await ingested(app.own, telemetryOf(10));
    expect((await app.own.revoke(Object(receipt).receipt_id)).status).toBe(200);
    const [newest] = (await listed('?limit=1')).receipts;
    expect(newest?.revocation_status).toBe('revoked');
  });

  test.each([
    ['?cluster_id=unknown', 404, 'not_found'],
    ['?cluster_id=', 400, 'validation_error'],
    ['?cluster_id=a%20b', 400, 'validation_error'],
    [`?cluster_id=${'x'.repeat(129)}`, 400, 'validation_error'],
    ['?limit=0', 400, 'validation_error'],
    ['?limit=101', 400, 'validation_error'],
    ['?cursor=x', 400, 'validation_error'],
    ['?cluster=hall-1', 400, 'validation_error'],
  ])('refuses %s', async (query, status, code) => {
    const answer = await app.anyone.get(`${RECEIPTS}${query}`);
    expect([answer.status, answer.body.reason_code]).toEqual([status, code]);
  });
});

test('telemetry that arrives again has the current version of its receipt', async () => {
  const telemetry = telemetryOf(20);
  const { receipt } = await ingested(app.own, telemetry);
  await app.own.revoke(Object(receipt).receipt_id);
  const { body } = await app.own.post(TELEMETRY, telemetry);
  expect(Object(body.receipt).revocation_status).toBe('revoked');
});
