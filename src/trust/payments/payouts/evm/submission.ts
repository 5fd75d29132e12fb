import type { Transaction } from '../../../../platform/store/transaction.ts';
import {
  holdIn,
  noteErrorIn,
  type PayoutState,
  payablePayouts,
  payoutBySeq,
  restOf,
  submitPayoutIn,
} from '../queue.ts';
import type { RailContext } from '../rail.ts';
import { readTransaction, transferInput, type Unsigned } from './chain/transactions.ts';
import type { ChainView } from './chain-view.ts';
import { SubmissionProblem } from './errors.ts';
import { type FeeMarkets, type Fees, newFees } from './fees.ts';
import { liveSlotsFrom } from './live-slots.ts';
import { freeNonces } from './nonces.ts';
import type { Refusals } from './refusals.ts';
import { costOf, gasLimit, gasProblem, type Sending, tryTransfer } from './sending.ts';
import { insertAttempt, type NewAttempt, type OwnedSlot } from './store.ts';
import type { Treasury } from './treasury.ts';
import { decimalText, unitsOfCents, unitsOfTransfer } from './units.ts';

/** How many payouts are signed, stored and broadcast together. */
const BATCH = 10;

/** The parts with which a round submits payouts. */
export interface Submission {
  trust: RailContext;
  treasury: Treasury;
  view: ChainView;
  markets: FeeMarkets;
  sending: Sending;
  refusals: Refusals;
  /** True when the round has taken long enough. */
  isOver(): boolean;
}

/** The result of a submission. */
export interface Submitted {
  /** Why the next payouts wait; null for nothing. */
  problem: SubmissionProblem | null;
  /** Whether there is more to submit at once. */
  hasMore: boolean;
}

/** The amounts that the treasury can still spend. */
interface Funds {
  tokens: bigint;
  /** In wei. */
  coins: bigint;
}

/**
 * Submits payouts: first those that lost their nonce to another user of the key, then the oldest queued ones.
 * @param lost submitted payouts whose nonce was finally used by another transaction
 * @param room how many more payouts may be in flight
 * @throws RpcError
 */
export async function submit(
  round: Submission,
  lost: readonly PayoutState[],
  room: number,
): Promise<Submitted> {
  const { trust, treasury, view, markets, sending } = round;
  const isRefused = ({ payout }: PayoutState) => round.refusals.has(payout.payoutSeq);
  const again = lost.filter((state) => state.payout.held === null && state.isActive && !isRefused(state));
  let left = room;
  let after = 0;
  let funds: Funds | null = null;
  let waiting: SubmissionProblem | null = null;
  for (;;) {
    const batch = again.splice(0, BATCH);
    const limit = Math.min(BATCH - batch.length, left);
    const queued =
      limit > 0 ? await trust.store.read((snapshot) => payablePayouts(snapshot, { after, limit })) : [];
    if (batch.length + queued.length === 0) return { problem: waiting, hasMore: false };
    if (round.isOver()) return { problem: waiting, hasMore: true };
    after = queued.at(-1)?.payout.payoutSeq ?? after;
    batch.push(...queued.filter((state) => !isRefused(state)));
    if (batch.length === 0) continue;
    const fees = newFees(markets.lowest, treasury.caps);
    if (fees === null) return { problem: new SubmissionProblem('fees', FEES_TOO_HIGH), hasMore: false };
    const slots = await trust.store.read(async (snapshot) =>
      liveSlotsFrom(snapshot, accountOf(treasury), await view.latestNonce(treasury.account.address)),
    );
    funds ??= await fundsOf(view, treasury, slots);
    const { transactions, problem, isLast } = await planned(round, batch, slots, fees, funds);
    const stored = await store(trust, sending, transactions);
    waiting ??= problem;
    left -= transactions.filter(({ state }) => state.payout.status === 'queued').length;
    for (const { attempt } of stored) {
      const refused = await sending.give(view, attempt);
      if (refused !== null) return { problem: new SubmissionProblem('funds', refused), hasMore: false };
    }
    if (isLast) return { problem: waiting, hasMore: false };
  }
}

const FEES_TOO_HIGH =
  'Payouts wait, because the chain asks for more than evm.max_fee_gwei for a unit of gas. Raise it, or wait.';

function accountOf({ policy, account }: Treasury) {
  return { chainId: policy.chainId, sender: account.address };
}

/** Returns the balances of the treasury, less the amounts of waiting transactions. */
async function fundsOf(
  { chain }: ChainView,
  { account, policy }: Treasury,
  waiting: readonly OwnedSlot[],
): Promise<Funds> {
  const [tokens, coins] = await Promise.all([
    chain.tokens(policy.token, account.address),
    chain.coins(account.address),
  ]);
  const funds = { tokens, coins };
  for (const { attempts } of waiting) {
    const newest = attempts.at(-1);
    if (newest === undefined) continue;
    const transaction = await readTransaction(newest.raw);
    funds.coins -= costOf(transaction);
    if (transaction.to.toLowerCase() === policy.token.toLowerCase())
      funds.tokens -= unitsOfTransfer(transaction.data);
  }
  return funds;
}

interface PlannedPayout {
  state: PayoutState;
  transaction: Unsigned;
}

/** The transactions of a batch. */
interface Plan {
  transactions: PlannedPayout[];
  /** Why some of its payouts wait; null for nothing. */
  problem: SubmissionProblem | null;
  /** Whether no more payouts can be paid. */
  isLast: boolean;
}

/**
 * Returns the transactions of the payouts that the treasury can pay. A payout with too large an amount waits,
 * and does not stop those after it. The same is true for a payout that the token refuses: it fails only if a
 * transaction is mined, or an administrator fails it.
 */
async function planned(
  round: Submission,
  payouts: readonly PayoutState[],
  slots: readonly OwnedSlot[],
  fees: Fees,
  funds: Funds,
): Promise<Plan> {
  const { trust, treasury, view } = round;
  const { account, policy, caps } = treasury;
  const { chain } = view;
  const [latest, pending] = await Promise.all([
    view.latestNonce(account.address),
    chain.nextNonce(account.address, 'pending'),
  ]);
  const nonces = freeNonces(
    { latest, pending, used: new Set(slots.map(({ nonce }) => nonce)) },
    payouts.length,
  );
  const transactions: PlannedPayout[] = [];
  let problem: SubmissionProblem | null = null;
  for (const state of payouts) {
    const { payout } = state;
    const units = unitsOfCents(restOf(state).usdCents, policy.tokenDecimals);
    if (units > funds.tokens) {
      const has = decimalText(funds.tokens < 0n ? 0n : funds.tokens, policy.tokenDecimals);
      problem ??= new SubmissionProblem(
        'funds',
        `Payouts wait: the treasury ${account.address} has ${has} tokens, and ${payout.withdrawalId} needs ${decimalText(units, policy.tokenDecimals)}. Send tokens to the treasury.`,
      );
      if (funds.tokens <= 0n) return { transactions, problem, isLast: true };
      continue;
    }
    const data = transferInput(payout.address, units);
    const trial = await tryTransfer(chain, account.address, policy.token, data);
    if (trial.problem !== null) {
      // A paused token refuses every transfer, even one from the treasury to itself. Then all payouts wait.
      const selfTransfer = transferInput(account.address, units);
      const selfTrial = await tryTransfer(chain, account.address, policy.token, selfTransfer);
      if (selfTrial.problem !== null) {
        return {
          transactions,
          problem: new SubmissionProblem('token', `Payouts wait. ${selfTrial.problem}`),
          isLast: true,
        };
      }
      round.refusals.add(payout.payoutSeq);
      await note(trust, state, trial.problem);
      continue;
    }
    const gasTooHigh = gasProblem(trial.gas, caps.gas);
    if (gasTooHigh !== null) {
      await holdForGas(trust, state, gasTooHigh);
      continue;
    }
    const nonce = nonces[transactions.length];
    if (nonce === undefined) break;
    const transaction = {
      ...fees,
      chainId: policy.chainId,
      nonce,
      to: policy.token,
      value: 0n,
      data,
      gas: gasLimit(trial.gas, caps.gas),
    };
    if (costOf(transaction) > funds.coins) {
      const message = `Payouts wait: the treasury ${account.address} has too few coins for gas. Send it coins of the chain.`;
      return { transactions, problem: new SubmissionProblem('funds', message), isLast: true };
    }
    funds.tokens -= units;
    funds.coins -= costOf(transaction);
    transactions.push({ state, transaction });
  }
  return { transactions, problem, isLast: false };
}

/** Stores why a payout waits, for the administrator. */
async function note({ store, clock }: RailContext, { payout }: PayoutState, reason: string): Promise<void> {
  if (payout.lastError === reason) return;
  await store.writeAsService((tx) => noteErrorIn(tx, { clock }, payout.payoutSeq, reason));
}

/** Lets a payout that needs too much gas wait for the administrator, unless it changed meanwhile. */
async function holdForGas(trust: RailContext, { payout }: PayoutState, problem: string): Promise<void> {
  await trust.store.writeAsService(async (tx) => {
    const state = await payoutBySeq(tx, payout.payoutSeq);
    if (state === null || state.payout.status !== payout.status || state.payout.held !== null) return;
    const { withdrawalId } = payout;
    const wayOut = `Raise evm.max_gas and run countersign payouts release ${withdrawalId}, or end it with countersign payouts fail.`;
    await holdIn(tx, trust, state, 'gas', `${problem} ${wayOut}`);
  });
}

/**
 * Stores signed transactions with the new states of their payouts, in one transaction, before any broadcast.
 * @returns the stored ones: all before the first payout that changed meanwhile, so that no nonce is left out
 */
async function store(
  trust: RailContext,
  sending: Sending,
  payouts: readonly PlannedPayout[],
): Promise<NewAttempt[]> {
  const signed: { state: PayoutState; added: NewAttempt }[] = [];
  for (const { state, transaction } of payouts)
    signed.push({ state, added: await sending.signed(transaction) });
  if (signed.length === 0) return [];
  return trust.store.writeAsService(async (tx) => {
    const stored: NewAttempt[] = [];
    for (const { state, added } of signed) {
      if (!(await mayPayIn(tx, trust, state))) break;
      await insertAttempt(tx, { payoutSeq: state.payout.payoutSeq }, added);
      stored.push(added);
    }
    return stored;
  });
}

/** Returns whether a payout has not changed since its transaction was signed; submits a queued one. */
async function mayPayIn(tx: Transaction, trust: RailContext, { payout, cut }: PayoutState): Promise<boolean> {
  const { payoutSeq, status, attempts } = payout;
  const state = await payoutBySeq(tx, payoutSeq);
  // A dispute may have held a part meanwhile, so the signed amount is too large.
  if (status === 'queued')
    return state?.cut === cut && (await submitPayoutIn(tx, trust, payoutSeq, 'evm')) !== null;
  const now = state?.payout;
  return (
    state?.isActive === true && now?.status === 'submitted' && now.held === null && now.attempts === attempts
  );
}
