/**
 * Operations on the ledger as random plans, and the same with the names that they have in one state of the
 * model.
 */
import fc from 'fast-check';
import { agentIn, agentThat, amountIn, callerFor, pick, spendable, taskIn } from './ledger-choices.ts';
import type { Tranche } from './ledger-effects.ts';
import { KINDS, kindNamed, type NewOperation } from './ledger-kinds.ts';
import type { LedgerModel } from './ledger-model.ts';
import { CLASSES, type CreditClass, type Portions } from './ledger-portions.ts';

/** How a signature over a request is wrong. */
const FLAWS = ['expired', 'other path', 'other body', 'other audience', 'other key'] as const;
export type Flaw = (typeof FLAWS)[number];

/** Who sends a request. `limited` is a holder key with a spending scope; operator 0 is the administrator. */
export type Caller =
  | { by: 'issuer'; operator: number }
  | { by: 'holder' | 'limited'; agent: number }
  | { by: 'signature'; agent: number; flaw: Flaw | null }
  | { by: 'nobody' }
  | { by: 'service' };

/** An operation that can be sent. Two with one id are the same request, sent twice. */
export type Operation = { id: string; caller: Caller } & (
  | { type: 'fund'; operator: number; asset: CreditClass; amount: number }
  | { type: 'grant'; agent: number; amount: unknown }
  | { type: 'transfer'; from: number; to: number; amount: unknown; kind: 'TASK_PAYMENT' | 'PEER_GIFT' }
  | { type: 'claim'; to: number; amount: unknown }
  | {
      type: 'hire';
      via: 'engagements' | 'acp';
      task: string;
      hirer: number;
      worker: number;
      amount: unknown;
      deadline: number | null;
    }
  | { type: 'charge'; agent: number | null; product: Product; amount: number }
  | { type: 'deliver'; agent: number; task: string; digest: string; isSuccess: boolean }
  | { type: 'accept'; via: 'engagements' | 'acp'; task: string }
  | { type: 'cancel' | 'refund'; task: string }
  | { type: 'revoke'; agent: number }
  | { type: 'sponsor'; agent: number; operator: number }
  | { type: 'status'; operator: number; isActive: boolean }
  | { type: 'stake'; operator: number; cents: number }
  | { type: 'breach'; operator: number; tranche: Tranche }
  | { type: 'override'; agent: number; tier: string | null }
  | NewOperation
);

/** Numbers from which an operation is chosen in a state. */
export interface Plan {
  type: Operation['type'];
  a: number;
  b: number;
  /** Chooses the caller: mostly one who may. */
  caller: number;
  flaw: Flaw | null;
  amount: number | 'all' | 'too much' | { raw: unknown };
  /** Whether the same request is sent twice. */
  isTwice: boolean;
}

/** The types that this file chooses. */
const OWN_TYPES = [
  'fund',
  'grant',
  'transfer',
  'claim',
  'hire',
  'charge',
  'deliver',
  'accept',
  'cancel',
  'refund',
  'revoke',
  'sponsor',
  'status',
  'stake',
  'breach',
  'override',
] as const;
/** How often each type is chosen. */
const WEIGHTS: Record<(typeof OWN_TYPES)[number], number> = {
  fund: 12,
  grant: 24,
  transfer: 36,
  claim: 6,
  hire: 48,
  charge: 10,
  deliver: 32,
  accept: 32,
  cancel: 18,
  refund: 18,
  revoke: 1,
  sponsor: 2,
  status: 3,
  stake: 4,
  breach: 4,
  override: 4,
};
/** All types, with how often each is chosen. */
const CHOSEN: readonly { type: Operation['type']; weight: number }[] = [
  ...OWN_TYPES.map((type) => ({ type, weight: WEIGHTS[type] })),
  ...KINDS,
];
export const TYPES = CHOSEN.map(({ type }) => type);
/** Amounts that are none. */
const BAD = [0, -1, 1.5, '5', true, null, [5], 2 ** 53, 1e300, '1e3'];
/** The products and their prices. */
const PRODUCTS = [
  ['reputation_lookup_verified', 1],
  ['portable_credential_issuance', 10],
  ['audit_package_generation', 20],
] as const;
type Product = (typeof PRODUCTS)[number][0];
const TIERS = ['FULL', 'LIMITED', 'SHELTERED', null] as const;
const TRANCHE_NAMES = ['DATA_LEAKAGE', 'SLA_BREACH', 'LOGIC_DETECTION', 'COMPUTE_TIMEOUT'] as const;

export const plan: fc.Arbitrary<Plan> = fc.record({
  type: fc.oneof(...CHOSEN.map(({ type, weight }) => ({ weight, arbitrary: fc.constant(type) }))),
  a: fc.nat(1000),
  b: fc.nat(1000),
  caller: fc.nat(99),
  flaw: fc.oneof(
    { weight: 12, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom(...FLAWS) },
  ),
  amount: fc.oneof(
    { weight: 16, arbitrary: fc.integer({ min: 1, max: 40 }) },
    { weight: 2, arbitrary: fc.constant('all' as const) },
    { weight: 2, arbitrary: fc.constant('too much' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...BAD).map((raw) => ({ raw })) },
  ),
  isTwice: fc.nat(3).map((n) => n === 0),
});

/** Returns the operation that a plan means in this state. @param id which no other operation has */
export function chosen(model: LedgerModel, planned: Plan, id: string): Operation {
  const { type, a, b } = planned;
  const agent = agentIn(model, a);
  const other = agentIn(model, b);
  const operator = a % model.operators.length;
  const administrator: Caller = { by: 'issuer', operator: 0 };
  switch (type) {
    case 'fund':
      return { id, type, caller: { by: 'service' }, operator, ...funded(model.operator(operator).pool, b) };
    case 'grant': {
      const buyer = b % 5 < 2 ? buyerIn(model, a) : null;
      const caller: Caller =
        buyer === null ? callerFor(model, planned, agent, 'issuers') : { by: 'issuer', operator: buyer };
      const pool = caller.by === 'issuer' ? model.operator(caller.operator).pool : model.operator(0).pool;
      return { id, type, caller, agent, amount: amountIn(planned, pool.promotional + pool.paid) };
    }
    case 'transfer': {
      const amount = amountIn(planned, spendable(model, agent));
      const kind = b % 2 === 0 ? 'TASK_PAYMENT' : 'PEER_GIFT';
      return { id, type, caller: callerFor(model, planned, agent), from: agent, to: other, amount, kind };
    }
    case 'claim': {
      const { promotional, paid, sandbox } = model.unclaimed;
      const amount = amountIn(planned, Math.max(promotional + paid, sandbox));
      const caller = planned.caller < 90 ? administrator : callerFor(model, planned, agent);
      return { id, type, caller, to: agent, amount };
    }
    case 'hire': {
      const amount = amountIn(planned, spendable(model, agent));
      const isUsed = b % 12 === 0 && model.tasks.size > 0;
      const task = isUsed ? pick([...model.tasks.keys()], b) : `task-${id}`;
      const deadline = b % 3 === 0 ? model.now() + ((b % 48) + 1) * 3_600_000 : null;
      const via = a % 2 === 0 ? 'engagements' : 'acp';
      const caller = callerFor(model, planned, agent);
      return { id, type, via, caller, task, hirer: agent, worker: other, amount, deadline };
    }
    case 'charge': {
      const [product, amount] = pick(PRODUCTS, b);
      const caller = callerFor(model, planned, agent);
      // An issuer key may also let its operator pay.
      const isOwnPool = caller.by === 'issuer' && b % 4 === 0;
      return { id, type, caller, agent: isOwnPool ? null : agent, product, amount };
    }
    case 'deliver': {
      const [earlier] = model.evidence.slice(-1 - (a % 20));
      // The same evidence again: it may deliver now what it could not deliver before.
      if (b % 10 === 0 && earlier !== undefined) return { ...earlier, id };
      const task = taskIn(model, planned, 'HELD');
      const worker = model.tasks.get(task)?.worker ?? agent;
      const digest = Buffer.from(id).toString('hex').padStart(64, '0');
      return {
        id,
        type,
        caller: { by: 'service' },
        // Now and then another agent, or a failure.
        agent: b % 9 === 0 ? other : worker,
        task,
        digest,
        isSuccess: b % 7 !== 0,
      };
    }
    case 'accept': {
      const task = taskIn(model, planned, 'DELIVERED');
      const caller = callerFor(model, planned, model.tasks.get(task)?.hirer ?? agent);
      return { id, type, via: b % 2 === 0 ? 'engagements' : 'acp', caller, task };
    }
    case 'cancel': {
      const task = taskIn(model, planned, 'HELD');
      return { id, type, caller: callerFor(model, planned, model.tasks.get(task)?.hirer ?? agent), task };
    }
    case 'refund': {
      const task = taskIn(model, planned, 'DELIVERED');
      return { id, type, caller: callerFor(model, planned, model.tasks.get(task)?.worker ?? agent), task };
    }
    case 'revoke': {
      const frozen = b % 2 === 0 ? agentThat(model, a, ({ isFrozen }) => isFrozen) : null;
      return { id, type, caller: administrator, agent: frozen ?? agent };
    }
    case 'sponsor':
      return { id, type, caller: administrator, agent, operator: b % model.operators.length };
    case 'status':
      // The administrator's operator stays active: its key sends what keeps the simulation going.
      return {
        id,
        type,
        caller: { by: 'service' },
        operator: 1 + (a % (b % 3 === 0 ? model.operators.length - 1 : 3)),
        isActive: b % 5 > 0,
      };
    case 'stake':
      return { id, type, caller: { by: 'service' }, operator, cents: b % 4 === 0 ? 0 : b * 10 };
    case 'breach':
      return { id, type, caller: { by: 'issuer', operator }, operator, tranche: pick(TRANCHE_NAMES, b) };
    case 'override':
      return { id, type, caller: administrator, agent, tier: pick(TIERS, b) };
    default:
      return kindNamed(type).choose(model, planned, id);
  }
}

/** Returns an operator that grants only credits that it bought; null if there is none. */
function buyerIn(model: LedgerModel, n: number): number | null {
  const buyers = [...model.operators.keys()].filter((index) => {
    const { pool, isActive } = model.operator(index);
    return isActive && pool.paid > 0 && pool.promotional === 0;
  });
  return buyers.length === 0 ? null : pick(buyers, n);
}

/** Chooses how an administrator changes a pool. Large ones are emptied, so that pools have to suffice. */
function funded(pool: Portions, n: number): { asset: CreditClass; amount: number } {
  const asset = pick(CLASSES, n);
  const isEmptied = pool[asset] > 2_000 || n % 4 === 1;
  return { asset, amount: isEmptied && pool[asset] > 0 ? -pool[asset] : (n % 97) - 20 };
}

/** Evidence that was sent. */
export type Delivery = Operation & { type: 'deliver' };
