import { checkedTable, wrongRows } from '../../../platform/audit/counts.ts';
import { derived } from '../../../platform/audit/derived.ts';
import { sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({});

/** Up to 100 openings of another moment than the first: all were written by one statement. */
const otherMoments = wrongRows(
  'journal_opening',
  'after_seq is not that of the first opening',
  sql.reported()`SELECT kind, owner_seq, asset, first.after_seq AS expected, o.after_seq AS found
    FROM journal_opening AS o, (SELECT after_seq FROM journal_opening LIMIT 1) AS first
    WHERE o.after_seq <> first.after_seq LIMIT 100`,
);

/** Up to 100 openings of an account that does not exist. */
const withoutAccount = wrongRows(
  'journal_opening',
  'there is no account',
  sql.reported()`SELECT kind, owner_seq, asset, NULL AS expected, o.balance AS found
    FROM journal_opening AS o LEFT JOIN ledger_account AS a USING (kind, owner_seq, asset)
    WHERE a.balance IS NULL LIMIT 100`,
);

/** Up to 100 marks of a movement without an entry in the journal, or of another time. */
const wrongMarks = wrongRows(
  'journal_mark',
  'the movement has no entry in the journal, or another time',
  sql.reported()`SELECT k.kind, owner_seq, k.movement_seq, m.created_at AS expected, k.created_at AS found
    FROM journal_mark AS k LEFT JOIN movement AS m USING (movement_seq)
    WHERE k.created_at IS NOT m.created_at OR NOT (k.kind = 'pool' AND pool_hash IS NOT NULL
        AND (debit_kind = 'pool' AND debit_owner = owner_seq OR credit_kind = 'pool' AND credit_owner = owner_seq)
      OR k.kind = 'agent' AND (debit_hash IS NOT NULL AND debit_owner = owner_seq
        OR credit_hash IS NOT NULL AND credit_owner = owner_seq
        OR payer_hash IS NOT NULL AND debit_owner = owner_seq)) LIMIT 100`,
);

/** The movements after which transactions are looked for by another bisection, as a trigger stores them. */
const steps = derived({
  table: 'movement_step',
  key: ['movement_seq'],
  columns: {
    transaction_id: 'transaction_id is not that of the movement',
    before_id: 'before_id is not the larger one of the movement before it',
  },
  derives: 'rows',
  query: sql.part`SELECT movement_seq, transaction_id, before_id FROM (
      SELECT movement_seq, transaction_id, lag(transaction_id) OVER (ORDER BY movement_seq) AS before_id FROM movement
    ) AS ordered WHERE transaction_id < before_id`,
});

const AFTER = sql.part`(SELECT after_seq FROM journal_opening LIMIT 1)`;
/** Up to 100 openings with another hash: the newest entry is the one that the first one after it follows. */
const wrongHeads = wrongRows(
  'journal_opening',
  "head is not the hash of the agent's newest entry then",
  sql.reported()`WITH newest AS (
      SELECT debit_owner AS owner_seq, debit_prev AS movement_seq FROM movement
      WHERE movement_seq > ${AFTER} AND debit_kind = 'agent' AND debit_prev <= ${AFTER}
      UNION SELECT credit_owner, credit_prev FROM movement
      WHERE movement_seq > ${AFTER} AND credit_kind = 'agent' AND credit_prev <= ${AFTER}
      UNION SELECT debit_owner, payer_prev FROM movement
      WHERE movement_seq > ${AFTER} AND payer_hash IS NOT NULL AND payer_prev <= ${AFTER}
      UNION SELECT owner_seq, max(last_seq) FROM ledger_account WHERE kind = 'agent'
      GROUP BY owner_seq HAVING max(last_seq) <= ${AFTER}
    ), entry AS (
      SELECT owner_seq, iif(debit_kind = 'agent' AND debit_owner = owner_seq, debit_hash, credit_hash) AS hash
      FROM newest JOIN movement USING (movement_seq)
    ) SELECT kind, owner_seq, asset, hash AS expected, head AS found
    FROM journal_opening LEFT JOIN entry USING (owner_seq)
    WHERE kind = 'agent' AND head IS NOT hash LIMIT 100`,
);

/** What fsck checks of journals beside the movements and their sums. */
export const auditedJournals = [
  checkedTable('journal_opening', [otherMoments, withoutAccount, wrongHeads]),
  checkedTable('journal_mark', [wrongMarks]),
  checkedTable('movement_step', [steps]),
];
