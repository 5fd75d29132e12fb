import { afterEach, expect, test } from 'bun:test';
import { createOperator } from '../../../../src/trust/operators/create-operator.ts';
import { audited } from '../../../support/audit.ts';
import { client } from '../../../support/client.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
afterEach(() => app.close());

const OPERATORS = 6;
const RECEIPTS = 40;

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
}

/**
 * Runs `work` while every group of several units is rolled back at its commit: each unit runs twice, the
 * second time in its own transaction.
 */
async function whileCommitsFail(work: () => Promise<void>): Promise<number> {
  const state = { failed: 0, isOver: false };
  const fail = async (): Promise<void> => {
    while (!state.isOver) {
      const failing = app.service.trust.store.writeAsService((tx) =>
        tx.beforeCommit(async () => {
          throw new Error('this commit fails');
        }),
      );
      await failing.catch(() => state.failed++);
      await nextTurn();
    }
  };
  const failing = fail();
  await work();
  state.isOver = true;
  await failing;
  return state.failed;
}

/** An operator with a key that looks after it, and another that writes. */
async function writingOperator() {
  const { api_key } = await createOperator(app.service.trust, { name: null, admin: false });
  const owner = client(app.fetch, 'http://localhost', api_key);
  const { body } = await owner.post('/api/v1/operator/api-keys', { name: 'writes' });
  return {
    owner,
    keyHash: body.keyHash,
    writer: client(app.fetch, 'http://localhost', String(body.api_key)),
  };
}

async function storedIds({ owner }: Awaited<ReturnType<typeof writingOperator>>): Promise<unknown[]> {
  const { body } = await owner.get('/api/v1/receipts?limit=100');
  const receipts: Record<string, unknown>[] = Object(body.receipts);
  return receipts.map(({ receipt_id }) => receipt_id).sort();
}

test('when groups fail at their commit, a deleted key writes nothing more, and the responses match the stored rows', async () => {
  app = await openTrustApp();
  const failed = await whileCommitsFail(async () => {
    for (let round = 0; round < OPERATORS; round++) {
      const operator = await writingOperator();
      let isDeleted = false;
      const issued = Array.from({ length: RECEIPTS }, async (_, index) => {
        await turns(index % 12);
        const isLate = isDeleted;
        const { status, body } = await operator.writer.issue();
        expect(isLate ? [401] : [201, 401]).toContain(status);
        return status === 201 ? [body.receipt_id] : [];
      });
      await turns(round);
      const { status } = await operator.owner.call('DELETE', `/api/v1/operator/api-keys/${operator.keyHash}`);
      isDeleted = true;
      expect(status).toBe(200);
      const ids = (await Promise.all(issued)).flat().sort();
      expect(await storedIds(operator)).toEqual(ids);
    }
  });
  expect(failed).toBeGreaterThan(OPERATORS);
  await app.service.trust.log.publisher.publish();
  expect((await audited(app.directory)).reported).toEqual([]);
});

test('when groups fail at their commit, a quota of bytes is charged once and never exceeded', async () => {
  const quota = 120_000;
  app = await openTrustApp({ 'quotas.other.stored_bytes': String(quota) });
  const operator = await writingOperator();
  const statuses: number[] = [];
  await whileCommitsFail(async () => {
    const writes = Array.from({ length: 10 * RECEIPTS }, async (_, index) => {
      await turns(index % 40);
      statuses.push((await operator.writer.issue()).status);
    });
    await Promise.all(writes);
  });
  expect(new Set(statuses)).toEqual(new Set([201, 403]));
  const [stored] = await app.service.trust.store.read(({ connection }) =>
    connection.sqlite
      .query<{ bytes: number }, []>('SELECT max(bytes) AS bytes FROM stored_bytes WHERE payer_seq > 1')
      .all(),
  );
  expect(stored?.bytes).toBeLessThanOrEqual(quota);
  // What a write that was undone had allocated is given back: a receipt takes a few pages of 4 KiB.
  expect(stored?.bytes).toBeGreaterThan(quota - 32_768);
  expect((await operator.writer.issue()).status).toBe(403);
});
