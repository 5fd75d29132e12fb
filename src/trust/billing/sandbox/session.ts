import type { Ids } from '../../../platform/ids.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { commonErrors } from '../../http/errors.ts';
import { eventBody, type SandboxEvent } from './events.ts';
import { wake } from './outbox.ts';
import {
  countEvents,
  insertEvent,
  type PaymentRow,
  paymentsOf,
  type SessionRow,
  sessionById,
} from './store.ts';

/** The parts of the service that the sandbox uses. */
export interface SandboxParts {
  store: Store;
  clock: Clock;
  ids: Ids;
}

/** Most events of a session that wait to be sent. */
const MAX_WAITING = 20;

/** A session with its payments, oldest first. */
export interface SandboxSession {
  session: SessionRow;
  payments: readonly PaymentRow[];
}

/** Returns a session; null for an unknown one. */
export function readSession(
  { store }: Pick<SandboxParts, 'store'>,
  sessionId: string,
): Promise<SandboxSession | null> {
  return store.read(async (snapshot) => {
    const session = await sessionById(snapshot, sessionId);
    return session === null ? null : { session, payments: await paymentsOf(snapshot, session.sessionSeq) };
  });
}

/**
 * Changes a session and stores the events of the change, in one transaction.
 * @param act changes the rows and returns the events, in their order
 * @throws ApiError not_found, invalid_state
 */
export async function change(
  { store, clock, ids }: SandboxParts,
  sessionId: string,
  act: (tx: Transaction, known: SandboxSession, now: number) => Promise<SandboxEvent[]>,
): Promise<void> {
  const eventIds = [ids.newText('evt_sandbox_', 24), ids.newText('evt_sandbox_', 24)];
  await store.writeAsService(async (tx) => {
    const session = await sessionById(tx, sessionId);
    if (session === null) throw commonErrors.not_found();
    const { sessionSeq } = session;
    if ((await countEvents(tx, sessionSeq)) >= MAX_WAITING) {
      throw commonErrors.invalid_state({
        message: `${MAX_WAITING} events of this session wait to be sent. Try again when the service has taken them.`,
      });
    }
    const now = clock.now();
    const events = await act(tx, { session, payments: await paymentsOf(tx, sessionSeq) }, now);
    await emitIn(
      tx,
      store,
      session,
      events.map((event, index) => [eventIds[index] ?? '', event] as const),
      now,
    );
  });
}

/** Stores events of a session, which are sent after the commit. */
export async function emitIn(
  tx: Transaction,
  store: Store,
  { sessionSeq }: SessionRow,
  events: readonly (readonly [eventId: string, event: SandboxEvent])[],
  now: number,
): Promise<void> {
  for (const [eventId, event] of events) {
    await insertEvent(tx, {
      eventId,
      sessionSeq,
      type: event.type,
      body: eventBody(eventId, event, now),
      nextAttemptAt: now,
      createdAt: now,
    });
  }
  tx.afterCommit(() => wake(store));
}

/** @throws ApiError invalid_state for a session that ended or has expired */
export function requireOpen({ status, expiresAt }: SessionRow, now: number): void {
  if (status === 'open' && now < expiresAt) return;
  const state = status === 'open' ? 'has expired' : `is ${status} already`;
  throw commonErrors.invalid_state({ message: `This checkout ${state}. Start a new one.` });
}

/** @throws ApiError invalid_state for a session without an active subscription */
export function requireActive({ status, subscriptionId, canceledAt }: SessionRow): void {
  if (subscriptionId !== null && status === 'paid' && canceledAt === null) return;
  throw commonErrors.invalid_state({ message: 'This checkout has no active subscription.' });
}
