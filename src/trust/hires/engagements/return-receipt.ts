import type { Transaction } from '../../../platform/store/transaction.ts';
import {
  issueServiceReceiptIn,
  receiptOperatorIn,
  type ServiceReceiptContext,
} from '../../receipts/service-receipt.ts';
import { inGroups } from '../escrow/groups.ts';
import {
  type Ended,
  type EscrowContext,
  type EscrowState,
  escrowBySeq,
  owedReceipts,
  setReturnReceipt,
} from '../escrow/state.ts';

/** The parts of the service that a receipt of returned credits uses. */
export type ReturnReceiptContext = EscrowContext & ServiceReceiptContext;

/** The receipts that are read at once. */
const BATCH = 100;
/** The batches of one run, so that it ends soon. */
const BATCHES = 20;

/** Issues the receipt of an end that returned credits. @returns the end with its receipt */
export async function withReturnReceiptIn(
  tx: Transaction,
  trust: ReturnReceiptContext,
  { state, posted }: Ended,
): Promise<Ended> {
  return { state: await issueReturnReceiptIn(tx, trust, state), posted };
}

/**
 * Issues, finalizes and logs the receipt of the service about credits that returned to the hirer, whose
 * receipt it is: nobody writes into the record of the other side. While the clock is wrong nothing is signed,
 * and the credits return all the same: then the receipt stays owed.
 * @returns the escrow with its receipt, if it has one
 */
export async function issueReturnReceiptIn(
  tx: Transaction,
  trust: ReturnReceiptContext,
  state: EscrowState,
): Promise<EscrowState> {
  const { escrow, hirer, hirerSponsor } = state;
  const operator = await receiptOperatorIn(tx, trust, hirerSponsor);
  if (trust.clockWatch.look() !== null) return state;
  const { receiptSeq, receiptId } = await issueServiceReceiptIn(tx, trust, {
    operator,
    agentId: hirer,
    receiptType: 'custody',
    inputDigest: escrow.inputDigest,
    reason: returnText(state),
    authorityScope: `engagement:${escrow.taskId}`,
  });
  const { escrowSeq } = escrow;
  if ((await setReturnReceipt(tx, { escrowSeq, receiptSeq })) !== 1)
    throw new Error(`no receipt is owed for ${escrow.taskId}`);
  return { ...state, returnReceiptId: receiptId };
}

/**
 * Issues the receipts that are owed since the clock was wrong, at most 2,000 in a run. One that cannot be
 * issued does not stop the others.
 * @throws AggregateError with the errors of those
 */
export async function issueOwedReceipts(trust: ReturnReceiptContext): Promise<void> {
  const { store } = trust;
  const failures: unknown[] = [];
  let after: number | undefined = 0;
  for (let batch = 0; batch < BATCHES && after !== undefined; batch++) {
    const from: number = after;
    const owed = await store.read((snapshot) => owedReceipts(snapshot, { after: from, limit: BATCH }));
    failures.push(
      ...(await inGroups(owed, (escrowSeq) =>
        store.writeAsService(async (tx) => {
          const state = await escrowBySeq(tx, escrowSeq);
          if (state?.returnReceiptId === null) await issueReturnReceiptIn(tx, trust, state);
        }),
      )),
    );
    after = owed.length === BATCH ? owed.at(-1) : undefined;
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} receipts of returned credits cannot be issued`);
}

/** Returns the time of the clock while a receipt is owed, if that is after `after`; else null. */
export async function nextOwedOf(
  { store, clock }: ReturnReceiptContext,
  after: number,
): Promise<number | null> {
  const now = clock.now();
  if (now <= after) return null;
  const owed = await store.read((snapshot) => owedReceipts(snapshot, { after: 0, limit: 1 }));
  return owed.length === 0 ? null : now;
}

/** Returns what the receipt says: how the task ended, by whom, and what returned. */
function returnText({ escrow: { status, endedBy, amount, workerAmount } }: EscrowState): string {
  const returned = amount - (workerAmount ?? 0);
  const part = returned === amount ? '' : ` of ${amount}`;
  return `${status} by ${endedBy}: ${returned}${part} ${amount === 1 ? 'credit' : 'credits'} returned`;
}
