import { creditsOf, lockedOf } from '../../src/trust/ledger/accounts.ts';
import { postIn } from '../../src/trust/ledger/post.ts';
import { newWallet } from '../../src/trust/ledger/wallets/keys.ts';
import { walletOfIn } from '../../src/trust/ledger/wallets/wallets.ts';
import { operatorBySeq } from '../../src/trust/operators/status.ts';
import {
  type PayoutState,
  payoutById,
  queuePayoutIn,
  worthOf,
} from '../../src/trust/payments/payouts/queue.ts';
import { requestDigest, withdrawalDigest } from '../../src/trust/payments/withdraw.ts';
import { issueServiceReceiptIn } from '../../src/trust/receipts/service-receipt.ts';
import type { CreditedAgent } from './credits.ts';
import type { TrustApp } from './trust-app.ts';

export const WITHDRAWALS = '/api/v1/agent-pay/withdrawals';

/**
 * Queues payouts of an agent's paid credits, directly in the store and in one transaction: wallet, lock,
 * receipt and payout, as a withdrawal does.
 */
export async function queuePayouts(
  { service: { trust, firstStart } }: Pick<TrustApp, 'service'>,
  { agent }: Pick<CreditedAgent, 'agent'>,
  requests: readonly { amount: number; reference: string; address?: string }[],
): Promise<PayoutState[]> {
  const owner = { kind: 'agent', seq: agent.agentSeq } as const;
  const candidate = await newWallet(trust.masterKey, owner);
  return trust.store.writeAsService(async (tx) => {
    const wallet = await walletOfIn(tx, trust, candidate);
    const sponsor = agent.sponsorSeq === null ? null : await operatorBySeq(tx, agent.sponsorSeq);
    const operator = sponsor ?? { operatorSeq: 1, operatorId: firstStart.operatorId };
    const states: PayoutState[] = [];
    const subject_commitment = agent.subjectCommitment;
    for (const { amount, reference, address = wallet.address } of requests) {
      const withdrawalId = trust.ids.newId('wdr_');
      const { transactionId } = await postIn(tx, trust, {
        kind: 'LOCK',
        from: creditsOf(agent),
        to: lockedOf(agent),
        portions: { paid: amount },
        reference: withdrawalId,
      });
      const receipt = await issueServiceReceiptIn(tx, trust, {
        operator,
        agentId: agent.subjectCommitment,
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
      states.push(
        await queuePayoutIn(tx, trust, {
          agent,
          amount,
          reference,
          withdrawalId,
          address,
          receipt,
          lockTransactionId: transactionId,
        }),
      );
    }
    return states;
  });
}

/** Queues one payout, by default of 40 credits. @returns its withdrawal_id */
export async function queuePayout(
  app: Pick<TrustApp, 'service'>,
  agent: Pick<CreditedAgent, 'agent'>,
  { amount = 40, reference = crypto.randomUUID() as string } = {},
): Promise<string> {
  const [state] = await queuePayouts(app, agent, [{ amount, reference }]);
  if (state === undefined) throw new Error('nothing was queued');
  return state.payout.withdrawalId;
}

/** Returns the payout of a withdrawal. */
export async function payoutOf(
  { service: { trust } }: Pick<TrustApp, 'service'>,
  withdrawalId: string,
): Promise<PayoutState> {
  const state = await trust.store.read((snapshot) => payoutById(snapshot, withdrawalId));
  if (state === null) throw new Error(`there is no payout ${withdrawalId}`);
  return state;
}
