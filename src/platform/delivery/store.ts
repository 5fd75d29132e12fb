import { sqlOf } from '../store/sql.ts';
import type { Outbox } from './outbox.ts';
import { delivery } from './table.ts';

const sql = sqlOf({ delivery });

/** Pending rows have a date here. The partial index has only these; SQLite uses it only with this text. */
const PENDING = sql.part`next_attempt_at IS NOT NULL`;

const add = sql.insert(delivery, {
  without: ['deliverySeq', 'endedAt', 'lastStatus', 'lastError'],
  fixed: { state: 'pending', attempts: 0, nextAttemptAt: sql.part`${'createdAt'}` },
});
const endpoints = sql.joined(
  { endpoint: delivery.endpoint, dueAt: sql.text`min(next_attempt_at)` },
  { scans: 'the pending deliveries, at a start' },
).rows`
  FROM delivery WHERE ${PENDING} GROUP BY endpoint`;
const countPending = sql.count(delivery, { scans: 'the pending deliveries' })`WHERE ${PENDING}`;
const pending = sql.joined({
  deliverySeq: delivery.deliverySeq,
  deliveryId: delivery.deliveryId,
  eventType: delivery.eventType,
  body: delivery.body,
  attempts: delivery.attempts,
  nextAttemptAt: sql.text`next_attempt_at`,
}).rows`FROM delivery WHERE ${PENDING} AND endpoint = ${'endpoint'}
  ORDER BY next_attempt_at, delivery_seq LIMIT ${'limit'}`;
const newest = sql.joined({
  deliveryId: delivery.deliveryId,
  endpoint: delivery.endpoint,
  eventType: delivery.eventType,
  state: delivery.state,
  attempts: delivery.attempts,
  nextAttemptAt: delivery.nextAttemptAt,
  createdAt: delivery.createdAt,
  endedAt: delivery.endedAt,
  lastStatus: delivery.lastStatus,
  lastError: delivery.lastError,
}).rows`FROM delivery WHERE owner = ${'owner'} ORDER BY delivery_seq DESC LIMIT ${'limit'}`;
const record = sql.update(delivery, [
  'state',
  'url',
  'attempts',
  'nextAttemptAt',
  'endedAt',
  'lastStatus',
  'lastError',
])`WHERE delivery_seq = ${'deliverySeq'} AND ${PENDING}`;
const giveUp = sql.run`UPDATE delivery
  SET state = 'failed', next_attempt_at = NULL, ended_at = ${'endedAt'}, last_error = ${'error:lastError'}
  WHERE delivery_seq IN (
    SELECT delivery_seq FROM delivery WHERE ${PENDING} AND endpoint = ${'endpoint'} LIMIT ${'limit'}
  )`;
const deleteEnded = sql.run`DELETE FROM delivery WHERE delivery_seq IN (
    SELECT delivery_seq FROM delivery WHERE ended_at < ${'before:endedAt'} LIMIT ${'limit'}
  )`;

/** The outbox of a database with the table of `outbox.sql`. */
export const outbox: Outbox = {
  async add(tx, row) {
    await add(tx, row);
  },
  endpoints,
  countPending,
  pending: (snapshot, endpoint, limit) => pending(snapshot, { endpoint, limit }),
  async record(tx, deliverySeq, attempt) {
    await record(tx, { ...attempt, deliverySeq });
  },
  newest: (snapshot, owner, limit) => newest(snapshot, { owner, limit }),
  giveUp: (tx, endpoint, error, endedAt, limit) => giveUp(tx, { endpoint, error, endedAt, limit }),
  deleteEnded: (tx, before, limit) => deleteEnded(tx, { before, limit }),
};
