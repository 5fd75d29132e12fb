import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import type { JsonObject } from '../../../proof/encoding/json.ts';
import { signedObjectMessage } from '../../../proof/keys/signed-object.ts';
import type { SignedType } from '../../../proof/keys/signed-types.ts';
import { commonErrors } from '../../http/errors.ts';
import { atIssueTime } from '../../log/clock/dates.ts';
import type { Signer } from '../../log/keys/signing/signer.ts';
import { requireOperator } from '../../operators/auth/actor.ts';
import type { Principals } from '../../operators/auth/authenticate.ts';
import { unauthorized } from '../../operators/auth/authenticate.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import { type Account, creditsOf, poolOf, REVENUE } from '../accounts.ts';
import { creditsIn } from '../balances.ts';
import { type AgentCaller, authorizeDebitIn, type DebitContext } from '../credits/authorization.ts';
import { debitScopeIn } from '../credits/scope.ts';
import { payIn } from '../post.ts';
import type { MeteringPolicy, Product } from './settings.ts';

/** The parts of the service that charging a product uses. */
export type MeterContext = DebitContext & {
  clock: Clock;
  clockWatch: ClockWatch;
  ids: Ids;
  policy: MeteringPolicy & OperatorsPolicy;
  signer: Signer;
};

/** The payer of a product. */
export interface Payer {
  /** The caller that orders the product. */
  caller: AgentCaller;
  /**
   * The agent that is to pay. With null the caller pays: the pool of an issuer key's operator, or the agent
   * of a holder key or a signature.
   */
  commitment: string | null;
}

/** A charge of an account. */
export interface Charge<Stated extends JsonObject> {
  product: Product;
  /** METER for what the service itself delivers, SPEND for what an agent pays to a merchant. */
  kind: 'METER' | 'SPEND';
  /** Returns further members of the receipt. */
  stated(charged: { meter_ref: string; credits_charged: number }): Stated;
}

/**
 * Charges a product to the account of the payer, after checking that the caller may debit it.
 * @throws ApiError unauthorized, forbidden, agent_not_enrolled and the errors of an agent's signature, as
 * `authorizeDebitIn`; scope_violation; insufficient_credits; clock_wrong
 */
export async function chargeIn(tx: Transaction, trust: MeterContext, payer: Payer, product: Product) {
  const from = await payingAccountIn(tx, trust, payer, product, trust.policy.productPrices[product]);
  return chargeAccountIn(tx, trust, from, { product, kind: 'METER', stated: () => ({}) });
}

/**
 * Charges a product: moves its price from an account to the service's revenue, and signs the meter receipt
 * with the key of purpose `credentials`. meter_ref is the id of the ledger's transaction.
 *
 * Every charge of a product goes through here. The receipt is part of the response, which is sent after the
 * commit, so nobody sees a receipt of a charge that did not become durable. The caller has authorized the
 * debit.
 * @throws ApiError insufficient_credits; clock_wrong
 */
export async function chargeAccountIn<Stated extends JsonObject>(
  tx: Transaction,
  context: MeterContext,
  from: Account,
  { product, kind, stated }: Charge<Stated>,
) {
  const trust = atIssueTime(context);
  const price = trust.policy.productPrices[product];
  const { transactionId, createdAt, portions } = await payIn(tx, trust, {
    kind,
    from,
    to: REVENUE,
    amount: price,
    reference: product,
  });
  const { promotional, paid, sandbox } = await creditsIn(tx, from);
  const charged = { meter_ref: transactionId, credits_charged: price };
  const unsigned = {
    type: 'meter' as const satisfies SignedType,
    meter_ref: transactionId,
    product,
    payer: from.name,
    credits_charged: price,
    remaining_credits: portions.sandbox > 0 ? sandbox : promotional + paid,
    // Sandbox credits cost nothing, so a reader must be able to tell.
    ...(portions.sandbox > 0 ? { sandbox: true } : {}),
    charged_at: createdAt,
    ...stated(charged),
  };
  const message = signedObjectMessage(nativePrimitives, unsigned);
  const { signature, kid, keySeq } = trust.signer.sign('credentials', message);
  await trust.signer.backdateIn(tx, keySeq, createdAt);
  return { ...unsigned, signature, kid };
}

/**
 * Returns the account that pays after checking that the caller may debit it.
 * @throws ApiError as `chargeIn`
 */
async function payingAccountIn(
  tx: Transaction,
  trust: MeterContext,
  { caller, commitment }: Payer,
  product: Product,
  price: number,
): Promise<Account> {
  const { principal, auth } = caller;
  // An agent's signature is never ignored: the agent that signed pays.
  const payer = commitment ?? auth?.commitment ?? principal?.subjectCommitment ?? null;
  if (payer !== null) {
    return creditsOf(await authorizeDebitIn(tx, trust, caller, payer, price, product));
  }
  if (principal === null) throw unauthorized();
  const operator = requireOperator(principal);
  await debitScopeIn(tx, trust, principal, { amount: price, product });
  await requireActiveIn(tx, trust, operator.operatorSeq);
  return poolOf(operator);
}

/** @throws ApiError forbidden for an operator that is suspended or closed */
async function requireActiveIn(
  tx: Transaction,
  { principals }: { principals: Principals },
  operatorSeq: number,
): Promise<void> {
  const operator = await principals.operatorIn(tx, operatorSeq);
  if (operator?.accountStatus === 'ACTIVE') return;
  throw commonErrors.forbidden({
    message:
      'The account of the operator is not active, so it can pay for nothing. Ask the administrator of the service.',
  });
}
