import { requireEnrolled } from '../agents/agents.ts';
import { commonErrors } from '../http/errors.ts';
import { requireAcceptedRestoreIn } from '../operators/restored/pending.ts';
import type { SettlementRail } from './settings.ts';
import { bookSettlementIn, type SettlementContext, settlementView } from './settle.ts';
import { settlementOf, unbookedSettlementOf } from './store.ts';

/**
 * Books a settlement that exceeded a cap. It counts for the caps of its day.
 * @throws ApiError not_found; invalid_state for a booked one; agent_not_enrolled, including for a revoked
 * agent; conflict for a sum beyond 2^53 − 1; restore_not_accepted
 */
export function bookSettlement(
  trust: SettlementContext,
  { rail, reference }: { rail: SettlementRail; reference: string },
) {
  return trust.store.writeAsService(async (tx) => {
    await requireAcceptedRestoreIn(tx);
    const waiting = await unbookedSettlementOf(tx, { rail, reference });
    if (waiting === null) {
      throw commonErrors.not_found({
        message: `No settlement of the rail ${rail} with the reference ${reference} exceeded a cap.`,
      });
    }
    const { unbooked, subjectCommitment } = waiting;
    if ((await settlementOf(tx, { rail, reference })) !== null) {
      throw commonErrors.invalid_state({
        message: `The settlement ${reference} of the rail ${rail} is booked.`,
      });
    }
    const agent = requireEnrolled(
      await trust.agentCache.enrolledIn(tx, subjectCommitment),
      subjectCommitment,
    );
    const { unbookedSeq, createdAt, ...terms } = unbooked;
    return settlementView(await bookSettlementIn(tx, trust, agent, terms), subjectCommitment);
  });
}
