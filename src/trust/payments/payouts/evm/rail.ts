import {
  holdIn,
  LONGEST_ERROR,
  noteErrorIn,
  type PayoutState,
  payablePayouts,
  payoutBySeq,
  submittedPayouts,
} from '../queue.ts';
import {
  type NodeReport,
  type PayoutRail,
  type RailContext,
  RailUnavailable,
  type TreasuryBalance,
} from '../rail.ts';
import { stoppedSince } from '../rail-state.ts';
import { agreedProgress } from './agreement.ts';
import type { ChainView } from './chain-view.ts';
import { SubmissionProblem } from './errors.ts';
import { liveSlotsFrom } from './live-slots.ts';
import { objectionOf } from './objection.ts';
import { Refusals } from './refusals.ts';
import { settle, toResolve } from './settlement.ts';
import { insertAttempt, type NewAttempt, type OwnedSlot, slotsOfPayout } from './store.ts';
import { submit } from './submission.ts';
import { isTransferOpen } from './transfers-store.ts';
import { balanceOf, feeMarkets, type Treasury, treasuryOf } from './treasury.ts';

/** The most payouts that are submitted and have not ended. */
const MAX_IN_FLIGHT = 100;
/** After this time a round begins nothing new. */
const ROUND_MS = 5000;
/** How many payouts ask the node at the same time. */
const ASKING = 8;
/** How often a rail without work checks the node, so that health shows a problem before the first payout. */
const IDLE_CHECK_MS = 60_000;
/** How often a working rail reads the balance of the treasury, for metrics. */
const BALANCE_MS = 15_000;

/** A submitted payout and its newest slot. */
interface InFlight {
  state: PayoutState;
  slot: OwnedSlot;
}

/**
 * Returns the rail that pays by transfers of an ERC-20 token from the treasury. Every transaction is stored
 * before it is broadcast. All transactions of a payout share a nonce, until a final block has another
 * transaction with this nonce. So a payout is never paid twice, even if a crash repeats broadcasts.
 */
export function evmRail(trust: RailContext): PayoutRail {
  let checkedAt = Number.NEGATIVE_INFINITY;
  const refusals = new Refusals(trust.clock);
  let balance: TreasuryBalance | null = null;
  let balanceAt = Number.NEGATIVE_INFINITY;
  let reports: () => readonly NodeReport[] = () => [];
  return {
    name: 'evm',
    async work(steps = 'all') {
      const isIdle = await trust.store.read(async (snapshot) => {
        const submitted = await submittedPayouts(snapshot, { rail: 'evm', after: 0, limit: 1 });
        if (submitted.length > 0) return false;
        return steps === 'follow' || (await payablePayouts(snapshot, { after: 0, limit: 1 })).length === 0;
      });
      if (isIdle && steps === 'follow') return false;
      const treasury = await treasuryOf(trust);
      reports = () => treasury.reports.all;
      const isChecked = isIdle && performance.now() - checkedAt < IDLE_CHECK_MS;
      if (isChecked) {
        await refuseStopped(trust, steps);
        return false;
      }
      if (performance.now() - balanceAt >= BALANCE_MS) {
        balance = await balanceOf(treasury);
        balanceAt = performance.now();
      }
      const hasMore = await treasury.mutex.run(() => round(trust, treasury, refusals, steps));
      checkedAt = performance.now();
      return hasMore;
    },
    treasury: () => balance,
    nodes: () => reports(),
    async objectionTo({ payout }, paidBy) {
      const treasury = await treasuryOf(trust);
      return treasury.mutex.run(async () => {
        const slots = await trust.store.read((snapshot) => slotsOfPayout(snapshot, payout.payoutSeq));
        const elsewhere = slots.find(({ chainId }) => chainId !== treasury.policy.chainId);
        if (elsewhere !== undefined) return wrongChain(elsewhere, treasury);
        return objectionOf(await treasury.look(), slots, payout.address, paidBy);
      });
    },
    async mayFail({ payout }) {
      try {
        const treasury = await treasuryOf(trust);
        return await treasury.mutex.run(() => isLost(trust, treasury, payout.payoutSeq));
      } catch (error) {
        if (error instanceof RailUnavailable) return false;
        throw error;
      }
    },
  };
}

/**
 * Returns whether none of the transactions of a payout can ever be in a block.
 * @throws RailProblem, RpcError
 */
async function isLost({ store }: RailContext, treasury: Treasury, payoutSeq: number): Promise<boolean> {
  const slots = await store.read((snapshot) => slotsOfPayout(snapshot, payoutSeq));
  const newest = slots.at(-1);
  if (newest === undefined) return true;
  if (newest.chainId !== treasury.policy.chainId) return false;
  return (await agreedProgress(await treasury.look(), newest)).is === 'lost';
}

/** @throws SubmissionProblem while the rail is stopped, unless the round submits nothing anyway */
async function refuseStopped({ store }: Pick<RailContext, 'store'>, steps: 'all' | 'follow'): Promise<void> {
  if (steps === 'follow') return;
  if ((await store.read((snapshot) => stoppedSince(snapshot, 'evm'))) === null) return;
  throw new SubmissionProblem(
    'stopped',
    'The rail evm stopped, because the chain finally refused two payouts in a row. Look at them with countersign payouts list --status failed, at held ones too, then run countersign payouts resume.',
  );
}

/** Does one round. @throws RailProblem at the end of the round; RpcError */
async function round(
  trust: RailContext,
  treasury: Treasury,
  refusals: Refusals,
  steps: 'all' | 'follow',
): Promise<boolean> {
  const begun = performance.now();
  const isOver = () => performance.now() - begun > ROUND_MS;
  const view = await treasury.look();
  const inFlight = await inFlightOf(trust);
  const lost: PayoutState[] = [];
  const otherSlots: OwnedSlot[] = [];
  let ended = 0;
  const follow = async ({ state, slot }: InFlight): Promise<void> => {
    if (slot.chainId !== treasury.policy.chainId) return note(trust, state, wrongChain(slot, treasury));
    const progress = await agreedProgress(view, slot);
    if (progress.is === 'waiting' && slot.sender !== treasury.account.address) otherSlots.push(slot);
    else if (progress.is === 'unclear') await note(trust, state, unclear(slot));
    else if (progress.is === 'disputed') await note(trust, state, disputed(state, progress.said));
    else if (progress.is === 'lost' && view.size === 1) await holdLost(trust, state, slot, progress.to);
    else if (progress.is === 'lost') lost.push(state);
    else if (progress.is === 'final') {
      const problem = await settle(trust, view, state, slot.sender, progress);
      if (problem === null) ended += 1;
      else await note(trust, state, problem);
    }
  };
  for (let at = 0; at < inFlight.length && !isOver(); at += ASKING)
    await Promise.all(inFlight.slice(at, at + ASKING).map(follow));
  const refused = await push(trust, treasury, view, otherSlots);
  await refuseStopped(trust, steps);
  if (steps === 'follow') return false;
  const { hasMore, problem } = await submit(
    { trust, treasury, view, markets: await feeMarkets(view), sending: treasury.sending, refusals, isOver },
    lost,
    MAX_IN_FLIGHT - inFlight.length + ended,
  );
  if (problem !== null) throw problem;
  if (refused !== null) throw new SubmissionProblem('funds', refused);
  return hasMore;
}

/** Stores why a payout cannot continue, for the administrator. The other payouts continue. */
async function note({ store, clock }: RailContext, { payout }: PayoutState, problem: string): Promise<void> {
  if (payout.lastError === problem.slice(0, LONGEST_ERROR)) return;
  await store.writeAsService((tx) => noteErrorIn(tx, { clock }, payout.payoutSeq, problem));
}

function inFlightOf({ store }: Pick<RailContext, 'store'>): Promise<InFlight[]> {
  return store.read(async (snapshot) => {
    const states = await submittedPayouts(snapshot, { rail: 'evm', after: 0, limit: MAX_IN_FLIGHT });
    const inFlight: InFlight[] = [];
    for (const state of states) {
      const slot = (await slotsOfPayout(snapshot, state.payout.payoutSeq)).at(-1);
      if (slot !== undefined) inFlight.push({ state, slot });
    }
    return inFlight;
  });
}

/**
 * Keeps the treasury's transactions that are in no block in the node's pool, including those that a
 * reorganization removed after they were final.
 * @param otherSlots slots of an earlier treasury
 */
async function push(
  trust: RailContext,
  { account, policy, sending }: Treasury,
  view: ChainView,
  otherSlots: readonly OwnedSlot[],
): Promise<string | null> {
  const latest = await view.latestNonce(account.address);
  const treasurySlots = await trust.store.read((snapshot) =>
    liveSlotsFrom(snapshot, { chainId: policy.chainId, sender: account.address }, latest),
  );
  const waiting = [...treasurySlots, ...otherSlots];
  if (waiting.length === 0) return null;
  return sending.push(view, waiting, await feeMarkets(view), (slot, replacement) =>
    storeReplacement(trust, slot, replacement),
  );
}

/**
 * Stores a transaction that replaces one of a payout.
 * @returns false if its payout or transfer has ended
 */
function storeReplacement(
  { store }: Pick<RailContext, 'store'>,
  { owner }: OwnedSlot,
  replacement: NewAttempt,
): Promise<boolean> {
  return store.writeAsService(async (tx) => {
    if ('payoutSeq' in owner) {
      const state = await payoutBySeq(tx, owner.payoutSeq);
      if (state?.payout.status !== 'submitted') return false;
    } else if (!(await isTransferOpen(tx, owner.transferSeq))) return false;
    await insertAttempt(tx, owner, replacement);
    return true;
  });
}

/**
 * Lets a payout wait whose nonce another transaction used, as the only node says. Another nonce would pay it
 * twice if the node lies.
 */
async function holdLost(
  trust: RailContext,
  { payout }: PayoutState,
  { nonce }: OwnedSlot,
  to: string,
): Promise<void> {
  const text = `The only node says that ${to} used the nonce ${nonce}. ${toResolve(payout.withdrawalId)}`;
  if (payout.held !== null && payout.lastError === text) return;
  await trust.store.writeAsService(async (tx) => {
    const state = await payoutBySeq(tx, payout.payoutSeq);
    if (state?.payout.status === 'submitted') await holdIn(tx, trust, state, 'failure', text);
  });
}

function disputed({ payout }: PayoutState, said: string): string {
  return `The nodes of the chain disagree: ${said}. ${toResolve(payout.withdrawalId)}`;
}

function unclear({ sender, nonce }: OwnedSlot): string {
  return `The chain has used the nonce ${nonce} of ${sender}, and the node does not show for which transaction. Use a node with the states and transactions of old blocks (an archive node).`;
}

function wrongChain({ chainId }: OwnedSlot, { policy }: Treasury): string {
  return `It was submitted on the chain ${chainId}, but evm.chain_id is ${policy.chainId}. Configure its chain again until it has ended.`;
}
