import { Type } from '@sinclair/typebox';
import type { PayoutStatus } from '../../../../db/trust/payouts-enums.ts';
import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import { positionNumber } from '../../../platform/http/pagination/cursor.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import { requireAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import { pageRequest } from '../../http/paging.ts';
import { confirmPayoutIn, failPayoutIn } from './queue.ts';
import type { RailContext } from './rail.ts';
import { openRail } from './rails.ts';
import { administeredView } from './representation.ts';
import {
  isTransactionOf,
  openPayouts,
  type PayoutState,
  payoutById,
  payoutsBefore,
  payoutsOfAgentBefore,
  setHeld,
  setSubmitted,
} from './store.ts';

/** The parts of the service that administering payouts uses. */
export type Administration = RailContext & { cursors: Cursors };

/** The payouts that one transaction holds or releases. */
const BATCH = 500;

/** The list of all payouts or of an agent's, ordered by number, as the administrator reads it. */
const ADMINISTERED = { name: 'administered payouts', position: Type.Tuple([positionNumber]) };

/** Which payouts the administrator lists. */
export interface AdministratorQuery {
  /** Only those of the agent with this commitment. */
  agent: string | null;
  /** Only those with this status. */
  status: PayoutStatus | null;
  limit: string;
  cursor: string | null;
}

/** Returns a page of all payouts, of those with a status, or of an agent's, newest first. @throws ApiError not_found, validation_error */
export async function listAsAdministrator(
  { store, cursors, policy }: Pick<Administration, 'store' | 'cursors' | 'policy'>,
  { agent: commitment, status, limit: size, cursor }: AdministratorQuery,
) {
  if (commitment !== null && status !== null)
    throw commonErrors.validation_error({ issues: { status: ['cannot be combined with an agent'] } });
  const paging = { limit: size, ...(cursor === null ? {} : { cursor }) };
  const { limit, after, takePage } = pageRequest(
    paging,
    cursors.of(ADMINISTERED, [commitment ?? '', status ?? '']),
  );
  const before = after?.[0] ?? Number.MAX_SAFE_INTEGER;
  const found = await store.read(async (snapshot) =>
    commitment === null
      ? payoutsBefore(snapshot, status, before, limit + 1)
      : payoutsOfAgentBefore(
          snapshot,
          (await requireAgentIn(snapshot, commitment)).agentSeq,
          before,
          limit + 1,
        ),
  );
  const { page, next_cursor } = takePage(found, ({ payout }) => [payout.payoutSeq]);
  return { payouts: page.map((state) => administeredView(state, policy)), next_cursor };
}

/** Returns a payout. @throws ApiError not_found */
export async function showAsAdministrator(
  { store, policy }: Pick<Administration, 'store' | 'policy'>,
  withdrawalId: string,
) {
  const state = await store.read((snapshot) => requirePayout(snapshot, withdrawalId));
  return { payout: administeredView(state, policy) };
}

/**
 * Confirms that a payout was paid. One that is confirmed with the same reference already is answered again.
 * @param reference what names the payment; for a payout that the evm rail submitted, the hash of one of its transactions
 * @throws ApiError not_found; invalid_state for an ended payout, for one that a rail may still pay, and for a queued one that a rail could
 * begin to pay meanwhile
 */
export async function confirmAsAdministrator(
  trust: Administration,
  withdrawalId: string,
  reference: string,
  open: typeof openRail = openRail,
) {
  const seen = await trust.store.read((snapshot) => requirePayout(snapshot, withdrawalId));
  const { isOver, problem } = await answerOf(trust, seen, open);
  const state = await trust.store.writeAsService(async (tx) => {
    const current = await requireUnchanged(tx, seen);
    const { payout } = current;
    if (payout.status === 'confirmed' && payout.externalReference === reference) return current;
    if (payout.status === 'queued') {
      if (payout.held === null && trust.policy.payoutRail !== 'manual') {
        throw commonErrors.invalid_state({
          message: `The rail ${trust.policy.payoutRail} may pay the withdrawal at any moment. Run countersign payouts hold ${withdrawalId} before you pay it in another way.`,
        });
      }
      await setSubmitted(tx, {
        payoutSeq: payout.payoutSeq,
        rail: 'manual',
        updatedAt: trust.clock.now(),
      });
    } else if (
      payout.status === 'submitted' &&
      !isOver &&
      !(await namesTransaction(tx, current, reference))
    ) {
      throw commonErrors.invalid_state({
        message: `The rail ${payout.rail} may still pay the withdrawal, and ${reference} is none of its transactions. Give the hash of the transaction that paid it.${problem}`,
      });
    }
    await confirmPayoutIn(tx, trust, await requirePayout(tx, withdrawalId), reference);
    return requirePayout(tx, withdrawalId);
  });
  return { payout: administeredView(state, trust.policy) };
}

/**
 * Fails a payout that was not paid: its credits return to the agent.
 * @param isUnpaid whether the administrator made sure that it was not paid, which a payout of a restored database needs
 * @throws ApiError not_found; invalid_state for an ended payout, and for one that may have been paid or may still be paid
 */
export async function failAsAdministrator(
  trust: Administration,
  withdrawalId: string,
  { reason, isUnpaid }: { reason: string; isUnpaid: boolean },
  open: typeof openRail = openRail,
) {
  const seen = await trust.store.read((snapshot) => requirePayout(snapshot, withdrawalId));
  const { isOver, problem } = await answerOf(trust, seen, open);
  const state = await trust.store.writeAsService(async (tx) => {
    const current = await requireUnchanged(tx, seen);
    const { status, rail, held } = current.payout;
    if (held === 'restored' && !isUnpaid) {
      throw commonErrors.invalid_state({
        message:
          'The database is a restored backup, so the withdrawal may have been paid since the backup. Look for a payment to its address, and repeat the command with --unpaid if there is none.',
      });
    }
    if (status === 'submitted' && !isOver) {
      throw commonErrors.invalid_state({
        message: `The rail ${rail} submitted the withdrawal, which may still be paid. Wait until it is confirmed, or until none of its transactions can be paid any more.${problem}`,
      });
    }
    await failPayoutIn(tx, trust, current, reason);
    return requirePayout(tx, withdrawalId);
  });
  return { payout: administeredView(state, trust.policy) };
}

/** Stops rails from beginning to pay an open payout, or from paying it with further transactions. @throws ApiError not_found, invalid_state */
export function holdAsAdministrator(trust: Administration, withdrawalId: string) {
  return changeHold(trust, withdrawalId, 'administrator');
}

/** Lets rails pay a payout that is held. @throws ApiError not_found, invalid_state */
export function releaseAsAdministrator(trust: Administration, withdrawalId: string) {
  return changeHold(trust, withdrawalId, null);
}

/** Holds all open payouts that are not held, or releases all that are, in bounded transactions. @returns how many */
export async function changeAllHolds(trust: Administration, hold: 'administrator' | null) {
  let payouts = 0;
  for (let after = 0; ; ) {
    const start = after;
    const seqs = await trust.store.writeAsService(async (tx) => {
      const found = await openPayouts(tx, hold === null, start, BATCH);
      const updatedAt = trust.clock.now();
      for (const payoutSeq of found) await setHeld(tx, { payoutSeq, held: hold, updatedAt });
      return found;
    });
    payouts += seqs.length;
    const last = seqs.at(-1);
    if (last === undefined) return { payouts };
    after = last;
  }
}

function changeHold(trust: Administration, withdrawalId: string, held: 'administrator' | null) {
  return trust.store.writeAsService(async (tx) => {
    const { payout } = await requirePayout(tx, withdrawalId);
    if (payout.status !== 'queued' && payout.status !== 'submitted') {
      throw commonErrors.invalid_state({
        message: `The withdrawal ${withdrawalId} is ${payout.status}, so no rail pays it any more.`,
      });
    }
    // A payout of a restored database stays known as such: failing it needs more care.
    if (held === null || payout.held === null)
      await setHeld(tx, { payoutSeq: payout.payoutSeq, held, updatedAt: trust.clock.now() });
    return { payout: administeredView(await requirePayout(tx, withdrawalId), trust.policy) };
  });
}

/** What the rail of a payout says about it. */
interface Answer {
  /** Whether it certainly can be paid no more. */
  isOver: boolean;
  /** Why the rail could not be asked, as the end of a message; empty if it was asked. */
  problem: string;
}

/** Asks the rail of a submitted payout whether it can be paid no more. A rail that cannot be asked says no. */
async function answerOf(trust: Administration, state: PayoutState, open: typeof openRail): Promise<Answer> {
  const { status, rail } = state.payout;
  if (status !== 'submitted' || rail === null) return { isOver: false, problem: '' };
  try {
    return { isOver: await (await open(rail, trust)).mayFail(state), problem: '' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { isOver: false, problem: ` The rail could not be asked: ${reason}` };
  }
}

function namesTransaction(tx: Snapshot, { payout }: PayoutState, reference: string): Promise<boolean> {
  const [, hash] = /^0x([0-9a-f]{64})$/i.exec(reference) ?? [];
  return hash === undefined
    ? Promise.resolve(false)
    : isTransactionOf(tx, payout.payoutSeq, hash.toLowerCase());
}

/** @throws ApiError not_found */
async function requirePayout(snapshot: Snapshot, withdrawalId: string): Promise<PayoutState> {
  const state = /^wdr_[0-9a-f]{32}$/.test(withdrawalId) ? await payoutById(snapshot, withdrawalId) : null;
  if (state !== null) return state;
  throw commonErrors.not_found({
    message: `There is no withdrawal ${withdrawalId}. See countersign payouts list.`,
  });
}

/** Returns a payout about which its rail was asked before the transaction. @throws ApiError not_found; invalid_state if the rail went on */
async function requireUnchanged(tx: Transaction, { payout: seen }: PayoutState): Promise<PayoutState> {
  const state = await requirePayout(tx, seen.withdrawalId);
  const { status, attempts } = state.payout;
  if (status === seen.status && attempts === seen.attempts) return state;
  throw commonErrors.invalid_state({
    message: `The withdrawal ${seen.withdrawalId} changed from ${seen.status} to ${status} meanwhile. Look at it again.`,
  });
}
