import type { Static } from '@sinclair/typebox';
import { eventsOf } from '../../src/platform/module.ts';
import type { Transaction } from '../../src/platform/store/transaction.ts';
import { operatorById } from '../../src/trust/operators/status.ts';
import type { trustModules as TRUST_MODULES } from '../../src/trust/service/modules.ts';
import { trustModules } from '../../src/trust/service/modules.ts';
import type { EmittedEvent } from '../../src/trust/webhooks/events.ts';
import type { EventsOfAll } from './module-types.ts';
import type { TrustApp } from './trust-app.ts';
import { eventually } from './virtual-time.ts';

type TrustEvents = EventsOfAll<typeof TRUST_MODULES>;

/** An event of any module. */
export type TrustEvent = {
  [Name in keyof TrustEvents]: EmittedEvent<Name, Static<TrustEvents[Name]>>;
}[keyof TrustEvents];

/** The data of each event. */
export const TABLE = eventsOf(trustModules);

/** The names of all events. */
export const EVENTS = [
  'evidence.anchored',
  'enrollment.completed',
  'agent.frozen',
  'agent.unfrozen',
  'reputation.degraded',
  'reputation.restored',
  'reputation.milestone',
  'agent.revoked',
  'receipt.finalized',
  'engagement.held',
  'engagement.delivered',
  'engagement.paid',
  'engagement.cancelled',
  'engagement.declined',
  'engagement.disputed',
  'engagement.resolved',
  'engagement.expired',
  'agora.proposal',
  'payout.queued',
  'payout.confirmed',
  'payout.failed',
  'payment.booked',
  'payment.refunded',
  'payment.disputed',
] as const satisfies TrustEvent['event'][];

const COMMITMENT = '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae';

/** Creates an event from its name, the operators that it concerns, and a number that makes it unique. */
type Sample<Event> = (about: { timestamp: string; operators: readonly number[] }, count: number) => Event;

/** One function for each event. A capability with a new event adds one here, and its name to `EVENTS`. */
const SAMPLES: { [Name in TrustEvent['event']]: Sample<Extract<TrustEvent, { event: Name }>> } = {
  'evidence.anchored': (about, count) => ({
    ...about,
    event: 'evidence.anchored',
    data: {
      event_commitment_hash: count.toString(16).padStart(64, '0'),
      subject_commitment: COMMITMENT,
      source_type: 'task_deliverable',
    },
  }),
  'enrollment.completed': (about) => ({
    ...about,
    event: 'enrollment.completed',
    data: { subject_commitment: COMMITMENT, public_key: COMMITMENT, context: 'passport-v1' },
  }),
  'agent.frozen': (about, count) => ({
    ...about,
    event: 'agent.frozen',
    data: { subject_commitment: COMMITMENT, reason: `event ${count}` },
  }),
  'agent.unfrozen': (about) => ({
    ...about,
    event: 'agent.unfrozen',
    data: { subject_commitment: COMMITMENT },
  }),
  'reputation.degraded': (about, count) => ({ ...about, event: 'reputation.degraded', data: rated(count) }),
  'reputation.restored': (about, count) => ({ ...about, event: 'reputation.restored', data: rated(count) }),
  'reputation.milestone': (about, count) => ({
    ...about,
    event: 'reputation.milestone',
    data: { agent_commitment: COMMITMENT, total_evidence: count, milestone_tier: 100 },
  }),
  'agent.revoked': (about, count) => ({
    ...about,
    event: 'agent.revoked',
    data: { subject_commitment: COMMITMENT, reason: `event ${count}` },
  }),
  'receipt.finalized': (about, count) => ({
    ...about,
    event: 'receipt.finalized',
    data: { receipt_id: `rcpt_${count}`, status: 'success', content_hash: COMMITMENT },
  }),
  'engagement.held': (about, count) => ({ ...about, event: 'engagement.held', data: hired(count) }),
  'engagement.delivered': (about, count) => ({ ...about, event: 'engagement.delivered', data: hired(count) }),
  'engagement.paid': (about, count) => ({ ...about, event: 'engagement.paid', data: hired(count) }),
  'engagement.cancelled': (about, count) => ({ ...about, event: 'engagement.cancelled', data: hired(count) }),
  'engagement.declined': (about, count) => ({ ...about, event: 'engagement.declined', data: hired(count) }),
  'engagement.disputed': (about, count) => ({ ...about, event: 'engagement.disputed', data: hired(count) }),
  'engagement.resolved': (about, count) => ({ ...about, event: 'engagement.resolved', data: hired(count) }),
  'engagement.expired': (about, count) => ({ ...about, event: 'engagement.expired', data: hired(count) }),
  'agora.proposal': (about, count) => ({
    ...about,
    event: 'agora.proposal',
    data: {
      proposal_id: `agora_${count}`,
      action: 'propose',
      from_commitment: COMMITMENT,
      to_commitment: COMMITMENT,
    },
  }),
  'payout.queued': (about, count) => ({ ...about, event: 'payout.queued', data: withdrawn(count) }),
  'payout.confirmed': (about, count) => ({ ...about, event: 'payout.confirmed', data: withdrawn(count) }),
  'payout.failed': (about, count) => ({ ...about, event: 'payout.failed', data: withdrawn(count) }),
  'payment.booked': (about, count) => ({ ...about, event: 'payment.booked', data: paid(count) }),
  'payment.refunded': (about, count) => ({ ...about, event: 'payment.refunded', data: paid(count) }),
  'payment.disputed': (about, count) => ({ ...about, event: 'payment.disputed', data: paid(count) }),
};

const hired = (count: number) => ({
  task_id: `task ${count}`,
  hirer_commitment: COMMITMENT,
  worker_commitment: COMMITMENT,
  amount: count,
  status: 'HELD' as const,
});

const withdrawn = (count: number) => ({
  withdrawal_id: `wdr_${count}`,
  subject_commitment: COMMITMENT,
  amount: count,
});

const paid = (count: number) => ({
  kind: 'topup' as const,
  amount: count,
  credits: count,
  reference: 'cs_1',
});

const rated = (count: number) => ({
  agent_commitment: COMMITMENT,
  current_failure_rate: 0.3,
  reason: `event ${count}`,
});

/** Returns an event for the operators with these numbers. */
export function eventOf(event: TrustEvent['event'], operators: readonly number[], count = 100): TrustEvent {
  return SAMPLES[event]({ timestamp: '2026-01-01T00:00:00.000Z', operators }, count);
}

/** Returns the number of an operator by its id; by default the first. */
export async function operatorSeqOf(
  { service }: TrustApp,
  id = service.firstStart.operatorId,
): Promise<number> {
  const row = await service.trust.store.read((snapshot) => operatorById(snapshot, id));
  return row?.operatorSeq ?? 0;
}

/** Emits events, all in one transaction without other writes. */
export function emit({ service }: TrustApp, ...events: TrustEvent[]): Promise<void> {
  const { store, events: bus } = service.trust;
  return store.writeAsService((tx: Transaction) => {
    for (const event of events) bus.emitIn(tx, TABLE, event);
  });
}

export interface Delivery {
  id: string;
  event: string;
  created_at: string;
  ended_at: string | null;
  status: number | null;
  error: string | null;
}

/** Waits until this number of deliveries is listed. @returns the deliveries, newest first */
export async function deliveries(app: TrustApp, id: unknown, count: number): Promise<Delivery[]> {
  let found: Delivery[] = [];
  await eventually(async () => {
    await app.service.webhooks.flush();
    const { body } = await app.own.get(`/api/v1/webhooks/${id}/deliveries?limit=100`);
    found = Object(body).deliveries;
    return found.length >= count;
  });
  return found;
}
