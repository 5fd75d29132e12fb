import { Stripe } from 'stripe';
import type { Store } from '../../../platform/store/store.ts';
import { type Clock, signatureTime } from '../../../platform/time/clock.ts';
import { deleteEvent, dueEvents, type EventRow, postponeEvent } from './store.ts';

/** The route that takes the events. */
const ENDPOINT = '/api/billing/webhook';
/** The timeout of one attempt. */
const ATTEMPT_MS = 10_000;
/** The events of one round: one for each session. */
const AT_ONCE = 50;
/** The longest wait before another attempt; the first one is a second, and each doubles it. */
const MAX_WAIT_MS = 60_000;
/** An event that was not acknowledged for this time is dropped, as Stripe does. */
const GIVE_UP_MS = 3 * 24 * 60 * 60 * 1000;

/** The parts of the service that the sender uses. */
export interface SenderParts {
  store: Store;
  clock: Clock;
  /** Signs the events. */
  secret: string;
  /** The URL at which this process listens. */
  listener: string;
}

/** A round in which the service refused events. The scheduler logs it. */
class EventsRefused extends Error {
  override readonly name = 'EventsRefused';
}

/**
 * Sends the events of the sandbox over HTTP to the service's own endpoint, each until the service
 * acknowledges it with 2xx. The events of a session are sent in their order. An attempt without a response is
 * repeated with the same event id.
 * @throws Error when the service did not acknowledge an event
 */
export async function sendEvents(parts: SenderParts): Promise<void> {
  const { store, clock } = parts;
  const problems: string[] = [];
  for (;;) {
    const events = await store.read((snapshot) => dueEvents(snapshot, { now: clock.now(), limit: AT_ONCE }));
    if (events.length === 0) break;
    for (const event of events) {
      const problem = await send(parts, event);
      await store.writeAsService((tx) => {
        if (problem === null) return deleteEvent(tx, event.eventSeq);
        const now = clock.now();
        problems.push(`${event.type} ${event.eventId}: ${problem}`);
        if (now - event.createdAt > GIVE_UP_MS) return deleteEvent(tx, event.eventSeq);
        return postponeEvent(tx, { eventSeq: event.eventSeq, nextAttemptAt: now + waitMs(event.attempts) });
      });
    }
  }
  if (problems.length > 0) {
    throw new EventsRefused(
      `the service did not take ${problems.length} events of the sandbox, first ${problems[0]}`,
    );
  }
}

function waitMs(attempts: number): number {
  return Math.min(1000 * 2 ** Math.min(attempts, 10), MAX_WAIT_MS);
}

/** Sends an event once. @returns the problem; null if it was acknowledged */
async function send({ clock, secret, listener }: SenderParts, { body }: EventRow): Promise<string | null> {
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
    payload: body,
    secret,
    timestamp: Math.floor(signatureTime(clock) / 1000),
  });
  try {
    const response = await fetch(`${listener}${ENDPOINT}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(ATTEMPT_MS),
      // The certificate of this process is not for its local address. The body is signed.
      tls: { rejectUnauthorized: false },
    });
    await response.body?.cancel();
    return response.ok ? null : `status ${response.status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
