import type { Snapshot, Transaction } from '../store/transaction.ts';

/** A delivery that is to be made. */
export interface Pending {
  deliverySeq: number;
  /** `msg_` and a UUIDv7. */
  deliveryId: string;
  eventType: string;
  /** Sent byte for byte at every attempt, since it is signed. */
  body: string;
  /** Attempts that have ended. */
  attempts: number;
  /** When the next attempt is due. */
  nextAttemptAt: string;
}

/** What is written down of an attempt that has ended. */
export interface Attempt {
  state: 'pending' | 'delivered' | 'failed';
  /** Where it went. */
  url: string;
  attempts: number;
  /** Null unless the state is `pending`. */
  nextAttemptAt: string | null;
  /** Null while the state is `pending`. */
  endedAt: string | null;
  /** HTTP status, null without an answer. */
  lastStatus: number | null;
  /** Null when it was delivered. */
  lastError: string | null;
}

export interface NewDelivery {
  deliveryId: string;
  /** The service's name for whom it is for. */
  endpoint: string;
  url: string;
  eventType: string;
  body: string;
  /** It is due at once. */
  createdAt: string;
}

/**
 * A service's table of deliveries. Dates are RFC 3339 with milliseconds and `Z`, so that text sorts by time.
 * `store.ts` implements it for every database that has the table of `outbox.sql`.
 */
export interface Outbox {
  add(tx: Transaction, delivery: NewDelivery): Promise<void>;
  /** All endpoints with pending deliveries, and when the first of each is due. */
  endpoints(snapshot: Snapshot): Promise<{ endpoint: string; dueAt: string }[]>;
  /** An endpoint's pending deliveries, those due first first, up to `rows` of them. */
  next(snapshot: Snapshot, endpoint: string, rows: number): Promise<Pending[]>;
  /** Writes down an attempt; nothing when the delivery ended meanwhile. */
  record(tx: Transaction, deliverySeq: number, attempt: Attempt): Promise<void>;
  /** Ends an endpoint's pending deliveries as failed, up to `rows` of them. @returns how many */
  giveUp(tx: Transaction, endpoint: string, error: string, endedAt: string, rows: number): Promise<number>;
  /** Removes deliveries that ended before a date, up to `rows` of them. @returns how many */
  deleteEnded(tx: Transaction, before: string, rows: number): Promise<number>;
}
