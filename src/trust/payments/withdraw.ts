import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { Once } from '../../platform/http/idempotency/once.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { digest } from '../../proof/encoding/digest.ts';
import { type AgentRow, findAgentIn, requireEnrolled } from '../agents/agents.ts';
import { commonErrors } from '../http/errors.ts';
import { creditsOf, lockedOf } from '../ledger/accounts.ts';
import { creditsIn } from '../ledger/balances.ts';
import {
  type AgentCaller,
  authorizeAgentIn,
  authorizeDebitIn,
  type DebitContext,
} from '../ledger/credits/authorization.ts';
import type { CreditsPolicy } from '../ledger/credits/settings.ts';
import { type Held, heldAmount, heldIn } from '../ledger/lots/held.ts';
import { type LedgerContext, postIn } from '../ledger/post.ts';
import { type NewWallet, newWallet } from '../ledger/wallets/keys.ts';
import { walletOf, walletOfIn } from '../ledger/wallets/wallets.ts';
import { atIssueTime } from '../log/clock/dates.ts';
import { requireAcceptedRestoreIn } from '../operators/restored/pending.ts';
import {
  issueServiceReceiptIn,
  receiptOperatorIn,
  type ServiceReceiptContext,
} from '../receipts/service-receipt.ts';
import { paymentsErrors } from './errors.ts';
import { type PayoutState, payoutByReference, queuePayoutIn, worthOf } from './payouts/queue.ts';
import type { PayoutsPolicy } from './payouts/settings.ts';
import type { WithdrawalRequest, WithdrawalResponse } from './schema.ts';

/** The parts of the service that a withdrawal uses. */
export type WithdrawalContext = DebitContext &
  LedgerContext &
  ServiceReceiptContext & { masterKey: MasterKey; readOnly: boolean; policy: CreditsPolicy & PayoutsPolicy };

/** The members of a withdrawal whose digest is the output_hash of its receipt. */
export interface WithdrawalStatement {
  withdrawal_id: string;
  subject_commitment: string;
  amount: number;
  usd_cents: number;
  reference: string;
  address: string;
}

/**
 * Withdraws paid credits of an agent: locks them, issues the receipt of the service, and queues a payout to
 * the agent's custodial wallet, in one transaction. The same reference with the same amount returns the first
 * withdrawal, as it is now.
 * @param replayed called when the response is that of an earlier withdrawal
 * @throws ApiError errors of `authorizeDebitIn` for the agent; conflict for a reference of another amount;
 * insufficient_treasury; credits_held; clock_wrong; restore_not_accepted; validation_error for fewer credits
 * than payouts.minimum, and for credits worth more than numbers can be
 */
export async function withdraw(
  trust: WithdrawalContext,
  caller: AgentCaller,
  request: WithdrawalRequest,
  once: Once,
  replayed: () => void,
): Promise<WithdrawalResponse> {
  const candidate = await walletCandidate(trust, request.subject_commitment);
  return trust.store.write(caller.authority, (tx) =>
    once(tx, async () => {
      const { subject_commitment, amount, reference } = request;
      const known = await trust.agentCache.enrolledIn(tx, subject_commitment);
      const earlier =
        known === null ? null : await payoutByReference(tx, { agentSeq: known.agentSeq, reference });
      // A repetition debits nothing.
      const agent = await (earlier === null
        ? authorizeDebitIn(tx, trust, caller, subject_commitment, amount)
        : authorizeAgentIn(tx, trust, caller, subject_commitment));
      if (earlier === null) await requireAcceptedRestoreIn(tx);
      if (earlier === null) return responseOf(await withdrawIn(tx, trust, agent, request, candidate));
      if (earlier.payout.amount !== amount) {
        throw commonErrors.conflict({
          message:
            `The agent withdrew ${earlier.payout.amount} credits with the reference ${reference} before, so nothing is withdrawn. Send a new ` +
            'reference for another withdrawal.',
        });
      }
      tx.afterCommit(replayed);
      return responseOf(earlier);
    }),
  );
}

/**
 * Makes a wallet for an agent that has none, before the transaction.
 * @throws ApiError agent_not_enrolled for one that never enrolled
 */
async function walletCandidate(
  { store, masterKey, readOnly }: WithdrawalContext,
  commitment: string,
): Promise<NewWallet | null> {
  const owner = await store.read(async (snapshot) => {
    const agent = await findAgentIn(snapshot, commitment);
    // The transaction refuses a revoked agent.
    const { agentSeq } = agent ?? requireEnrolled(agent, commitment);
    const candidateOwner = { kind: 'agent', seq: agentSeq } as const;
    return (await walletOf(snapshot, candidateOwner)) === null ? candidateOwner : null;
  });
  return owner !== null && !readOnly ? newWallet(masterKey, owner) : null;
}

async function withdrawIn(
  tx: Transaction,
  context: WithdrawalContext,
  agent: AgentRow,
  { subject_commitment, amount, reference }: WithdrawalRequest,
  candidate: NewWallet | null,
): Promise<PayoutState> {
  const trust = atIssueTime(context);
  const { payoutMinimum } = trust.policy;
  if (amount < payoutMinimum) {
    throw commonErrors.validation_error({
      issues: { amount: [`must be at least ${payoutMinimum}, the smallest withdrawal of this service`] },
    });
  }
  const { paid } = await creditsIn(tx, creditsOf(agent));
  if (paid < amount) {
    throw paymentsErrors.insufficient_treasury({
      message:
        `The agent has ${paid} paid ${paid === 1 ? 'credit' : 'credits'}, and the withdrawal needs ${amount}. Promotional and sandbox credits ` +
        'cannot be withdrawn. Send a smaller amount.',
    });
  }
  const held = await heldIn(tx, creditsOf(agent), trust.clock.now());
  const withdrawable = paid - heldAmount(held);
  if (withdrawable < amount) throw paymentsErrors.credits_held({ message: heldText(withdrawable, held) });
  const owner = { kind: 'agent', seq: agent.agentSeq } as const;
  const wallet = candidate === null ? await walletOf(tx, owner) : await walletOfIn(tx, trust, candidate);
  if (wallet === null) throw new Error(`the wallet of agent ${agent.agentSeq} is gone`);
  const withdrawalId = trust.ids.newId('wdr_');
  const { address } = wallet;
  const receipt = await issueServiceReceiptIn(tx, trust, {
    operator: await receiptOperatorIn(tx, trust, agent.sponsorSeq),
    agentId: subject_commitment,
    receiptType: 'custody',
    inputDigest: requestDigest({ subject_commitment, amount, reference }),
    outputHash: withdrawalDigest({
      withdrawal_id: withdrawalId,
      subject_commitment,
      amount,
      usd_cents: worthOf(trust, amount),
      reference,
      address,
    }),
    authorityScope: `withdrawal:${withdrawalId}`,
  });
  const { transactionId } = await postIn(tx, trust, {
    kind: 'LOCK',
    from: creditsOf(agent),
    to: lockedOf(agent),
    portions: { paid: amount },
    reference: withdrawalId,
    receipt,
  });
  const lockTransactionId = transactionId;
  return queuePayoutIn(tx, trust, {
    agent,
    amount,
    reference,
    withdrawalId,
    address,
    receipt,
    lockTransactionId,
  });
}

/** The holds that a message names one by one. */
const NAMED_HOLDS = 5;

/** Returns how much of an agent's credits cannot be withdrawn, and until when. */
function heldText(withdrawable: number, held: readonly Held[]): string {
  const [named, others] = [held.slice(0, NAMED_HOLDS), held.slice(NAMED_HOLDS)];
  const parts = named.map(({ amount, until }) => `${amount} until ${until}`);
  const last = others.at(-1);
  if (last !== undefined) parts.push(`${heldAmount(others)} until ${last.until} at the latest`);
  return (
    `Of the paid credits of the agent, ${withdrawable} can be withdrawn now. Others are held: ${parts.join(', ')}. ` +
    'Send a smaller amount, or withdraw later.'
  );
}

/** Returns the input_digest of the receipt of a withdrawal. */
export function requestDigest({ subject_commitment, amount, reference }: WithdrawalRequest): string {
  return digest(nativePrimitives, { subject_commitment, amount, reference });
}

/** Returns the output_hash of the receipt of a withdrawal, which anyone who knows its members can compute. */
export function withdrawalDigest(statement: WithdrawalStatement): string {
  return digest(nativePrimitives, { ...statement });
}

function responseOf({ payout, receiptId }: PayoutState): WithdrawalResponse {
  const { withdrawalId, reference, status } = payout;
  return { withdrawal_id: withdrawalId, receipt_id: receiptId, reference, status };
}
