import { operator } from '../../../../db/trust/operators.ts';
import {
  acceptedDelivery,
  agentStanding,
  deliveryClock,
  sponsorFlow,
} from '../../../../db/trust/reputation.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ acceptedDelivery, agentStanding, deliveryClock, operator, sponsorFlow });

// Days are days since 1970-01-01 UTC.

/** The credits that passed from one sponsor to another since the first day whose deliveries count. */
const paid = (payer: string, payee: string) => sql.part`coalesce((SELECT sum(credits) FROM sponsor_flow
  WHERE payer = ${sql.verbatim(payer)} AND payee = ${sql.verbatim(payee)}
    AND day BETWEEN of_day.day - 59 AND of_day.day - 1), 0)`;

/**
 * The deliveries of agents that count, with `worker_seq` and `deliveries`: of the agents `first` to `last` of
 * the row `of_day`, on its `day`. They were accepted 30 to 59 days before. Of the n deliveries to a sponsor
 * that paid the worker's sponsor F and got B back in the 60 days before, at most 5 count, and at most
 * n × (1 − B ÷ F); none to a sponsor that is suspended. 1,000 of a pair are as many as any more.
 */
export const COUNTED_DELIVERIES = sql.part`
  SELECT worker_seq, sum(iif(f > b, min(5, min(n, 1000) * (f - b) / f), 0)) AS deliveries FROM (
    SELECT worker_seq, n, ${paid('hirer_sponsor', 'worker_sponsor')} AS f,
      ${paid('worker_sponsor', 'hirer_sponsor')} AS b
    FROM (
      SELECT worker_seq, hirer_sponsor, worker_sponsor, count(*) AS n
      FROM of_day CROSS JOIN accepted_delivery
      WHERE worker_seq BETWEEN first AND last AND +accepted_day BETWEEN day - 59 AND day - 30
      GROUP BY worker_seq, hirer_sponsor, worker_sponsor
    ) AS pair CROSS JOIN of_day
    WHERE (SELECT account_status FROM operator WHERE operator_seq = hirer_sponsor) <> 'SUSPENDED'
  ) AS flow GROUP BY worker_seq`;

/** Returns for which day deliveries are counted, and up to which agent; null before the first count. */
export const deliveryClockOf = sql.joined({
  day: deliveryClock.day,
  workerSeq: deliveryClock.workerSeq,
}).row`FROM delivery_clock`;

/** Stores for which day deliveries are counted, and up to which agent. */
export const setDeliveryClock = sql.insert(deliveryClock, {
  fixed: { one: 1 },
  end: 'ON CONFLICT (one) DO UPDATE SET day = excluded.day, worker_seq = excluded.worker_seq',
});

/**
 * Returns the next day on which deliveries begin to count, 30 days after their acceptance, or cease to, 60
 * days after it; null for none.
 */
export const nextChange = sql.value(orNull(sql.number`min(day)`))`FROM (
  SELECT min(accepted_day) + 30 AS day FROM accepted_delivery WHERE accepted_day > ${'day:acceptedDay'} - 30
  UNION ALL
  SELECT min(accepted_day) + 60 FROM accepted_delivery WHERE accepted_day > ${'day:acceptedDay'} - 60
) AS accepted_delivery`;

/** Returns the next agent after another that ever had an accepted delivery; null for none. */
export const nextWorker = sql.value(acceptedDelivery.workerSeq)`
  WHERE worker_seq > ${'after:workerSeq'} ORDER BY worker_seq LIMIT 1`;

/** Returns how many accepted deliveries of an agent count on a day; null for none. */
export const deliveriesOn = sql.value(sql.number`deliveries`, {
  scans: 'groups the deliveries of one agent in 30 days',
})`
  FROM (WITH of_day AS (SELECT ${'day:acceptedDelivery.acceptedDay'} AS day,
      ${'workerSeq:acceptedDelivery.workerSeq'} AS first, ${'workerSeq:acceptedDelivery.workerSeq'} AS last)
    ${COUNTED_DELIVERIES}) AS counted`;

/** Sets how many accepted deliveries of an agent count, and has its score computed again if that changed. */
export const setDeliveries = sql.run`
  UPDATE agent_standing SET deliveries = ${'deliveries'}, stale = 1
  WHERE agent_seq = ${'agentSeq'} AND deliveries <> ${'deliveries'}`;
