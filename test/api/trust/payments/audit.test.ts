import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audited as paymentTables } from '../../../../src/trust/payments/audit.ts';
import { audited as receiptTables } from '../../../../src/trust/receipts/audit.ts';
import { audited } from '../../../support/audit.ts';
import { creditedAgent } from '../../../support/credits.ts';
import { flippedColumns } from '../../../support/flipped-columns.ts';
import { sendSettlement, settlementSettings } from '../../../support/settlements.ts';
import { copyOf, openUnguarded } from '../../../support/tampering.ts';
import { openTrustApp } from '../../../support/trust-app.ts';

/** A directory with payments, settlements and withdrawals of two agents; tests work on copies. */
let whole: string;
let scratch: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-payments-audit-'));
  const app = await openTrustApp(settlementSettings);
  // A receipt of an operator, which is not one of the service.
  await app.own.issue();
  for (const index of [1, 2]) {
    const { commitment } = await creditedAgent(app, { credits: { promotional: 3, paid: 20 } });
    const settled = { reference: `order ${index}`, subject_commitment: commitment, credits: 30 };
    await sendSettlement(app, { rail: 'x402', ...settled, amount_label: '0.30 USDC' });
    await sendSettlement(app, { rail: 'stripe_agent', ...settled });
    await sendSettlement(app, { rail: 'x402', ...settled, reference: `large ${index}`, credits: 100_001 });
    for (const merchant of [{ merchant: 'shop.example' }, {}]) {
      const { status } = await app.own.post('/api/v1/agent-pay/spend', {
        subject_commitment: commitment,
        product: 'portable_credential_issuance',
        max_credits: 10,
        nonce: crypto.randomUUID(),
        expires_at: '2036-01-31T12:00:00Z',
        ...merchant,
      });
      expect(status).toBe(201);
    }
    const withdrawal = { subject_commitment: commitment, amount: 15, reference: 'payout' };
    expect((await app.own.post('/api/v1/agent-pay/withdraw', withdrawal)).status).toBe(201);
  }
  await app.service.trust.log.publisher.publish();
  whole = join(scratch, 'whole');
  copyOf(app.directory, whole);
  await app.close();
});
afterAll(() => rmSync(scratch, { recursive: true }));

const TABLES = [...paymentTables, ...receiptTables.filter(({ name }) => name === 'service_receipt')];

/** What fsck says about payments, except that triggers are missing. */
async function sentencesOf(directory: string): Promise<string[]> {
  const { reported } = await audited(directory, { only: TABLES });
  return reported.filter(({ table }) => table !== 'sqlite_schema').map(({ sentence }) => sentence);
}

/** A copy of the directory with an open database in which everything can be changed. */
function copied(name: string): { directory: string; database: Database } {
  const directory = join(scratch, name);
  cpSync(whole, directory, { recursive: true });
  return { directory, database: openUnguarded(directory) };
}

describe('fsck', () => {
  test('finds no problem in payments, settlements and withdrawals', async () => {
    const { outcome, reported } = await audited(whole);
    expect(reported.map(({ sentence }) => sentence)).toEqual([]);
    expect(outcome.examined).toMatchObject({
      payments: 4,
      settlements: 4,
      'unbooked settlements': 2,
      withdrawals: 2,
    });
  });

  test.each([
    ['agent_payment', 'payment_seq'],
    ['settlement', 'settlement_seq'],
  ])(
    'names every row of %s of which any column was changed, and says that rows are missing if its number was',
    async (table, key) => {
      const copy = copied(`flipped-${table}`);
      const unnamed: unknown[] = [];
      const flips = flippedColumns(copy, table, TABLES);
      for await (const { column, row, sentences, isNamed } of flips)
        if (!isNamed && !(column === key && sentences.some((sentence) => sentence.includes('missing'))))
          unnamed.push({ column, row, sentences });
      copy.database.close();
      expect(unnamed).toEqual([]);
    },
    180_000,
  );

  test.each([
    [
      'a payment that was deleted',
      'DELETE FROM agent_payment WHERE payment_seq = 1',
      'agent_payment (payment_seq 2): the rows before it are missing',
    ],
    [
      'the newest payment, if it was deleted',
      'DELETE FROM agent_payment WHERE payment_seq = 4',
      'it is a SPEND, and the number of payments that it is of is not 1: expected 1, found 0',
    ],
    [
      'a settlement that was deleted',
      'DELETE FROM settlement WHERE settlement_seq = 4',
      'it is a SETTLEMENT of an agent, and the number of settlements that it is of is not 1: expected 1, found 0',
    ],
    [
      'a settlement that was booked twice',
      `INSERT INTO settlement (rail, reference, body_digest, agent_seq, credits, amount_label, transaction_id, created_at)
       SELECT 'x402', 'another', body_digest, agent_seq, credits, amount_label, transaction_id, created_at
       FROM settlement WHERE settlement_seq = 1`,
      'body_digest is not the digest of its members',
    ],
    [
      'a settlement of more credits than were booked',
      'UPDATE settlement SET credits = 31 WHERE settlement_seq = 2',
      'credits is not the amount of its SETTLEMENT: expected 30, found 31',
    ],
    [
      'a settlement above a cap that was made smaller',
      'UPDATE unbooked_settlement SET credits = 100000 WHERE unbooked_seq = 1',
      'unbooked_settlement (unbooked_seq 1): body_digest is not the digest of its members',
    ],
    [
      'a settlement above a cap that was deleted',
      'DELETE FROM unbooked_settlement WHERE unbooked_seq = 1',
      'unbooked_settlement (unbooked_seq 2): the rows before it are missing',
    ],
    [
      'an hour in which less was settled than booked',
      "UPDATE settlement_hour SET credits = 59 WHERE rail = 'x402'",
      'credits is not the sum of the settlements of its rail and hour: expected 60, found 59',
    ],
    [
      'an hour that was deleted',
      "DELETE FROM settlement_hour WHERE rail = 'stripe_agent'",
      'credits is not the sum of the settlements of its rail and hour: expected 60, found no row',
    ],
    [
      'a withdrawal to another address',
      "UPDATE payout SET address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' WHERE payout_seq = 2",
      'its receipt states another withdrawal',
    ],
    [
      'a withdrawal of another amount',
      'UPDATE payout SET amount = 16 WHERE payout_seq = 1',
      'its receipt has another request',
    ],
    [
      'a withdrawal with the receipt of another',
      'UPDATE payout SET receipt_seq = 1 WHERE payout_seq = 1',
      'its receipt is not one of the service',
    ],
    [
      'a receipt of a withdrawal that was deleted',
      'DELETE FROM payout WHERE payout_seq = 2',
      'service_receipt (receipt_seq 3): it is the receipt of no withdrawal',
    ],
    [
      'a receipt of an operator that is said to be one of the service',
      'INSERT INTO service_receipt VALUES (1)',
      'service_receipt (receipt_seq 1): authority_scope is none of the service',
    ],
    [
      'a receipt of a withdrawal that counts as one of an operator',
      'DELETE FROM service_receipt WHERE receipt_seq = 2',
      'its receipt is not one of the service',
    ],
  ])('finds %s', async (name, change, sentence) => {
    const { directory, database } = copied(name.replaceAll(' ', '-'));
    expect(database.run(change).changes).toBe(1);
    database.close();
    expect((await sentencesOf(directory)).join('\n')).toContain(sentence);
  });
});

test.each([
  ['change', 'agent_payment', 'UPDATE agent_payment SET credits = 1'],
  ['delete', 'agent_payment', 'DELETE FROM agent_payment'],
  ['change', 'settlement', 'UPDATE settlement SET credits = 1'],
  ['delete', 'settlement', 'DELETE FROM settlement'],
  ['change', 'unbooked_settlement', 'UPDATE unbooked_settlement SET credits = 1'],
  ['delete', 'unbooked_settlement', 'DELETE FROM unbooked_settlement'],
])('a trigger refuses to %s rows of %s', (what, table, statement) => {
  const directory = join(scratch, `trigger-${what}-${table}`);
  cpSync(whole, directory, { recursive: true });
  const database = new Database(join(directory, 'trust.db'));
  expect(() => database.run(statement)).toThrow(/never/);
  database.close();
});
