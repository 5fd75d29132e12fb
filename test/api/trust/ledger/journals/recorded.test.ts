import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import { JournalVerifier } from '../../../../../src/proof/ledger/journal.ts';
import { creditsOf, poolOf, REVENUE } from '../../../../../src/trust/ledger/accounts.ts';
import { audited as ledgerTables } from '../../../../../src/trust/ledger/audit.ts';
import { entriesBefore } from '../../../../../src/trust/ledger/journal.ts';
import { agentStatement, poolStatement } from '../../../../../src/trust/ledger/journals/statement.ts';
import { payIn, postIn } from '../../../../../src/trust/ledger/post.ts';
import { operatorBySeq } from '../../../../../src/trust/operators/status.ts';
import { audited } from '../../../../support/audit.ts';
import { unpack } from '../../../../support/recorded/archive.ts';
import { openUnguarded } from '../../../../support/tampering.ts';
import { openTrustApp } from '../../../../support/trust-app.ts';

describe('in a directory from before', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'countersign-journals-'));
  afterAll(() => rmSync(scratch, { recursive: true }));

  test('a pool begins with what it had, an agent has its figures, and both go on from there', async () => {
    const app = await openTrustApp({}, null, unpack('trust', scratch));
    const { trust } = app.service;
    const operatorSeq = 1;
    const rows = await trust.store.read(({ connection: { sqlite } }) =>
      sqlite
        .query<Opened, []>(
          `SELECT subject_commitment AS commitment, agent_seq AS seq FROM agent JOIN journal_opening
             ON kind = 'agent' AND owner_seq = agent_seq WHERE spent > 0 AND balance > 1 AND state = 'ISSUED' LIMIT 1`,
        )
        .all(),
    );
    const { operatorId } = await trust.store.read(async (snapshot) => ({
      operatorId: (await operatorBySeq(snapshot, operatorSeq))?.operatorId ?? '',
    }));
    const pool = poolOf({ operatorSeq, operatorId });
    const [row] = rows;
    if (row === undefined) throw new Error('no agent spent anything');
    const subjectCommitment = Buffer.from(row.commitment).toString('hex');
    const agent = creditsOf({ agentSeq: row.seq, subjectCommitment });
    const before = await trust.store.read((snapshot) => entriesBefore(snapshot, pool, null, 100));
    expect(before.entries.map(({ entry: { kind } }) => kind)).toContain('OPENING');
    const first = await trust.store.read((snapshot) => entriesBefore(snapshot, pool, null, 1));
    expect([first.entries.length, first.next === null]).toEqual([1, before.entries.length === 1]);
    await trust.store.writeAsService(async (tx) => {
      await postIn(tx, trust, {
        kind: 'OPERATOR_GRANT',
        from: pool,
        to: agent,
        portions: { promotional: 3 },
      });
      await payIn(tx, trust, { kind: 'METER', from: agent, to: REVENUE, amount: 1 });
    });
    await trust.store.read(async (snapshot) => {
      const owner = { operator_id: operatorId };
      const poolState = await poolStatement(snapshot, { operatorSeq, operatorId });
      const ofPool = await entriesBefore(snapshot, pool, null, 100);
      expect(ofPool.entries.length).toBe(before.entries.length + 1);
      const statement = { opening: {}, figures: poolState.figures };
      expect(
        problemsOf(new JournalVerifier(nativePrimitives, owner, poolState.head, statement), ofPool),
      ).toEqual([]);
      const state = await agentStatement(snapshot, { agentSeq: row.seq, subjectCommitment });
      expect(Object.keys(state.opening).length).toBeGreaterThan(0);
      const ofAgent = await entriesBefore(snapshot, agent, null, 1000);
      const verifier = () =>
        new JournalVerifier(nativePrimitives, { subject_commitment: subjectCommitment }, state.head, state);
      expect(problemsOf(verifier(), ofAgent)).toEqual([]);
      const wrong = {
        ...state,
        figures: { ...state.figures, promotional: { ...state.figures.promotional, spent: 0 } },
      };
      expect(
        problemsOf(
          new JournalVerifier(nativePrimitives, { subject_commitment: subjectCommitment }, state.head, wrong),
          ofAgent,
        ),
      ).toEqual([
        expect.stringMatching(/^The spent promotional credits are 0, and the entries add up to \d+\.$/),
      ]);
    });
    const { reported } = await audited(app.directory, { only: ledgerTables });
    expect(reported.map(({ sentence }) => sentence)).toEqual([]);
    // Of one agent that had no movement since, and of one that had.
    await app.close();
    const database = openUnguarded(app.directory);
    const { agents } = Object(
      database
        .query("SELECT count(DISTINCT owner_seq) AS agents FROM journal_opening WHERE kind = 'agent'")
        .get(),
    );
    database.run("UPDATE journal_opening SET head = zeroblob(32) WHERE kind = 'agent'");
    database.close();
    const damaged = await audited(app.directory, { only: ledgerTables });
    const heads = damaged.reported.filter(({ sentence }) => sentence.includes('head is not the hash'));
    expect(heads.length).toBeGreaterThanOrEqual(Math.min(agents, 100));
  });
});

interface Opened {
  commitment: Uint8Array;
  seq: number;
}

function problemsOf(
  verifier: JournalVerifier,
  { entries }: Awaited<ReturnType<typeof entriesBefore>>,
): string[] {
  const found = entries.map(({ entry, entryHash: entry_hash }) => verifier.check({ ...entry, entry_hash }));
  return [...found, verifier.end()].filter((problem) => problem !== null);
}
