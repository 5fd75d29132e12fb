import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../platform/time/clock.ts';
import type { ClockWatch } from '../../platform/time/clock-watch.ts';
import type { CredentialChanges } from '../agents/agent-records.ts';
import type { Signer } from '../log/keys/signing/signer.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';
import type { OperatorsPolicy } from '../operators/settings.ts';
import type { Events } from '../webhooks/events.ts';
import type { ReceiptAct } from './linked/record.ts';
import { receiptForPrincipal, receiptPayload } from './representation.ts';
import { signVersionIn, type UnsignedVersion } from './sign.ts';
import type { SlashingPolicy } from './slashing/settings.ts';
import type { ReceiptState } from './store.ts';

/** The parts of the service that changing a receipt needs. */
export type TransitionContext = {
  store: Store;
  clock: Clock;
  clockWatch: ClockWatch;
  signer: Signer;
  log: TrustLog;
  events: Events;
  ids: Ids;
  policy: SlashingPolicy & OperatorsPolicy;
  credentialCache: CredentialChanges;
};

/**
 * Signs a changed receipt again.
 * @returns the receipt, when it was signed, and the fields of its log entry
 */
export async function resignIn(
  tx: Transaction,
  trust: TransitionContext,
  principal: OperatorActor,
  { receipt, operatorId }: Pick<ReceiptState, 'receipt' | 'operatorId'>,
  version: UnsignedVersion,
) {
  const payload = receiptPayload({ receipt, operatorId, current: version });
  const signedAt = timestamp(trust.clock);
  const { current, kid } = await signVersionIn(tx, trust.signer, version, payload, signedAt);
  const { contentHash: content_hash, signature } = current;
  return {
    receipt: receiptForPrincipal({ receipt, operatorId, current, kid }, principal),
    signedAt,
    entry: { receipt_id: receipt.receiptId, content_hash, signature, kid },
  };
}

/** Returns the act that signed a version, as the log of accounts records it. */
export function actOf(
  event: ReceiptAct['event'],
  { operatorSeq, receiptId, agentId }: ReceiptState['receipt'],
  operatorId: string,
  { signedAt, entry }: Awaited<ReturnType<typeof resignIn>>,
): ReceiptAct {
  return {
    event,
    operatorSeq,
    operatorId,
    receiptId,
    agentId,
    contentHash: entry.content_hash,
    at: signedAt,
  };
}
