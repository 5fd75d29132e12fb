import type { Snapshot, Transaction } from '../store/transaction.ts';

/** A delivery that is pending. */
export interface Pending {
  deliverySeq: number;
  /** `msg_` and a UUIDv7. */
  deliveryId: string;
  eventType: string;
  /** The body of every attempt, byte for byte, since it is signed. */
  body: string;
  /** The number of completed attempts. */
  attempts: number;
  /** The time when the next attempt is due. */
  nextAttemptAt: string;
}

/** The state of a delivery after an attempt. */
export interface DeliveryUpdate {
  state: 'pending' | 'delivered' | 'failed';
  /** The URL of the receiver at that time. */
  url: string;
  attempts: number;
  /** Null unless the state is `pending`. */
  nextAttemptAt: string | null;
  /** Null while the state is `pending`. */
  endedAt: string | null;
  /** The HTTP status; null without a response. */
  lastStatus: number | null;
  /** Null when it was delivered. */
  lastError: string | null;
}

export interface NewDelivery {
  deliveryId: string;
  /** Who may list the delivery. Does not change when the receiver is replaced. */
  owner: string;
  /** The receiver's identifier within the service. */
  endpoint: string;
  url: string;
  eventType: string;
  body: string;
  /** Also the time when it is due. */
  createdAt: string;
}

/** A delivery for its owner: what became of it, without its URL and body. */
export interface ListedDelivery
  extends Pick<
    DeliveryUpdate,
    'state' | 'attempts' | 'nextAttemptAt' | 'endedAt' | 'lastStatus' | 'lastError'
  > {
  deliveryId: string;
  endpoint: string;
  eventType: string;
  createdAt: string;
}

/**
 * A service's table of deliveries. Dates are RFC 3339 with milliseconds and `Z`, so that their text sorts by
 * time. `store.ts` implements it for every database with the table of `outbox.sql`.
 */
export interface Outbox {
  add(tx: Transaction, delivery: NewDelivery): Promise<void>;
  /** Returns all receivers with pending deliveries, and when the first delivery of each is due. */
  endpoints(snapshot: Snapshot): Promise<{ endpoint: string; dueAt: string }[]>;
  /** Returns the number of pending deliveries of all receivers. */
  countPending(snapshot: Snapshot): Promise<number>;
  /** Returns up to `limit` pending deliveries of a receiver, ordered by due time. */
  pending(snapshot: Snapshot, endpoint: string, limit: number): Promise<Pending[]>;
  /** Records an attempt; does nothing if the delivery has ended meanwhile. */
  record(tx: Transaction, deliverySeq: number, attempt: DeliveryUpdate): Promise<void>;
  /** Returns the newest `limit` deliveries of an owner, newest first. */
  newest(snapshot: Snapshot, owner: string, limit: number): Promise<ListedDelivery[]>;
  /** Ends up to `limit` pending deliveries of a receiver as failed. @returns how many it ended */
  giveUp(tx: Transaction, endpoint: string, error: string, endedAt: string, limit: number): Promise<number>;
  /** Deletes up to `limit` deliveries that ended before a date. @returns how many it deleted */
  deleteEnded(tx: Transaction, before: string, limit: number): Promise<number>;
}
