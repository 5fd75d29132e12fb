import { bookedPayment, paymentReport } from '../../../../db/trust/billing.ts';
import { operator } from '../../../../db/trust/operators.ts';
import {
  acceptedDelivery,
  agentStanding,
  clawBack,
  deliveryClock,
  hirePayment,
  sponsorFlow,
} from '../../../../db/trust/reputation.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({
  ...{ acceptedDelivery, agentStanding, clawBack, deliveryClock, hirePayment, sponsorFlow },
  ...{ bookedPayment, operator, paymentReport },
});

// Days are days since 1970-01-01 UTC.

/** The credits that passed from one sponsor to another since the first day whose deliveries count. */
const paid = (payer: string, payee: string) => sql.part`coalesce((SELECT sum(credits) FROM sponsor_flow
  WHERE payer = ${sql.verbatim(payer)} AND payee = ${sql.verbatim(payee)}
    AND day BETWEEN of_day.day - 59 AND of_day.day - 1), 0)`;

/**
 * Whether the payer has a payment back, or wants it back, that bought credits of a delivery; or whether an
 * administrator took credits back from the worker since.
 */
const TAKEN_BACK = sql.part`(EXISTS (SELECT 1 FROM claw_back
    WHERE claw_back.agent_seq = accepted_delivery.worker_seq AND claw_back.day >= accepted_delivery.accepted_day)
  OR EXISTS (
  SELECT 1 FROM hire_payment JOIN booked_payment AS bought USING (payment_seq)
  WHERE hire_payment.escrow_seq = accepted_delivery.escrow_seq
    AND (bought.usd_cents > 0 AND bought.refunded_cents = bought.usd_cents
      OR EXISTS (SELECT 1 FROM payment_report AS report WHERE report.payment_intent = bought.payment_intent
        AND report.kind = 'dispute' AND report.status <> 'released'))))`;

/**
 * The deliveries between the two sponsors of the row `pair` that may count on its day, of the first 1,000:
 * any number whose payment was taken back could come before one that counts.
 */
const OF_PAIR = sql.part`FROM (
    SELECT worker_seq, accepted_day, escrow_seq FROM accepted_delivery
    WHERE hirer_sponsor = pair.hirer_sponsor AND worker_sponsor = pair.worker_sponsor
      AND accepted_day BETWEEN pair.day - 59 AND pair.day - 30
    ORDER BY accepted_day, escrow_seq LIMIT 1000
  ) AS accepted_delivery WHERE NOT ${TAKEN_BACK}`;

/**
 * How many of the first deliveries of the row `pair` count. How many there are matters only where credits
 * came back, and 100 are as many as any more.
 */
const MOST = sql.part`
  iif(b = 0, 5, min(5, (SELECT count(*) FROM (SELECT 1 ${OF_PAIR} LIMIT 100) AS some) * (f - b) / f))`;

/**
 * The deliveries of agents that count, with `worker_seq` and `deliveries`: of the agents `first` to `last` of
 * the row `of_day`, on its `day`. They were accepted 30 to 59 days before. Of the n deliveries between two
 * sponsors, of which the hirer's paid F and got B back in the 60 days before, the first ones count: at most
 * 5, and at most n × (1 − B ÷ F). An agent that changes its sponsor has at most 5 by one hirer's sponsor. No
 * delivery counts to a sponsor that is suspended, or that an agent made for itself without a paid plan.
 */
export const COUNTED_DELIVERIES = sql.part`
  SELECT worker_seq, sum(counted) AS deliveries FROM (
    SELECT worker_seq, min(5, sum(own)) AS counted FROM (
      SELECT worker_seq, hirer_sponsor, (SELECT count(*) FROM (
          SELECT worker_seq AS worker, row_number() OVER (ORDER BY accepted_day, escrow_seq) AS rank FROM (
            SELECT worker_seq, accepted_day, escrow_seq ${OF_PAIR} ORDER BY accepted_day, escrow_seq LIMIT 5
          ) AS first_five
        ) AS ranked WHERE worker = pair.worker_seq AND rank <= ${MOST}) AS own
      FROM (
        SELECT worker_seq, hirer_sponsor, worker_sponsor, of_day.day AS day,
          ${paid('hirer_sponsor', 'worker_sponsor')} AS f, ${paid('worker_sponsor', 'hirer_sponsor')} AS b
        FROM (
          SELECT DISTINCT worker_seq, hirer_sponsor, worker_sponsor FROM of_day CROSS JOIN accepted_delivery
          WHERE worker_seq BETWEEN first AND last AND +accepted_day BETWEEN day - 59 AND day - 30
        ) AS hired CROSS JOIN of_day
        WHERE NOT EXISTS (SELECT 1 FROM operator WHERE operator_seq = hirer_sponsor
          AND (account_status = 'SUSPENDED' OR self_provisioned = 1 AND plan = 'FREE'))
      ) AS pair WHERE f > b
    ) AS of_pair GROUP BY worker_seq, hirer_sponsor
  ) AS of_hirer GROUP BY worker_seq`;

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

/** Returns how many accepted deliveries of agents count on a day, of those that have any. */
export const deliveriesOn = sql.joined(
  { workerSeq: sql.number`worker_seq`, deliveries: sql.number`deliveries` },
  { scans: 'groups the deliveries of a batch of agents in 30 days' },
).rows`
  FROM (WITH of_day AS (SELECT ${'day:acceptedDelivery.acceptedDay'} AS day,
      ${'first:acceptedDelivery.workerSeq'} AS first, ${'last:acceptedDelivery.workerSeq'} AS last)
    ${COUNTED_DELIVERIES}) AS counted`;

/** Sets how many accepted deliveries of an agent count, and has its score computed again if that changed. */
export const setDeliveries = sql.run`
  UPDATE agent_standing SET deliveries = ${'deliveries'}, stale = 1
  WHERE agent_seq = ${'agentSeq'} AND deliveries <> ${'deliveries'}`;
