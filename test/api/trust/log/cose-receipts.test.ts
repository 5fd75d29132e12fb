import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { reportCompromised } from '../../../../src/trust/log/keys/report-compromised.ts';
import { rotate } from '../../../../src/trust/log/keys/rotate.ts';
import { coseReceiptOf } from '../../../support/cose-receipt-of.ts';
import { headOf } from '../../../support/head.ts';
import { finalized, latest } from '../../../support/log.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const COSE = 'application/scitt-receipt+cose';

let app: TrustApp;
let ids: string[];
const publish = () => app.service.trust.log.publisher.publish();
const proofAt = async (id: string | undefined, headers: Record<string, string>, method = 'GET') =>
  app.fetch(new Request(`http://localhost/api/v1/receipts/${id}/proof`, { headers, method }));
const grow = async (): Promise<string> => String((await finalized(app.own)).receipt_id);

beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(() => app.close());

test('a log with one entry has no COSE receipt, and says what to do', async () => {
  ids = [await grow()];
  await publish();
  const { response, bytes } = await coseReceiptOf(app, ids[0]);
  const problem = JSON.parse(Buffer.from(bytes).toString());
  expect([response.status, response.headers.get('retry-after')]).toEqual([404, null]);
  expect([problem.reason_code, problem.error]).toEqual([
    'not_found',
    `The log has one entry, and ${COSE} needs two. Repeat the request when another receipt is final, or accept text/plain.`,
  ]);
  expect((await proofAt(ids[0], {})).status).toBe(200);
});

describe('in a log with more entries', () => {
  beforeAll(async () => {
    while (ids.length < 7) ids.push(await grow());
    await publish();
  });

  test('an independent library verifies the COSE receipt of each receipt', async () => {
    const { checkpoint } = await latest(app.anyone);
    const { kid } = app.service.trust.signer.activeKey('receipts-log');
    for (const [index, id] of ids.entries()) {
      const { response, read } = await coseReceiptOf(app, id);
      expect(['content-type', 'vary', 'cosigned'].map((name) => response.headers.get(name))).toEqual([
        COSE,
        'Accept',
        'false',
      ]);
      expect(read).toEqual({ kid, issuer: 'localhost:3000', subject: checkpoint.origin, size: 7, index });
    }
  });

  test('all entries of a tree have the same signature, and the response to a repeated request is the same', async () => {
    const signatures = new Set<string>();
    for (const id of [...ids, ...ids]) {
      const { bytes } = await coseReceiptOf(app, id);
      signatures.add(Buffer.from(bytes.subarray(-64)).toString('hex'));
      expect((await coseReceiptOf(app, id)).bytes).toEqual(bytes);
    }
    expect(signatures.size).toBe(1);
  });

  test.each<[string | null, string]>([
    [null, 'text/plain; charset=utf-8'],
    ['*/*', 'text/plain; charset=utf-8'],
    ['text/*, application/*;q=0.9', 'text/plain; charset=utf-8'],
    ['application/json', 'text/plain; charset=utf-8'],
    [`${COSE};q=0`, 'text/plain; charset=utf-8'],
    [`${COSE};q=0.1, text/plain;q=0.2`, 'text/plain; charset=utf-8'],
    [`${COSE}, text/plain;q=0.2`, COSE],
    [`text/plain;q=0.1, ${COSE.toUpperCase()};q=0.2`, COSE],
    [`${COSE}, */*`, COSE],
  ])('Accept %p returns %p, which depends on it', async (accept, type) => {
    const { status, headers } = await proofAt(ids[0], accept === null ? {} : { accept });
    expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([200, type, 'Accept']);
  });

  test('HEAD returns the headers of both forms, with the length of each', async () => {
    for (const accept of [COSE, 'text/plain']) {
      const whole = await proofAt(ids[0], { accept });
      const { byteLength } = await whole.arrayBuffer();
      const head = await headOf(app.fetch, `/api/v1/receipts/${ids[0]}/proof`, { accept });
      expect([head.status, head.rest]).toEqual([200, '']);
      expect([head.headers.get('content-type'), head.headers.get('content-length')]).toEqual([
        whole.headers.get('content-type'),
        String(byteLength),
      ]);
    }
  });

  test('there is none of a pending receipt, nor of one that no checkpoint covers, nor of an unknown one', async () => {
    const pending = String((await app.own.issue()).body.receipt_id);
    const fresh = await grow();
    const refusals: [string, string | null, string][] = [
      [pending, null, 'not_found'],
      [fresh, '1', 'not_found'],
      [`rcpt_${'0'.repeat(32)}`, null, 'receipt_not_found'],
    ];
    for (const [id, retryAfter, code] of refusals) {
      const { response, bytes } = await coseReceiptOf(app, id);
      expect([response.status, response.headers.get('retry-after')]).toEqual([404, retryAfter]);
      expect(JSON.parse(Buffer.from(bytes).toString()).reason_code).toBe(code);
    }
  });

  test('the key that is active signs, also before it has signed a checkpoint', async () => {
    const { trust } = app.service;
    const activeKid = (): string => trust.signer.activeKey('receipts-log').kid;
    const changes = [() => rotate(trust, 'receipts-log', 0), () => reportCompromised(trust, activeKid())];
    for (const change of changes) {
      const before = activeKid();
      expect((await coseReceiptOf(app, ids[0])).read?.kid).toBe(before);
      await change();
      const kid = activeKid();
      expect(kid).not.toBe(before);
      expect((await coseReceiptOf(app, ids[0])).read).toMatchObject({ kid, index: 0 });
      await publish();
      expect((await coseReceiptOf(app, ids[0])).read).toMatchObject({ kid, index: 0 });
    }
  });
});
