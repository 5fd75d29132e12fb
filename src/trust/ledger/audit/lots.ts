import { checkedTable, wrongRows } from '../../../platform/audit/counts.ts';
import { derived } from '../../../platform/audit/derived.ts';
import { sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({});

const KINDS = sql.verbatim("('pool', 'agent', 'locked', 'unclaimed')");

/** The sums of lots, which triggers keep for the comparison of each movement. */
const totals = derived({
  table: 'lot_total',
  key: ['kind', 'owner_seq', 'asset'],
  columns: { amount: 'amount is not the sum of its lots' },
  derives: 'rows',
  mayBeZero: true,
  query: sql.part`SELECT kind, owner_seq, asset, sum(amount) AS amount FROM credit_lot
    GROUP BY kind, owner_seq, asset`,
});

/** Up to 100 accounts whose paid credits are not the sum of their lots. */
const otherThanPaid = wrongRows(
  'credit_lot',
  'the lots of the account do not add up to its paid credits',
  sql.reported()`SELECT kind, owner_seq, coalesce(a.balance, 0) AS expected, coalesce(l.amount, 0) AS found
    FROM (SELECT kind, owner_seq, balance FROM ledger_account
        WHERE asset = 'paid' AND kind IN ${KINDS}) AS a
      FULL JOIN (SELECT kind, owner_seq, sum(amount) AS amount FROM credit_lot
        WHERE asset = 'paid' GROUP BY kind, owner_seq) AS l USING (kind, owner_seq)
    WHERE coalesce(a.balance, 0) <> coalesce(l.amount, 0) LIMIT 100`,
);

/** Up to 100 accounts with more lots than promotional credits. */
const moreThanPromotional = wrongRows(
  'credit_lot',
  'the lots of the account are more than its promotional credits',
  sql.reported()`SELECT kind, owner_seq, coalesce(a.balance, 0) AS expected, sum(l.amount) AS found
    FROM credit_lot AS l LEFT JOIN ledger_account AS a USING (kind, owner_seq, asset)
    WHERE asset = 'promotional' GROUP BY kind, owner_seq HAVING sum(l.amount) > coalesce(a.balance, 0)
    LIMIT 100`,
);

/** Up to 100 lots of an asset or an account that has none. */
const withoutAccount = wrongRows(
  'credit_lot',
  'credits of this account or asset have no lots',
  sql.reported()`SELECT kind, owner_seq, asset, 0 AS expected, sum(amount) AS found FROM credit_lot
    WHERE kind NOT IN ${KINDS} OR asset NOT IN ('paid', 'promotional')
    GROUP BY kind, owner_seq, asset LIMIT 100`,
);

/** Up to 100 payments with more lots than they bought. */
const moreThanBought = wrongRows(
  'credit_lot',
  'the lots of the payment are more than it bought',
  sql.reported()`SELECT l.payment_seq, l.asset,
      CASE WHEN p.asset = l.asset THEN p.amount WHEN l.asset = 'promotional' THEN p.promotional ELSE 0 END
        AS expected, sum(l.amount) AS found
    FROM credit_lot AS l LEFT JOIN lot_payment AS k USING (payment_seq)
      LEFT JOIN booked_payment AS p USING (payment_seq)
    WHERE payment_seq > 0 GROUP BY payment_seq, l.asset
    HAVING sum(l.amount) > coalesce(expected, 0) OR count(k.payment_seq) < count(*) LIMIT 100`,
);

/** Up to 100 lots that mature before their payment: a hold only makes the time later. */
const tooEarly = wrongRows(
  'credit_lot',
  'the lot matures before its payment',
  sql.reported()`SELECT l.kind, l.owner_seq, l.payment_seq, k.matures_at AS expected, l.matures_at AS found
    FROM credit_lot AS l JOIN lot_payment AS k USING (payment_seq)
    WHERE l.payment_seq > 0 AND l.matures_at < k.matures_at LIMIT 100`,
);

/** Up to 100 payments of another operator than the booked one. */
const otherPayers = wrongRows(
  'lot_payment',
  'operator_seq is not the operator of the payment',
  sql.reported()`SELECT k.payment_seq, p.operator_seq AS expected, k.operator_seq AS found
    FROM lot_payment AS k LEFT JOIN booked_payment AS p USING (payment_seq)
    WHERE p.operator_seq IS DISTINCT FROM k.operator_seq LIMIT 100`,
);

/** The lots that fsck audits, against the accounts and the payments. The audit of escrow compares locks. */
export const auditedLots = [
  checkedTable('lot_total', [totals]),
  checkedTable('credit_lot', [otherThanPaid, moreThanPromotional, withoutAccount, moreThanBought, tooEarly]),
  checkedTable('lot_payment', [otherPayers]),
];
