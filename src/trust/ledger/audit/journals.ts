import { checkedTable, wrongRows } from '../../../platform/audit/counts.ts';
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

/** What fsck checks of journals beside the movements and their sums. */
export const auditedJournals = [
  checkedTable('journal_opening', [otherMoments, withoutAccount]),
  checkedTable('journal_mark', [wrongMarks]),
];
