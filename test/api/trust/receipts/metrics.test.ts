import { expect, test } from 'bun:test';
import { receiptMetric } from '../../../../src/trust/receipts/metrics.ts';
import { openTrustApp } from '../../../support/trust-app.ts';

test('the metric of receipts adds up all operators, also those that are counted in different ranges', async () => {
  const app = await openTrustApp();
  const { store } = app.service.trust;
  const metric = receiptMetric({ store });
  expect(await metric.read()).toEqual([]);
  await app.own.issue();
  await app.other.issue();
  await store.writeAsService(({ connection: { sqlite } }) => {
    sqlite.run(`INSERT INTO operator (operator_seq, operator_id, account_status, created_at)
      SELECT 5000, 'op_cus_000000000000000000000000', account_status, created_at FROM operator LIMIT 1`);
    sqlite.run(
      `INSERT INTO receipt_count VALUES (5000, 'pending', 'active', 3), (5000, 'timeout', 'active', 1)`,
    );
  });
  expect(await metric.read()).toEqual([
    { labels: { status: 'pending', revocation_status: 'active' }, value: 5 },
    { labels: { status: 'timeout', revocation_status: 'active' }, value: 1 },
  ]);
  await app.close();
});
