import type { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openReader } from '../../../../src/platform/store/connection.ts';
import { snapshotOf } from '../../../../src/platform/store/transaction.ts';
import {
  creditsOf,
  ISSUANCE,
  lockedOf,
  poolOf,
  REVENUE,
  receivableOf,
  SLASHED,
  stakeOf,
  UNCLAIMED,
} from '../../../../src/trust/ledger/accounts.ts';
import { audited as ledgerTables } from '../../../../src/trust/ledger/audit.ts';
import { type Posting, postIn } from '../../../../src/trust/ledger/post.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { audited } from '../../../support/audit.ts';
import { flippedColumns } from '../../../support/flipped-columns.ts';
import { copyOf, openUnguarded } from '../../../support/tampering.ts';
import { openTrustApp } from '../../../support/trust-app.ts';

/** A directory with every kind of movement; tests work on copies. */
let whole: string;
let scratch: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-ledger-audit-'));
  const app = await openTrustApp();
  const { trust, firstStart } = app.service;
  const [one, other] = [(await enrolledAgent(app)).agent, (await enrolledAgent(app)).agent];
  const operator = { operatorSeq: 1, operatorId: firstStart.operatorId };
  const receipt = { receiptSeq: 1, receiptId: String((await app.own.issue()).body.receipt_id) };
  const pool = poolOf(operator);
  const postings: Posting[] = [
    { kind: 'OPERATOR_GRANT', from: pool, to: creditsOf(one), portions: { promotional: 500 }, memo: 'start' },
    { kind: 'SETTLEMENT', from: ISSUANCE, to: creditsOf(one), portions: { paid: 300, sandbox: 9 } },
    {
      kind: 'TASK_PAYMENT',
      from: creditsOf(one),
      to: creditsOf(other),
      portions: { promotional: 100, paid: 50 },
      reference: 'task-1',
      memo: 'thanks',
    },
    { kind: 'PEER_GIFT', from: creditsOf(other), to: creditsOf(one), portions: { promotional: 5 } },
    { kind: 'LOCK', from: creditsOf(one), to: lockedOf(one), portions: { paid: 70 }, reference: 'task-2' },
    { kind: 'UNLOCK', from: lockedOf(one), to: creditsOf(one), portions: { paid: 30 }, reference: 'task-2' },
    {
      kind: 'ESCROW_RELEASE',
      from: lockedOf(one),
      to: creditsOf(other),
      portions: { paid: 40 },
      reference: 'task-2',
      receipt,
    },
    { kind: 'METER', from: creditsOf(other), to: REVENUE, portions: { paid: 3 } },
    { kind: 'SPEND', from: pool, to: REVENUE, portions: { promotional: 3 } },
    {
      kind: 'METER',
      from: pool,
      to: REVENUE,
      portions: { promotional: 1 },
      reference: receipt.receiptId,
      receipt,
    },
    { kind: 'ADJUSTMENT', from: ISSUANCE, to: stakeOf(operator), portions: { cents: 1000 }, memo: 'bond' },
    { kind: 'SLASH', from: stakeOf(operator), to: SLASHED, portions: { cents: 250 } },
    { kind: 'PEER_GIFT', from: creditsOf(one), to: creditsOf(other), portions: { promotional: 1 } },
    { kind: 'ADJUSTMENT', from: receivableOf(operator), to: ISSUANCE, portions: { paid: 40 } },
    { kind: 'ADJUSTMENT', from: receivableOf(operator), to: ISSUANCE, portions: { cents: 6 } },
    { kind: 'SETTLEMENT', from: ISSUANCE, to: pool, portions: { paid: 30 } },
    { kind: 'ADJUSTMENT', from: pool, to: receivableOf(operator), portions: { paid: 30 } },
    { kind: 'ADJUSTMENT', from: stakeOf(operator), to: receivableOf(operator), portions: { cents: 6 } },
    { kind: 'SETTLEMENT', from: ISSUANCE, to: stakeOf(operator), portions: { sandbox_cents: 9 } },
    {
      kind: 'ADJUSTMENT',
      from: creditsOf(one),
      to: pool,
      portions: { sandbox: 2, paid: 1 },
      reference: 'agent_revoked',
    },
    {
      kind: 'ADJUSTMENT',
      from: creditsOf(one),
      to: UNCLAIMED,
      portions: { paid: 4 },
      reference: 'agent_revoked',
    },
    { kind: 'ADJUSTMENT', from: UNCLAIMED, to: creditsOf(other), portions: { paid: 3 }, memo: 'yours' },
  ];
  let lock = '';
  for (const posting of postings) {
    const locked = posting.from.kind === 'locked' ? { lock } : {};
    const { transactionId } = await trust.store.writeAsService((tx) =>
      postIn(tx, trust, { ...posting, ...locked }),
    );
    if (posting.kind === 'LOCK') lock = transactionId;
  }
  whole = join(scratch, 'whole');
  copyOf(app.directory, whole);
  await app.close();
});
afterAll(() => rmSync(scratch, { recursive: true }));

/** What fsck says about the ledger of a directory, except that triggers are missing. */
async function sentencesOf(directory: string): Promise<string[]> {
  const { reported } = await audited(directory, { only: ledgerTables });
  return reported.filter(({ table }) => table !== 'sqlite_schema').map(({ sentence }) => sentence);
}

/** A copy of the directory with an open database in which everything can be changed. */
function copied(name: string): { directory: string; database: Database } {
  const directory = join(scratch, name.replaceAll(/\W/g, '-'));
  cpSync(whole, directory, { recursive: true });
  return { directory, database: openUnguarded(directory) };
}

test('a ledger with every kind of movement has no problem', async () => {
  const { outcome, reported } = await audited(whole, { only: ledgerTables });
  expect(reported.map(({ sentence }) => sentence)).toEqual([]);
  expect(outcome.examined.movements).toBe(26);
});

/** What nothing proves, each with its reason. */
const UNPROVABLE: Record<string, string> = {
  'agent_credit.evaluated_at': 'is the time of an evaluation, which is not logged',
  // Of movements that are in no agent's journal:
  'movement.transaction_id': 'is random',
  'movement.created_at': 'is hashed in journals only',
  'movement.memo': 'is hashed in journals only',
  'movement.salt': 'is hashed in journals only',
};

describe('a flipped byte is named, with its table and row:', () => {
  test.each(['movement', 'ledger_account', 'agent_credit'])(
    '%s',
    async (table) => {
      const { directory, database } = copied(table);
      const unproven = new Set<string>();
      for await (const flipped of flippedColumns({ directory, database }, table, ledgerTables)) {
        const { column, row, sentences, isNamed } = flipped;
        const isInJournal = row.debit_hash != null || row.credit_hash != null;
        if (sentences.length === 0 && `${table}.${column}` in UNPROVABLE && !isInJournal)
          unproven.add(`${table}.${column}`);
        else {
          // A row with another number is named as the one that is missing.
          const missing = `are missing: ${row.movement_seq} to ${row.movement_seq}`;
          const isMissed =
            column === 'movement_seq' && sentences.some((sentence) => sentence.includes(missing));
          expect({ column, row, sentences, isNamed: isNamed || isMissed }).toMatchObject({ isNamed: true });
        }
      }
      database.close();
      expect([...unproven]).toEqual(Object.keys(UNPROVABLE).filter((name) => name.startsWith(`${table}.`)));
      expect(await sentencesOf(directory)).toEqual([]);
    },
    180_000,
  );
});

test.each([
  [
    'an account that is missing',
    "DELETE FROM ledger_account WHERE kind = 'revenue'",
    'it is missing, and movements name it',
  ],
  [
    'a journal that is missing',
    'DELETE FROM agent_credit WHERE agent_seq = 1',
    'it is missing, and movements have entries',
  ],
  [
    'a movement that is missing',
    'DELETE FROM movement WHERE movement_seq = 4',
    'movement_seq 5): the rows before it are missing: 4 to 4',
  ],
  [
    'the newest movement, if it is missing',
    'DELETE FROM movement WHERE movement_seq = (SELECT max(movement_seq) FROM movement)',
    'balance is not the sum of the movements',
  ],
  [
    'a class that does not add up to zero',
    "UPDATE ledger_account SET balance = balance + 1 WHERE kind = 'revenue'",
    'ledger_account (asset paid): the balances of all accounts do not add up to zero: expected 0, found 1',
  ],
  [
    'an account below zero',
    "UPDATE ledger_account SET balance = -1 WHERE kind = 'pool'",
    'balance is below zero',
  ],
  [
    'a debt that was covered twice',
    "UPDATE ledger_account SET balance = 30 WHERE kind = 'receivable' AND asset = 'paid'",
    'more than the debt was covered',
  ],
  [
    'a debt that another operator covered',
    "UPDATE movement SET debit_owner = 2 WHERE credit_kind = 'receivable' AND asset = 'paid'",
    'ADJUSTMENT never moves anything from pool to receivable',
  ],
  [
    'an account of an unknown kind',
    "UPDATE ledger_account SET kind = 'purse' WHERE kind = 'issuance' AND asset = 'sandbox_cents'",
    'the program knows no account of this kind',
  ],
  [
    'a slash of what sandbox money paid',
    "UPDATE movement SET asset = 'sandbox_cents' WHERE kind = 'SLASH'",
    'an account of kind slashed never has sandbox_cents',
  ],
  [
    'an agent that is missing',
    'DELETE FROM agent WHERE agent_seq = 2',
    'there is no agent (agent_seq 2) for its credit account',
  ],
  [
    'a price that names another receipt',
    "UPDATE movement SET reference = 'rcpt_0' WHERE kind = 'METER' AND debit_kind = 'pool'",
    'reference is not the receipt that it paid',
  ],
  ['a receipt that is missing', 'DELETE FROM receipt', 'there is no receipt (receipt_seq 1)'],
  [
    'a payment that names another kind of account',
    "UPDATE movement SET credit_kind = 'revenue', credit_owner = 0, credit_hash = NULL WHERE kind = 'PEER_GIFT'",
    'PEER_GIFT never moves anything from agent to revenue',
  ],
  [
    'a time that no date can be',
    'UPDATE movement SET created_at = 9000000000000000 WHERE movement_seq = 3',
    'created_at is not a time',
  ],
  [
    'an unlock that another agent gets',
    "UPDATE movement SET debit_owner = 2 WHERE kind = 'UNLOCK'",
    'UNLOCK never moves anything from locked to agent of two owners',
  ],
])('%s is reported', async (name, statement, message) => {
  const { directory, database } = copied(name);
  database.run(statement);
  database.close();
  expect((await sentencesOf(directory)).join('\n')).toContain(message);
});

test('a range that starts at any movement finds the state of its accounts in the rows before it', async () => {
  const connection = openReader(join(whole, 'trust.db'));
  const { rows } = ledgerTables[0] ?? {};
  for (let after = 0; after < 22; after++) {
    for (let reach = after + 1; reach <= 22; reach++) {
      const report = await rows?.examine(snapshotOf(connection), { after, reach }, whole);
      expect(report).toMatchObject({ problems: [], rows: reach - after });
    }
  }
  connection.sqlite.close();
});
