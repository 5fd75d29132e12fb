import { agent } from '../../../../db/trust/agents.ts';
import { creditLot, lotPayment } from '../../../../db/trust/ledger.ts';
import { sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ agent, creditLot, lotPayment });

export type LotRow = typeof creditLot.$inferSelect;
export type LotPaymentRow = typeof lotPayment.$inferSelect;

/** The lots of an account in an asset, of one lock. */
const OF_ACCOUNT = sql.part`kind = ${'kind'} AND owner_seq = ${'ownerSeq'} AND asset = ${'asset'}
  AND lock = ${'lock'}`;

/** Returns the first `limit` lots of an account, those that mature first before the others. */
export const firstLots = sql.rows(creditLot)`WHERE ${OF_ACCOUNT}
  ORDER BY matures_at, payment_seq LIMIT ${'limit'}`;

/** Returns the sum of the first `limit` lots of an account; null without lots. */
export const sumOfFirstLots = sql.value(sql.number`sum(amount)`)`FROM (SELECT amount FROM credit_lot
  WHERE ${OF_ACCOUNT} ORDER BY matures_at, payment_seq LIMIT ${'limit'})`;

/** Returns the sum of all lots of an account that are not locked; null without lots. */
export const sumOfLots = sql.value(sql.number`sum(amount)`)`FROM credit_lot WHERE ${OF_ACCOUNT}`;

/** Returns the lots of a payment in an account, those that mature last before the others. */
export const lotsOfPayment = sql.rows(creditLot)`WHERE ${OF_ACCOUNT} AND payment_seq = ${'paymentSeq'}
  ORDER BY matures_at DESC`;

/** Adds credits to a lot, which it makes if there is none. */
export const addToLot = sql.insert(creditLot, {
  end: `ON CONFLICT (kind, owner_seq, asset, lock, matures_at, payment_seq)
    DO UPDATE SET amount = credit_lot.amount + excluded.amount`,
});

const ITSELF = sql.part`${OF_ACCOUNT} AND matures_at = ${'maturesAt'} AND payment_seq = ${'paymentSeq'}`;

/** Takes credits from a lot that has more. */
export const takeFromLot = sql.run`UPDATE credit_lot SET amount = amount - ${'taken:creditLot.amount'}
  WHERE kind = ${'kind'} AND owner_seq = ${'ownerSeq'} AND asset = ${'asset'} AND lock = ${'lock'}
    AND matures_at = ${'maturesAt:creditLot.maturesAt'} AND payment_seq = ${'paymentSeq'}`;

/** Removes a lot. */
export const removeLot = sql.run`DELETE FROM credit_lot WHERE ${ITSELF}`;

const RUNNING = sql.part`FROM (SELECT *, sum(amount) OVER taken AS sum, row_number() OVER taken AS lots
  FROM credit_lot WHERE ${OF_ACCOUNT}
  WINDOW taken AS (ORDER BY matures_at, payment_seq ROWS UNBOUNDED PRECEDING)
  ORDER BY matures_at, payment_seq LIMIT ${'limit'}) AS credit_lot`;
const running = sql.joined(
  { lot: creditLot, sum: sql.number`sum`, lots: sql.number`lots` },
  { scans: 'up to `limit` lots of one account' },
);

/**
 * Returns the lot of the first `limit` lots of an account with which they reach an amount; null if they do
 * not reach it. `sum` and `lots` are of the lots up to it.
 */
export const reachingLot = running.row`${RUNNING} WHERE sum >= ${'amount:creditLot.amount'} LIMIT 1`;

/** Returns the last of the first `limit` lots of an account like `reachingLot`; null without lots. */
export const lastLot = running.row`${RUNNING} ORDER BY lots DESC LIMIT 1`;

const BEFORE = sql.part`${OF_ACCOUNT} AND (matures_at, payment_seq) < (${'maturesAt'}, ${'paymentSeq'})`;

/** Adds all lots of an account before one of them to the lots of another account. */
export const copyLotsBefore = sql.run`INSERT INTO credit_lot
  SELECT ${'toKind:creditLot.kind'}, ${'toOwnerSeq:creditLot.ownerSeq'}, asset, ${'toLock:creditLot.lock'},
    matures_at, payment_seq, amount
  FROM credit_lot WHERE ${BEFORE}
  ON CONFLICT (kind, owner_seq, asset, lock, matures_at, payment_seq)
    DO UPDATE SET amount = credit_lot.amount + excluded.amount`;

/** Removes all lots of an account before one of them. */
export const removeLotsBefore = sql.run`DELETE FROM credit_lot WHERE ${BEFORE}`;

/** Returns what an account has of an asset that is not mature, by time, the earliest first. */
export const unmatureLots = sql.joined({
  maturesAt: creditLot.maturesAt,
  amount: sql.number`sum(amount)`,
}).rows`FROM credit_lot WHERE ${OF_ACCOUNT} AND matures_at > ${'now:creditLot.maturesAt'}
  GROUP BY matures_at ORDER BY matures_at`;

/** Stores the operator and the maturity of a payment. */
export const insertLotPayment = sql.insert(lotPayment);

/** Lets a payment mature earlier. */
export const updateMaturity = sql.update(lotPayment, ['maturesAt'])`WHERE payment_seq = ${'paymentSeq'}`;

/** Returns the operator and the maturity of a payment; null for one from before there were lots. */
export const lotPaymentOf = sql.row(lotPayment)`WHERE payment_seq = ${'paymentSeq'}`;

/**
 * Returns the promotional credits of an account that a purchase gave and that are not mature: how many, until
 * when, and how many lots are of another operator than the sponsor of an agent.
 */
export const boundLots = sql.joined({
  amount: sql.number`coalesce(sum(amount), 0)`,
  until: sql.number`coalesce(max(credit_lot.matures_at), 0)`,
  foreign: sql.number`count(*) - count(agent_seq)`,
}).row`FROM credit_lot LEFT JOIN lot_payment USING (payment_seq)
  LEFT JOIN agent ON agent_seq = ${'payeeSeq:agent.agentSeq'} AND sponsor_seq = operator_seq
  WHERE kind = ${'kind:creditLot.kind'} AND owner_seq = ${'ownerSeq:creditLot.ownerSeq'}
    AND asset = 'promotional' AND lock = ${'lock:creditLot.lock'}
    AND credit_lot.matures_at > ${'now:creditLot.maturesAt'}`;

const OF_ONE = { scans: 'the lots of one payment' };

/**
 * Returns the lots of a payment that agents of the operator that paid can spend, with their agents, those
 * that mature last first.
 */
export const lotsOfOwnAgents = sql.joined(
  {
    agentSeq: agent.agentSeq,
    subjectCommitment: agent.subjectCommitment,
    amount: creditLot.amount,
  },
  OF_ONE,
).rows`FROM credit_lot JOIN agent ON agent_seq = owner_seq JOIN lot_payment USING (payment_seq)
  WHERE payment_seq = ${'paymentSeq:creditLot.paymentSeq'} AND payment_seq > 0 AND kind = 'agent'
    AND sponsor_seq IS operator_seq AND asset = ${'asset:creditLot.asset'}
  ORDER BY credit_lot.matures_at DESC, amount DESC, owner_seq LIMIT ${'limit'}`;

/** Returns the locked lots of a payment of the agents of the operator that paid, with their agents. */
export const lockedLotsOfOwnAgents = sql.joined({
  agentSeq: agent.agentSeq,
  subjectCommitment: agent.subjectCommitment,
  amount: creditLot.amount,
  lock: creditLot.lock,
}).rows`FROM credit_lot JOIN agent ON agent_seq = owner_seq JOIN lot_payment USING (payment_seq)
  WHERE payment_seq = ${'paymentSeq:creditLot.paymentSeq'} AND payment_seq > 0 AND kind = 'locked'
    AND sponsor_seq IS operator_seq AND asset = ${'asset:creditLot.asset'}
  ORDER BY owner_seq, lock, credit_lot.matures_at DESC LIMIT ${'limit'}`;

/**
 * Returns the lots of a payment that are locked, or that nobody can withdraw or pay others with yet, but for
 * those of the pool of its operator.
 */
export const boundLotsOfPayment = sql.rows(creditLot, OF_ONE)`WHERE payment_seq = ${'paymentSeq'}
  AND payment_seq > 0 AND (kind = 'locked' OR matures_at > ${'now:maturesAt'}) AND asset = ${'asset'}
  AND (kind <> 'pool' OR owner_seq <> ${'poolSeq:ownerSeq'}) ORDER BY matures_at LIMIT ${'limit'}`;

/** Returns lots of a payment, with whether the operator that paid or one of its agents has them. */
export const placedLots = sql.joined({
  lot: creditLot,
  isOwn: sql.flag`CASE WHEN kind = 'pool' THEN owner_seq = ${'operatorSeq:lotPayment.operatorSeq'}
      ELSE sponsor_seq IS ${'operatorSeq:lotPayment.operatorSeq'} END`,
}).rows`FROM credit_lot LEFT JOIN agent ON agent_seq = owner_seq AND kind IN ('agent', 'locked')
  WHERE payment_seq = ${'paymentSeq:creditLot.paymentSeq'} AND payment_seq > 0
    AND asset = ${'asset:creditLot.asset'} LIMIT ${'limit'}`;

/** Returns the lot of an account with a maturity and a payment; null for none. */
export const lotAt = sql.row(creditLot)`WHERE ${ITSELF}`;

/** Returns mature paid lots of no payment of an operator's pool and its agents, the largest first. */
export const unnamedLots = sql.joined({ lot: creditLot }, { scans: 'the lots of an operator' })
  .rows`FROM credit_lot WHERE asset = 'paid' AND lock = zeroblob(16) AND payment_seq = 0
    AND matures_at <= ${'now:creditLot.maturesAt'}
    AND (kind = 'pool' AND owner_seq = ${'operatorSeq:lotPayment.operatorSeq'}
      OR kind = 'agent' AND owner_seq IN (SELECT agent_seq FROM agent
        WHERE sponsor_seq = ${'operatorSeq:lotPayment.operatorSeq'}))
  ORDER BY kind DESC, amount DESC, owner_seq, matures_at LIMIT ${'limit'}`;

/** Returns lots of a payment with a maturity. */
export const lotsUntil = sql.rows(creditLot)`WHERE payment_seq = ${'paymentSeq'}
  AND payment_seq > 0 AND matures_at = ${'maturesAt'} LIMIT ${'limit'}`;

/** Returns how many credits of an asset the lots of a payment have. */
export const lotsSum = sql.value(sql.number`coalesce(sum(amount), 0)`)`FROM credit_lot
  WHERE payment_seq = ${'paymentSeq:creditLot.paymentSeq'} AND payment_seq > 0
    AND asset = ${'asset:creditLot.asset'}`;

/** Returns whether an agent is one of the operator that made a payment. */
export const isAgentOfPayer = sql.exists(lotPayment)`JOIN agent ON sponsor_seq = operator_seq
  WHERE payment_seq = ${'paymentSeq'} AND agent_seq = ${'agentSeq'}`;
