import { credential, statusList } from '../../../../db/trust/credentials.ts';
import { numberingCheck, type Text, wrongRows } from '../../../platform/audit/counts.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import { SUSTAINABILITY_TYPE } from '../../../proof/credential/contexts.ts';

const sql = sqlOf({ credential, statusList });

const citations = ['evidence', 'receipts'].map((name) => {
  const log = sql.verbatim(`'${name}'`);
  return wrongRows(
    'credential',
    'it cites a checkpoint of another log',
    sql.reported()`SELECT credential_seq, ${log} AS expected, log.name AS found
      FROM credential JOIN checkpoint ON checkpoint.checkpoint_seq = ${sql.verbatim(`${name}_checkpoint_seq`)}
      JOIN log USING (log_seq) WHERE log.name <> ${log} LIMIT 100`,
  );
});

/** julianday counts in days, and 0.5 ms are 6e-9 days. */
const otherValidity = wrongRows(
  'credential',
  'its validity is not a day',
  sql.reported()`SELECT credential_seq, 1 AS expected, julianday(valid_until) - julianday(valid_from) AS found
    FROM credential
    WHERE abs(julianday(valid_until) - julianday(valid_from) - 1) > 1e-8 OR julianday(valid_from) IS NULL
    LIMIT 100`,
);

const OF_CLUSTER = sql.verbatim(`'${SUSTAINABILITY_TYPE}'`);

/** A credential is about an agent or a cluster. */
const otherType = wrongRows(
  'credential',
  'its type is for another kind of subject',
  sql.reported()`SELECT credential_seq,
      CASE WHEN cluster_seq IS NULL THEN 'a type for agents' ELSE ${OF_CLUSTER} END AS expected, type AS found
    FROM credential WHERE (cluster_seq IS NULL) = (type = ${OF_CLUSTER}) LIMIT 100`,
);

/** The checks of credentials beyond their digests. Each finds at most 100. */
export const credentialChecks = [...citations, otherValidity, otherType];

/** Lists that count other credentials than they have. */
const otherCount = (what: string, expected: Text, found: Text) =>
  wrongRows(
    'status_list',
    what,
    sql.reported()`SELECT l.list_seq, ${expected} AS expected, ${found} AS found
      FROM status_list l LEFT JOIN credential c USING (list_seq)
      GROUP BY l.list_seq HAVING ${expected} <> ${found} LIMIT 100`,
  );

const endedBefore = wrongRows(
  'status_list',
  'it ends before one of its credentials',
  sql.reported()`SELECT list_seq, max(credential.valid_until) AS expected, status_list.valid_until AS found
    FROM credential JOIN status_list USING (list_seq) GROUP BY list_seq
    HAVING max(credential.valid_until) > status_list.valid_until LIMIT 100`,
);

const otherKey = wrongRows(
  'status_list',
  'its key signs no credentials',
  sql.reported()`SELECT list_seq, 'credentials' AS expected, purpose AS found
    FROM status_list JOIN signing_key USING (key_seq) WHERE purpose <> 'credentials' LIMIT 100`,
);

/** The numbers of lists count up from 1, and no list is ever deleted. */
const missingLists = numberingCheck('status_list', 'list_seq', 'lists are missing: their numbers have gaps');

/** The checks of lists: their counts, their end, their key and their numbers. Each finds at most 100. */
export const statusListChecks = [
  otherCount(
    'issued is not the number of its credentials, with those that were deleted',
    sql.part`count(c.credential_seq) + l.deleted`,
    sql.part`l.issued`,
  ),
  otherCount(
    'revoked is not the number of its revoked credentials',
    sql.part`count(c.revoked_at)`,
    sql.part`l.revoked`,
  ),
  endedBefore,
  otherKey,
  missingLists,
];
