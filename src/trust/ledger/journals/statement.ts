import { CREDIT_CLASSES } from '../../../../db/trust/ledger-enums.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { poolOf } from '../accounts.ts';
import { balancesIn, creditFigures } from '../balances.ts';
import { creditStateOf } from '../evaluation.ts';
import { agentOpening, poolJournalEnd } from '../journal.ts';

/** Returns what the entries of an agent's journal add up to, and its end. */
export async function agentStatement(
  snapshot: Snapshot,
  { agentSeq, subjectCommitment }: { agentSeq: number; subjectCommitment: string },
) {
  const { entries: length = 0, head = null } = (await creditStateOf(snapshot, agentSeq)) ?? {};
  const figures = await creditFigures(snapshot, agentSeq);
  const had = CREDIT_CLASSES.filter((name) => figures[name].granted + figures[name].earned > 0);
  return {
    subject_commitment: subjectCommitment,
    length,
    head,
    figures: Object.fromEntries(had.map((name) => [name, figures[name]])),
    opening: await agentOpening(snapshot, agentSeq),
  };
}

/** Returns what the entries of a pool's journal add up to, and its end. */
export async function poolStatement(
  snapshot: Snapshot,
  operator: { operatorSeq: number; operatorId: string },
) {
  const pool = poolOf(operator);
  const { entries: length, head } = await poolJournalEnd(snapshot, pool);
  const balances = await balancesIn(snapshot, pool);
  const had = CREDIT_CLASSES.filter((name) => balances.has(name));
  return {
    operator_id: operator.operatorId,
    length,
    head,
    figures: Object.fromEntries(had.map((name) => [name, { available: balances.get(name) ?? 0 }])),
  };
}
