/** Money in and money out: payments by card, settlements of rails, and withdrawals. */
import { bookSettlement } from '../../src/trust/payments/book-settlement.ts';
import { confirmPayout } from '../../src/trust/payments/payouts/confirm.ts';
import { failPayout } from '../../src/trust/payments/payouts/fail.ts';
import { paidSession } from './billing-app.ts';
import { agentIn, amountIn, callerFor, pick } from './ledger-choices.ts';
import { coverDebt } from './ledger-disputes.ts';
import { addAll, amountOf } from './ledger-effects.ts';
import { type Acting, type Kind, kind } from './ledger-kind.ts';
import { matureAfter } from './ledger-lots.ts';
import { type LedgerModel, required } from './ledger-model.ts';
import type { Caller } from './ledger-operations.ts';
import { NONE } from './ledger-portions.ts';
import { commitmentOf, json, operatorIdOf } from './ledger-requests.ts';
import { SECRETS, SETTLEMENT, settlementSignature } from './settlements.ts';

const RAILS = ['x402', 'stripe_agent'] as const;
export type Rail = (typeof RAILS)[number];

export type MoneyOperation =
  | { type: 'pay'; operator: number; purpose: 'credits' | 'subscription'; cents: number }
  | { type: 'settle'; rail: Rail; reference: string; agent: number; amount: unknown }
  | { type: 'book'; rail: Rail; reference: string }
  | { type: 'withdraw'; agent: number; amount: unknown }
  | { type: 'confirm' | 'fail'; withdrawal: string };

/** Most credits of one settlement, of a day, and the days until they can be withdrawn, by rail. */
const CAPS: Record<Rail, { most: number; ofDay: number; holdDays: number }> = {
  x402: { most: 30, ofDay: 150, holdDays: 0 },
  stripe_agent: { most: 100, ofDay: 200, holdDays: 2 },
};
/** Of all rails together. */
const MOST_OF_DAY = 260;
/** The days until credits that were paid by card can be withdrawn. */
const HOLD_DAYS = 7;
/** The credits of a month, paid ones and promotional ones. */
const SUBSCRIPTION = 10_000;

/** The settings that the model of the money assumes. */
export const MONEY_SETTINGS: Record<string, string> = {
  'payouts.hold_days': `${HOLD_DAYS}`,
  'payments.settlement.max_credits_per_day': `${MOST_OF_DAY}`,
  ...Object.fromEntries(
    RAILS.flatMap((rail) => {
      const { most, ofDay, holdDays } = CAPS[rail];
      return [
        [`payments.settlement.${rail}.secret`, SECRETS[rail] ?? ''],
        [`payments.settlement.${rail}.max_credits`, `${most}`],
        [`payments.settlement.${rail}.max_credits_per_day`, `${ofDay}`],
        [`payments.settlement.${rail}.hold_days`, `${holdDays}`],
      ];
    }),
  ),
};

const SERVICE: Caller = { by: 'service' };

const paying = kind('pay', {
  weight: 16,
  choose(model, { a, b }, id) {
    // Some of those that have agents, and grant what they buy.
    const bare = [...model.operators.keys()].filter(
      (index) => model.operator(index).pool.promotional === 0 && model.agentsOf(index).length > 0,
    );
    const operator = b % 3 === 0 && bare.length > 0 ? pick(bare, a) : a % model.operators.length;
    const purpose = b % 5 === 0 ? 'subscription' : 'credits';
    return { id, type: 'pay', caller: SERVICE, operator, purpose, cents: 1 + (b % 90) };
  },
  refusals: () => [],
  apply(model, { id, operator, purpose, cents }) {
    if (model.operator(operator).isClosed) {
      model.unbookedPayments += 1;
      return;
    }
    model.payments.push(operator);
    const source = { maturesAt: matureAfter(model.now(), HOLD_DAYS), payment: model.payments.length };
    const promotional = purpose === 'subscription' ? SUBSCRIPTION - cents : 0;
    model.move(null, model.poolOf(operator), { ...NONE, paid: cents, promotional }, source);
    model.purchases.push({
      operator,
      id,
      cents,
      isMonth: purpose === 'subscription',
      maturesAt: source.maturesAt,
      gone: 0,
      refunded: null,
      refunds: new Map(),
      disputes: new Map(),
      warnings: [],
    });
    coverDebt(model, operator);
  },
  writer: 'request',
  holds: true,
  async act({ app, participants }, { id, operator, purpose, cents }) {
    const metadata = {
      countersign_operator: operatorIdOf(participants, operator),
      countersign_purpose: purpose,
    };
    const subscription = purpose === 'subscription' ? { subscription: `sub_${id}` } : {};
    const event = paidSession(`cs_${id}`, cents, { metadata, ...subscription });
    const { status, body } = await app.send({ ...event, id: `evt_${id}` });
    if (status !== 200) throw new Error(`an event was returned ${status} ${JSON.stringify(body)}`);
  },
});

const keyOf = ({ rail, reference }: { rail: Rail; reference: string }) => `${rail} ${reference}`;

const settling = kind('settle', {
  weight: 20,
  choose(model, planned, id) {
    const { a, b, caller: c } = planned;
    const caller: Caller = c >= 97 ? { by: 'nobody' } : { by: 'issuer', operator: 0 };
    const agent = agentIn(model, a);
    const rail = pick(RAILS, b);
    const fresh = { id, type: 'settle', caller, rail, agent, reference: id } as const;
    const [earlier] = [...model.settlements.keys()].slice(-1 - (a % 12));
    if (b % 5 !== 0 || earlier === undefined) return { ...fresh, amount: amountIn(planned, 100) };
    // The same settlement again, or now and then another one with its reference.
    const known = required(model.settlements.get(earlier), earlier);
    const [name = '', reference = ''] = earlier.split(' ');
    const again = {
      rail: required(
        RAILS.find((one) => one === name),
        name,
      ),
      reference,
      agent: known.agent,
    };
    return { ...fresh, ...again, amount: known.credits + (a % 7 === 0 ? 1 : 0) };
  },
  refusals(rules, operation) {
    const { model } = rules;
    const invalid = rules.invalid(operation);
    if (invalid.length > 0) return invalid;
    const { rail, agent } = operation;
    const amount = amountOf(operation);
    const known = model.settlements.get(keyOf(operation));
    if (known !== undefined && (known.credits !== amount || known.agent !== agent)) return ['conflict'];
    if (known?.isBooked === true) return [];
    if (model.agent(agent).isRevoked) return ['agent_not_enrolled'];
    const { most, ofDay } = CAPS[rail];
    const day = (name: Rail) => model.settled.ofDay(name, model.now());
    const all = RAILS.reduce((sum, name) => sum + day(name), 0);
    return amount > most || day(rail) + amount > ofDay || all + amount > MOST_OF_DAY
      ? ['limit_exceeded']
      : [];
  },
  apply(model, operation) {
    if (model.settlements.get(keyOf(operation))?.isBooked !== true)
      settle(model, operation, operation.agent, amountOf(operation));
  },
  refused(model, operation, code) {
    if (code !== 'limit_exceeded') return;
    const { agent } = operation;
    model.settlements.set(keyOf(operation), {
      agent,
      credits: amountOf(operation),
      isBooked: false,
      wasOverCap: true,
    });
  },
  line: (participants, { rail, reference, agent, amount }) => ({
    method: 'POST',
    path: SETTLEMENT,
    body: { rail, reference, subject_commitment: commitmentOf(participants, agent), credits: json(amount) },
    headers: (text) => ({
      'x-settlement-signature': settlementSignature(
        text,
        SECRETS[rail] ?? '',
        Math.floor(participants.now() / 1000),
      ),
    }),
  }),
});

function settle(
  model: LedgerModel,
  operation: { rail: Rail; reference: string },
  agent: number,
  credits: number,
): void {
  const portions = { ...NONE, paid: credits };
  const maturesAt = matureAfter(model.now(), CAPS[operation.rail].holdDays);
  model.move(null, model.creditsOf(agent), portions, { maturesAt, payment: 0 });
  addAll(model.agent(agent).earned, portions);
  model.settled.add(operation.rail, model.now(), credits);
  const wasOverCap = model.settlements.has(keyOf(operation));
  model.settlements.set(keyOf(operation), { agent, credits, isBooked: true, wasOverCap });
}

const booking = kind('book', {
  weight: 5,
  choose(model, { a, b }, id) {
    const waiting = [...model.settlements].filter(([, { isBooked }]) => !isBooked);
    const [key] = waiting[a % Math.max(1, waiting.length)] ?? [...model.settlements][0] ?? ['x402 none'];
    const [name = '', reference = ''] = (b % 11 === 0 ? 'x402 none' : key).split(' ');
    const rail = required(
      RAILS.find((one) => one === name),
      name,
    );
    return { id, type: 'book', caller: SERVICE, rail, reference };
  },
  refusals({ model }, operation) {
    const known = model.settlements.get(keyOf(operation));
    // One that never exceeded a cap was never stored as unbooked.
    if (known?.wasOverCap !== true) return ['not_found'];
    if (known.isBooked) return ['invalid_state'];
    return model.agent(known.agent).isRevoked ? ['agent_not_enrolled'] : [];
  },
  apply(model, operation) {
    const { agent, credits } = required(model.settlements.get(keyOf(operation)), 'settlement');
    settle(model, operation, agent, credits);
  },
  async act({ app }, { rail, reference }) {
    await bookSettlement(app.service.trust, { rail, reference });
  },
});

const withdrawing = kind('withdraw', {
  weight: 18,
  choose(model, planned, id) {
    const agent = agentIn(model, planned.a);
    const most = planned.b % 2 === 0 ? model.withdrawable(agent) : model.agent(agent).available.paid;
    const caller = callerFor(model, planned, agent);
    return { id, type: 'withdraw', caller, agent, amount: amountIn(planned, most) };
  },
  refusals(rules, operation) {
    const { model } = rules;
    const invalid = rules.invalid(operation);
    if (invalid.length > 0) return invalid;
    const { agent } = operation;
    const amount = amountOf(operation);
    const isShort = model.agent(agent).available.paid < amount;
    const isHeld = !isShort && model.withdrawable(agent) < amount;
    return [
      ...rules.authority(operation, agent, amount),
      ...(isShort ? ['insufficient_treasury'] : isHeld ? ['credits_held'] : []),
    ];
  },
  apply(model, operation) {
    const { id, agent } = operation;
    const amount = amountOf(operation);
    model.move(model.creditsOf(agent), model.lockOf(agent, id), { ...NONE, paid: amount });
    model.withdrawals.set(id, { agent, amount, cut: 0, status: 'queued' });
    model.locks.push(id);
  },
  line: (participants, { id, agent, amount }) => ({
    method: 'POST',
    path: '/api/v1/agent-pay/withdraw',
    body: {
      subject_commitment: commitmentOf(participants, agent),
      amount: json(amount),
      reference: id,
    },
  }),
});

const ending = (type: 'confirm' | 'fail'): Kind =>
  kind(type, {
    weight: 7,
    choose(model, { a, b }, id) {
      const all = [...model.withdrawals.keys()];
      const queued = all.filter((reference) => model.withdrawal(reference).status === 'queued');
      const list = b % 9 === 0 || queued.length === 0 ? all : queued;
      const withdrawal = list.length === 0 ? 'none' : pick(list, a);
      return { id, type, caller: SERVICE, withdrawal };
    },
    refusals({ model }, { withdrawal }) {
      const known = model.withdrawals.get(withdrawal);
      if (known === undefined) return ['not_found'];
      return known.status === 'queued' ? [] : ['invalid_state'];
    },
    apply(model, { withdrawal: reference }) {
      const withdrawal = model.withdrawal(reference);
      const { agent, amount, cut } = withdrawal;
      const portions = { ...NONE, paid: amount - cut };
      const lock = model.lockOf(agent, reference);
      model.move(lock, type === 'confirm' ? null : model.creditsOf(agent), portions);
      if (type === 'confirm') addAll(model.agent(agent).spent, portions);
      withdrawal.status = type === 'confirm' ? 'confirmed' : 'failed';
    },
    async act({ app }, { id, withdrawal }) {
      const { trust } = app.service;
      const withdrawalId = await withdrawalIdOf(app, withdrawal);
      if (type === 'confirm') await confirmPayout(trust, withdrawalId, `paid by ${id}`);
      else await failPayout(trust, withdrawalId, { reason: 'simulation', isUnpaid: true });
    },
  });

async function withdrawalIdOf(app: Acting['app'], reference: string): Promise<string> {
  const [row] = await app.rows<{ id: string }>(
    `SELECT 'wdr_' || lower(hex(withdrawal_id)) AS id FROM payout WHERE reference = '${reference}'`,
  );
  return row?.id ?? 'none';
}

export const MONEY_KINDS: readonly Kind[] = [
  paying,
  settling,
  booking,
  withdrawing,
  ending('confirm'),
  ending('fail'),
];
