import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { Events } from '../../webhooks/events.ts';
import { billingEvents } from '../events.ts';
import type { PaymentKind } from './kinds.ts';
import { entriesAfter, newestEntry } from './store.ts';
import { entryView } from './view.ts';

/** The event that tells of a new entry; null for what an operator owes, which follows from another entry. */
const EVENT_OF = {
  topup: 'payment.booked',
  subscription: 'payment.booked',
  settlement: 'payment.booked',
  refund: 'payment.refunded',
  chargeback: 'payment.refunded',
  dispute: 'payment.disputed',
  warning: 'payment.disputed',
  debt: null,
  debt_payment: null,
} as const satisfies Record<PaymentKind, keyof typeof billingEvents | null>;

/** The events, each once. */
const EVENTS = [...new Set(Object.values(EVENT_OF))].filter((event) => event !== null);

/**
 * Does something that changes payments, and tells each operator of its new entries when the transaction is
 * committed. Entries are read only if somebody listens.
 */
export async function tellingIn<Result>(
  tx: Transaction,
  { events, clock }: { events: Pick<Events, 'emitIn' | 'isHeard'>; clock: Clock },
  act: () => Promise<Result>,
): Promise<Result> {
  if (!EVENTS.some((event) => events.isHeard(event))) return act();
  const after = (await newestEntry(tx)) ?? 0;
  const result = await act();
  for (const state of await entriesAfter(tx, after)) {
    const event = EVENT_OF[state.entry.kind];
    if (event === null) continue;
    const { kind, amount, credits, reference, created_at } = entryView(state, clock.now());
    const { operatorSeq } = state.entry;
    events.emitIn(tx, billingEvents, {
      event,
      data: { kind, amount, credits, reference },
      timestamp: created_at,
      operators: operatorSeq === null ? [] : [operatorSeq],
      isPrivate: true,
    });
  }
  return result;
}
