/**
 * Disputes and refunds as the model of the ledger has them: what the payer has back of a payment, what its
 * operator owes, and which credits are held until when. It shares no code with the product.
 */
import { type Lot, matureAfter, type Place } from './ledger-lots.ts';
import { type LedgerModel, required } from './ledger-model.ts';
import { NONE } from './ledger-portions.ts';

/** What an event says about a dispute, in the order in which the later one of a second wins. */
export const STEPS = ['created', 'lost', 'funds_withdrawn', 'won', 'funds_reinstated'] as const;
export type Step = (typeof STEPS)[number];

interface Dispute {
  /** The events that arrived. @property at milliseconds since 1970 */
  events: { step: Step; at: number; cents: number }[];
}

interface Refund {
  cents: number;
  isFailed: boolean;
  /** When the earliest of its events was made. */
  at: number;
}

/** A payment by card for credits, one for each cent. */
export interface Purchase {
  operator: number;
  /** Of the operation, which names the payment at the processor. */
  id: string;
  cents: number;
  /** A month of a subscription is never refunded here. */
  isMonth: boolean;
  maturesAt: number;
  /** What the payer has back, as it is booked. */
  gone: number;
  /** The largest sum of refunds, and when its event was made. */
  refunded: { cents: number; at: number } | null;
  refunds: Map<string, Refund>;
  disputes: Map<string, Dispute>;
  /** When events of a warning of fraud were made. */
  warnings: number[];
}

export type Told =
  | { told: 'dispute'; dispute: string; step: Step; cents: number }
  | { told: 'warning' }
  | { told: 'refunded'; cents: number }
  | { told: 'refund'; refund: string; isFailed: boolean; cents: number };

const HOLD_DAYS = 30;
const endOf = (at: number): number => matureAfter(at, HOLD_DAYS);

/** Stores what an event says about a payment, and books and holds what follows. */
export function tell(model: LedgerModel, payment: number, told: Told, at: number): void {
  const purchase = purchaseOf(model, payment);
  note(purchase, told, at);
  const gone = goneOf(purchase);
  const { operator, gone: before } = purchase;
  purchase.gone = gone;
  if (gone > before) take(model, payment, operator, gone - before);
  if (gone < before) giveBack(model, payment, operator, before - gone);
  hold(model, payment);
}

function note(purchase: Purchase, told: Told, at: number): void {
  switch (told.told) {
    case 'warning':
      purchase.warnings.push(at);
      return;
    case 'dispute': {
      const dispute = purchase.disputes.get(told.dispute) ?? { events: [] };
      dispute.events.push({ step: told.step, at, cents: told.cents });
      purchase.disputes.set(told.dispute, dispute);
      return;
    }
    case 'refunded': {
      const { cents } = told;
      const known = purchase.refunded;
      if (known === null || cents > known.cents) purchase.refunded = { cents, at };
      else if (cents === known.cents) known.at = Math.min(known.at, at);
      return;
    }
    case 'refund': {
      const { isFailed, cents } = told;
      const known = purchase.refunds.get(told.refund) ?? { isFailed, cents, at };
      const isSame = known.isFailed === isFailed;
      purchase.refunds.set(told.refund, {
        // A failure is final.
        cents: isSame ? Math.max(known.cents, cents) : isFailed ? cents : known.cents,
        isFailed: isFailed || known.isFailed,
        at: Math.min(at, known.at),
      });
    }
  }
}

/** Returns the latest of some events; of one second, the one whose step is last in `order`. */
function latest({ events }: Dispute, order: readonly (readonly Step[])[]) {
  const ranked = events
    .map(({ step, ...event }) => ({ rank: order.findIndex((steps) => steps.includes(step)), ...event }))
    .filter(({ rank }) => rank >= 0)
    .sort((one, other) => one.at - other.at || one.rank - other.rank || one.cents - other.cents);
  return ranked.at(-1) ?? null;
}

const isLost = (dispute: Dispute): boolean =>
  latest(dispute, [
    ['lost', 'funds_withdrawn'],
    ['won', 'funds_reinstated'],
  ])?.rank === 0;

const stateOf = (dispute: Dispute) =>
  latest(dispute, [['created', 'funds_withdrawn'], ['lost'], ['won', 'funds_reinstated']]);

/** Returns how much is disputed, as the newest event says. */
export const disputedCents = (dispute: Dispute): number => stateOf(dispute)?.cents ?? 0;

/** Returns when a dispute was decided for the payer of the credits; null if it was not. */
function releasedAt(dispute: Dispute): number | null {
  const state = stateOf(dispute);
  return state?.rank === 2 ? state.at : null;
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

function goneOf({ cents, refunded, refunds, disputes }: Purchase): number {
  const [failed, made] = [true, false].map((isFailed) =>
    sum([...refunds.values()].filter((one) => one.isFailed === isFailed).map((one) => one.cents)),
  );
  const lost = sum([...disputes.values()].filter(isLost).map((one) => Math.min(cents, disputedCents(one))));
  return Math.min(cents, Math.max((refunded?.cents ?? 0) - (failed ?? 0), made ?? 0) + lost);
}

/** Takes credits back: from the pool, the own agents, their queued withdrawals. The rest is owed. */
function take(model: LedgerModel, payment: number, operator: number, amount: number): void {
  const pool = model.poolOf(operator);
  let left = Math.max(0, amount - pool.balances.paid);
  const isOwn = (agent: number) => model.agent(agent).sponsor === operator;
  const agents = model.oldest.filter(isOwn);
  const spendable = agents
    .flatMap((agent, age) =>
      ofPayment(model, model.creditsOf(agent), payment).map((lot) => ({ agent, age, lot })),
    )
    .sort(
      (one, other) =>
        other.lot.maturesAt - one.lot.maturesAt || other.lot.amount - one.lot.amount || one.age - other.age,
    );
  for (const { agent, lot } of spendable) {
    const part = Math.min(left, lot.amount);
    left -= part;
    if (part > 0) collect(model, payment, agent, pool, part);
  }
  for (const agent of agents) {
    for (const reference of model.locks.filter((lock) => model.withdrawals.get(lock)?.agent === agent)) {
      const lots = ofPayment(model, model.lockOf(agent, reference), payment);
      for (const lot of lots.reverse()) {
        const part = Math.min(left, lot.amount);
        left -= part;
        if (part === 0) continue;
        cut(model, payment, reference, part);
        collect(model, payment, agent, pool, part);
      }
    }
  }
  const taken = amount - left;
  model.move(pool, null, { ...NONE, paid: taken }, null, payment);
  if (left === 0) return;
  const debtor = model.operator(operator);
  debtor.owed += left;
  if (debtor.isActive) {
    Object.assign(debtor, { isActive: false, isSuspendedByDebt: true });
    model.lookAtStandstills();
  }
  holdLater(model, operator);
}

function collect(model: LedgerModel, payment: number, agent: number, pool: Place, paid: number): void {
  const portions = { ...NONE, paid };
  model.move(model.creditsOf(agent), pool, portions, null, payment);
  model.agent(agent).spent.paid += paid;
}

/** Returns a part of a queued withdrawal to its agent. It fails if nothing is left. */
function cut(model: LedgerModel, payment: number, reference: string, paid: number): void {
  const withdrawal = model.withdrawal(reference);
  const { agent, amount } = withdrawal;
  const lock = model.lockOf(agent, reference);
  if (amount - withdrawal.cut === paid) {
    model.move(lock, model.creditsOf(agent), { ...NONE, paid });
    withdrawal.status = 'failed';
    return;
  }
  model.move(lock, model.creditsOf(agent), { ...NONE, paid }, null, payment);
  withdrawal.cut += paid;
}

function giveBack(model: LedgerModel, payment: number, operator: number, paid: number): void {
  const { maturesAt, cents } = purchaseOf(model, payment);
  const pool = model.poolOf(operator);
  model.move(null, pool, { ...NONE, paid }, { maturesAt, payment });
  let excess = sum(model.lots.named(payment, 'paid').map(({ lot }) => lot.amount)) - cents;
  for (const lot of ofPayment(model, pool, payment).reverse()) {
    const part = Math.min(lot.amount, Math.max(0, excess));
    excess -= part;
    model.lots.change(pool, 'paid', lot, part, { ...lot, payment: 0 });
  }
  coverDebt(model, operator);
}

/** Covers what an operator owes from its pool. Without a debt, a suspension for one ends. */
export function coverDebt(model: LedgerModel, operator: number): void {
  const debtor = model.operator(operator);
  const paid = Math.min(debtor.owed, debtor.pool.paid);
  if (paid > 0) {
    model.move(model.poolOf(operator), null, { ...NONE, paid });
    debtor.owed -= paid;
    holdLater(model, operator);
  }
  if (debtor.owed > 0 || !debtor.isSuspendedByDebt) return;
  Object.assign(debtor, { isActive: true, isSuspendedByDebt: false });
  model.lookAtStandstills();
}

/** What is held of the refunded payments of an operator depends on its debt. */
function holdLater(model: LedgerModel, operator: number): void {
  const now = model.now();
  for (const [index, purchase] of model.purchases.entries()) {
    const { refunded, disputes, refunds, warnings } = purchase;
    const ends = [
      ...[...disputes.values()].map(({ events }) => endOf(Math.min(...events.map(({ at }) => at)))),
      ...[...refunds.values()].map(({ at }) => endOf(at)),
      ...(warnings.length === 0 ? [] : [endOf(Math.min(...warnings))]),
    ];
    const isRecent = refunded !== null && refunded.at > now - HOLD_DAYS * 24 * 3_600_000 - 3_600_000;
    if (purchase.operator === operator && purchase.gone > 0 && (isRecent || ends.some((end) => end > now)))
      model.pendingHolds.add(index + 1);
  }
}

/** Holds the next payment for which it was left to do. */
export function holdNext(model: LedgerModel): void {
  if (model.pendingHolds.size > 0) hold(model, Math.min(...model.pendingHolds));
}

interface Part {
  cents: number;
  until: number;
}

/** Returns how many credits of a payment are held until when, the latest end first. */
function heldParts(model: LedgerModel, purchase: Purchase): Part[] {
  const { cents: all, refunds, refunded, disputes, warnings, gone, operator } = purchase;
  const now = model.now();
  const latestFirst = (parts: Part[]) =>
    parts.filter(({ until }) => until > now).sort((one, other) => other.until - one.until);
  const endOfDispute = ({ events }: Dispute) => endOf(Math.min(...events.map(({ at }) => at)));
  const disputed = [...disputes.values()].filter((dispute) => releasedAt(dispute) === null);
  const partOf = (dispute: Dispute): Part => ({
    cents: Math.min(all, disputedCents(dispute)),
    until: endOfDispute(dispute),
  });
  const made = [...refunds.values()].filter(({ isFailed }) => !isFailed);
  const reported = sum([...refunds.values()].map(({ cents }) => cents));
  const rest = refunded === null ? 0 : Math.max(0, refunded.cents - reported);
  const taken = latestFirst([
    ...disputed.filter(isLost).map(partOf),
    ...made.map(({ cents, at }) => ({ cents, until: endOf(at) })),
    ...(refunded === null ? [] : [{ cents: rest, until: endOf(refunded.at) }]),
  ]);
  const decided = Math.max(0, ...[...disputes.values()].map((dispute) => releasedAt(dispute) ?? 0));
  const isWarned = warnings.length > 0 && Math.max(...warnings) > decided;
  const open = latestFirst([
    ...disputed.filter((dispute) => !isLost(dispute)).map(partOf),
    ...(isWarned ? [{ cents: all, until: endOf(Math.min(...warnings)) }] : []),
  ]);
  let from = Math.max(0, gone - sum(taken.map(({ cents }) => cents)));
  const shares = ({ cents, until }: Part): Part => {
    const share = Math.min(all - from, cents);
    from += share;
    return { cents: share, until };
  };
  // Of what was taken, only the debt is held, to the latest end.
  let owed = model.operator(operator).owed;
  const owedParts = taken.map(shares).map(({ cents, until }) => {
    const part = Math.min(owed, cents);
    owed -= part;
    return { cents: part, until };
  });
  return [...owedParts, ...open.map(shares)].sort((one, other) => other.until - one.until);
}

/** Sets when the lots of a payment mature: those of who paid first, then what others cannot withdraw. */
function hold(model: LedgerModel, payment: number): void {
  const purchase = purchaseOf(model, payment);
  const { operator, maturesAt, refunded, refunds, disputes, warnings } = purchase;
  model.pendingHolds.delete(payment);
  if (refunded === null && refunds.size + disputes.size + warnings.length === 0) return;
  const parts = heldParts(model, purchase);
  const now = model.now();
  const lots = model.lots
    .named(payment, 'paid')
    .map(({ name, lot }) => placeOf(model, name, lot))
    .filter(({ place, lot }) => place.operator === operator || Math.max(lot.maturesAt, maturesAt) > now)
    .sort(
      (one, other) =>
        Number(one.place.operator !== operator) - Number(other.place.operator !== operator) ||
        KINDS.indexOf(one.place.kind) - KINDS.indexOf(other.place.kind) ||
        one.age - other.age ||
        one.lock - other.lock ||
        other.lot.maturesAt - one.lot.maturesAt,
    );
  const plans = lots.map(({ place, lot, withdrawal }) => {
    const changes: Part[] = [];
    for (let left = lot.amount; left > 0; ) {
      const [part] = parts;
      const cents = part === undefined ? left : Math.min(left, part.cents);
      if (cents > 0) changes.push({ cents, until: Math.max(part?.until ?? 0, maturesAt) });
      left -= cents;
      if (part !== undefined) part.cents -= cents;
      if (part?.cents === 0) parts.shift();
    }
    return { place, lot, withdrawal, changes: changes.filter(({ until }) => until !== lot.maturesAt) };
  });
  for (const { lot, withdrawal, changes } of plans) {
    if (withdrawal === null) continue;
    for (const { cents, until } of changes) {
      cut(model, payment, withdrawal, cents);
      const credits = model.creditsOf(model.withdrawal(withdrawal).agent);
      model.lots.change(credits, 'paid', lot, cents, { ...lot, maturesAt: until });
    }
  }
  const others = plans.filter(({ withdrawal }) => withdrawal === null);
  // All are taken out before any is put back, because the new lots can be equal to old ones.
  model.lots.changeAll(
    'paid',
    others.flatMap(({ place, lot, changes }) =>
      changes.map(({ cents, until }) => ({ place, lot, amount: cents, to: { ...lot, maturesAt: until } })),
    ),
  );
}

const KINDS: readonly Place['kind'][] = ['pool', 'agent', 'lock', 'unclaimed'];

/** Returns the place of a name, with what its order among others depends on. */
function placeOf(model: LedgerModel, name: string, lot: Lot) {
  const [kind = '', id = ''] = name.split(/ (.*)/);
  if (kind === 'pool') {
    const place = model.poolOf(Number(id));
    return { place, lot, age: Number(id), lock: 0, withdrawal: null };
  }
  if (kind === 'agent')
    return {
      place: model.creditsOf(Number(id)),
      lot,
      age: ageOf(model, Number(id)),
      lock: 0,
      withdrawal: null,
    };
  if (kind !== 'lock') return { place: model.unclaimedPlace, lot, age: 0, lock: 0, withdrawal: null };
  const withdrawal = model.withdrawals.get(id);
  const agent = withdrawal?.agent ?? model.task(id).hirer;
  return {
    place: model.lockOf(agent, id),
    lot,
    age: ageOf(model, agent),
    lock: model.locks.indexOf(id),
    withdrawal: withdrawal === undefined ? null : id,
  };
}

const ageOf = (model: LedgerModel, agent: number): number => model.oldest.indexOf(agent);

/** Returns the lots of a payment in a place, those that mature first before the others. */
function ofPayment(model: LedgerModel, place: Place, payment: number): Lot[] {
  return model.lots.of(place, 'paid').filter((lot) => lot.payment === payment);
}

export function purchaseOf({ purchases }: LedgerModel, payment: number): Purchase {
  return required(purchases[payment - 1], `payment ${payment}`);
}
