/** What the payment processor says about payments later: disputes, warnings of fraud, refunds. */
import { refunded, type TestEvent } from './billing-app.ts';
import { disputed, refund, warned } from './disputes.ts';
import { pick } from './ledger-choices.ts';
import {
  disputedCents,
  type Purchase,
  purchaseOf,
  STEPS,
  type Step,
  type Told,
  tell,
} from './ledger-disputes.ts';
import { type Acting, type Kind, kind } from './ledger-kind.ts';
import type { LedgerModel } from './ledger-model.ts';
import type { Caller, Operation, Plan } from './ledger-operations.ts';

export type DisputeOperation = {
  type: 'dispute' | 'payment refund' | 'failed refund';
  /** Its number; 0 while there is none: then the event waits for a payment that never comes. */
  payment: number;
  /** The operation that paid. */
  purchase: string;
  /** When the event was made, in seconds since 1970. */
  at: number;
  told: Told;
};

const SERVICE: Caller = { by: 'service' };
const WARNING: Told = { told: 'warning' };

/**
 * Returns a payment of an operator other than the first, which must stay active: mostly a new one, one that
 * was spent, or one about which something was told.
 */
function paymentIn(model: LedgerModel, { a, b }: Plan): number {
  const all = [...model.purchases.keys()].filter((index) => {
    const { operator, isMonth } = purchaseOf(model, index + 1);
    return operator > 0 && !isMonth;
  });
  if (all.length === 0) return 0;
  const known = all.filter((index) => hasTold(purchaseOf(model, index + 1)));
  // What the pool has no more leaves a debt.
  const spent = all.filter((index) => {
    const { operator, cents } = purchaseOf(model, index + 1);
    return model.operator(operator).pool.paid < cents;
  });
  const [some = all] = [b % 3 === 0 ? known : b % 3 === 1 ? spent : []].filter(({ length }) => length > 0);
  const list = b % 7 === 0 ? some : some.slice(-6);
  return pick(list, a) + 1;
}

const hasTold = ({ disputes, refunds, refunded: sum }: Purchase): boolean =>
  disputes.size + refunds.size > 0 || sum !== null;

/** Events have the present time, or now and then one of before. */
const timeIn = (model: LedgerModel, { a, b }: Plan): number =>
  Math.floor(model.now() / 1000) - (b % 6 === 0 ? (a % 50) * 3600 : 0);

function chosenBy(told: (purchase: Purchase, planned: Plan) => Told) {
  return (model: LedgerModel, planned: Plan) => {
    const payment = paymentIn(model, planned);
    return {
      caller: SERVICE,
      payment,
      purchase: payment === 0 ? 'none' : purchaseOf(model, payment).id,
      at: timeIn(model, planned),
      told: payment === 0 ? WARNING : told(purchaseOf(model, payment), planned),
    };
  };
}

/** Returns an amount of a payment: all, a part, or now and then more than it. */
const part = ({ cents }: Purchase, a: number): number =>
  a % 4 === 0 ? cents : a % 31 === 0 ? cents + 5 : 1 + (a % cents);

const disputing = chosenBy((purchase, { a, b, caller }) => {
  if (caller % 9 === 0) return WARNING;
  const dispute = `dp_${purchase.id}_${caller % 2}`;
  const known = purchase.disputes.get(dispute);
  const cents = known === undefined ? part(purchase, a) : disputedCents(known);
  const step: Step = known !== undefined ? pick(STEPS, b) : pick(['created', 'funds_withdrawn'], b);
  return { told: 'dispute', dispute, step, cents };
});

const refunding = chosenBy((purchase, { a, b, caller }) => {
  if (caller % 3 > 0) {
    const cents = part(purchase, a);
    return { told: 'refunded', cents: b % 2 === 0 ? cents : (purchase.refunded?.cents ?? 0) + cents };
  }
  return refundOf(purchase, a, b, false);
});

function refundOf(purchase: Purchase, a: number, b: number, isFailed: boolean): Told {
  const name = `re_${purchase.id}_${b % 3}`;
  return {
    told: 'refund',
    refund: name,
    isFailed,
    cents: purchase.refunds.get(name)?.cents ?? part(purchase, a),
  };
}

const failing = chosenBy((purchase, { a, b }) => {
  const [first] = [...purchase.refunds].filter(([, { isFailed }]) => !isFailed);
  if (first !== undefined && b % 2 === 0)
    return { told: 'refund', refund: first[0], isFailed: true, cents: first[1].cents };
  return refundOf(purchase, a, b, true);
});

const telling = (
  type: DisputeOperation['type'],
  weight: number,
  choose: (model: LedgerModel, planned: Plan) => Pick<Operation, 'caller'> & Omit<DisputeOperation, 'type'>,
): Kind =>
  kind(type, {
    weight,
    choose: (model, planned, id) => ({ id, type, ...choose(model, planned) }),
    refusals: () => [],
    apply(model, { payment, told, at }) {
      if (payment > 0) tell(model, payment, told, at * 1000);
    },
    writer: 'request',
    holds: true,
    async act(acting, { id, purchase, told, at }) {
      await send(acting, { id, purchase, at }, told);
    },
  });

/** What an event needs beside what it says. @property purchase the id of the operation that paid */
interface Sent {
  id: string;
  purchase: string;
  at: number;
}

function eventOf(intent: string, told: Told): TestEvent {
  switch (told.told) {
    case 'warning':
      return warned(intent);
    case 'refunded':
      return refunded(intent, told.cents);
    case 'refund': {
      const { refund: id, cents: amount, isFailed } = told;
      return refund(intent, isFailed ? 'failed' : 'created', {
        id,
        amount,
        status: isFailed ? 'failed' : 'succeeded',
      });
    }
    case 'dispute': {
      const { dispute: id, step, cents: amount } = told;
      const status = {
        created: 'needs_response',
        lost: 'lost',
        funds_withdrawn: 'under_review',
        won: 'won',
        funds_reinstated: 'won',
      }[step];
      return disputed(intent, step === 'lost' || step === 'won' ? 'closed' : step, { id, amount, status });
    }
  }
}

async function send({ app }: Acting, { id, purchase, at }: Sent, told: Told): Promise<void> {
  const { status, body } = await app.send({
    ...eventOf(`pi_cs_${purchase}`, told),
    id: `evt_${id}`,
    created: at,
  });
  if (status !== 200) throw new Error(`an event was returned ${status} ${JSON.stringify(body)}`);
}

export const DISPUTE_KINDS: readonly Kind[] = [
  telling('dispute', 20, disputing),
  telling('payment refund', 12, refunding),
  telling('failed refund', 5, failing),
];
