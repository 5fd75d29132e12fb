import { accountLeaf, linkedAccount, linkedAgent, linkedBound } from '../../../../../db/trust/linked.ts';
import { wrongRows } from '../../../../platform/audit/counts.ts';
import { derived } from '../../../../platform/audit/derived.ts';
import { sqlOf } from '../../../../platform/store/sql.ts';

const sql = sqlOf({ accountLeaf, linkedAccount, linkedAgent, linkedBound });

/** The state of an account: the number of its leaves, and what the newest one says. */
const accountStates = derived({
  table: 'linked_account',
  key: ['account_seq'],
  columns: {
    leaves: 'leaves is not the number of its leaves',
    linked: 'linked is not what its newest leaf says',
  },
  derives: 'columns',
  query: sql.part`SELECT c.account_seq, c.leaves,
      coalesce((SELECT l.event <> 'unlinked' FROM account_leaf l
        WHERE l.account_seq = c.account_seq AND l.sequence = c.leaves), 0) AS linked
    FROM (
      SELECT a.account_seq, count(l.leaf_seq) AS leaves
      FROM linked_account a LEFT JOIN account_leaf l ON l.account_seq = a.account_seq GROUP BY a.account_seq
    ) AS c`,
});

const withoutOperator = wrongRows(
  'linked_account',
  'there is no operator with this operator_seq',
  sql.reported()`SELECT a.account_seq, 'an operator' AS expected, a.operator_seq AS found
    FROM linked_account a LEFT JOIN operator o ON o.operator_seq = a.operator_seq
    WHERE a.operator_seq IS NOT NULL AND o.operator_seq IS NULL LIMIT 100`,
);

/** The number of leaves of each agent. */
const agentLeaves = derived({
  table: 'linked_agent',
  key: ['linked_agent_seq'],
  columns: { leaves: 'leaves is not the number of its leaves' },
  derives: 'columns',
  query: sql.part`SELECT g.linked_agent_seq, coalesce(l.leaves, 0) AS leaves
    FROM linked_agent g LEFT JOIN (
      SELECT linked_agent_seq, count(*) AS leaves FROM account_leaf
      WHERE linked_agent_seq IS NOT NULL GROUP BY linked_agent_seq
    ) AS l ON l.linked_agent_seq = g.linked_agent_seq`,
});

const withoutLeaf = wrongRows(
  'linked_agent',
  'it has no leaf',
  sql.reported()`SELECT linked_agent_seq, 'a leaf' AS expected, NULL AS found FROM linked_agent
    WHERE linked_agent_seq NOT IN (
      SELECT linked_agent_seq FROM account_leaf WHERE linked_agent_seq IS NOT NULL
    ) LIMIT 100`,
);

const outOfOrder = wrongRows(
  'account_leaf',
  'agent_sequence does not follow that of the leaf before of its agent',
  sql.reported()`SELECT leaf_seq, expected, found FROM (
      SELECT leaf_seq, agent_sequence AS found,
        1 + lag(agent_sequence, 1, 0) OVER (PARTITION BY linked_agent_seq ORDER BY leaf_seq) AS expected
      FROM account_leaf WHERE linked_agent_seq IS NOT NULL
    ) AS sequenced WHERE found <> expected LIMIT 100`,
);

/** The bounds that are not those of a leaf `linked` or `unlinked`. */
const misplacedBounds = wrongRows(
  'linked_bound',
  'it is not of a leaf that links or unlinks an account',
  sql.reported()`SELECT coalesce(b.leaf_seq, l.leaf_seq) AS leaf_seq, coalesce(l.event, 'no leaf') AS expected,
      b.leaf_seq AS found
    FROM (SELECT leaf_seq, event FROM account_leaf WHERE event IN ('linked', 'unlinked')) AS l
      FULL JOIN linked_bound b ON b.leaf_seq = l.leaf_seq
    WHERE l.leaf_seq IS NULL OR b.leaf_seq IS NULL LIMIT 100`,
);

/** The leaves of a log are in the order of its transactions, so no bound is below the ones before it. */
const backwardBounds = ['receipt_seq', 'receipt_leaf', 'revocation_leaf'].map((name) => {
  const column = sql.verbatim(name);
  return wrongRows(
    'linked_bound',
    `${name} is below that of an earlier leaf`,
    sql.reported()`SELECT leaf_seq, expected, found FROM (
        SELECT leaf_seq, ${column} AS found,
          max(${column}) OVER (ORDER BY leaf_seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS expected
        FROM linked_bound
      ) AS bound WHERE found < expected LIMIT 100`,
  );
});

/** The leaves `linked` and `unlinked` of known operators, each with whether the next one was recovered. */
const BOUNDS = sql.part`SELECT a.operator_seq, l.event, b.*,
    lead(l.recovered) OVER (PARTITION BY l.account_seq ORDER BY l.sequence) AS to_recovered
  FROM linked_bound b JOIN account_leaf l ON l.leaf_seq = b.leaf_seq
    JOIN linked_account a ON a.account_seq = l.account_seq
  WHERE a.operator_seq IS NOT NULL`;

/**
 * The acts of operators that were linked at some time: where each event is, and the column that counts it.
 */
const ACTS = [
  { event: 'issued', join: '', number: 'r.receipt_seq', bound: 'receipt_seq' },
  {
    event: 'finalized',
    join: 'JOIN receipt_leaf f ON f.receipt_seq = r.receipt_seq',
    number: 'f.leaf_seq',
    bound: 'receipt_leaf',
  },
  {
    event: 'revoked',
    join: 'JOIN revocation_leaf f ON f.receipt_seq = r.receipt_seq',
    number: 'f.leaf_seq',
    bound: 'revocation_leaf',
  },
] as const;

/**
 * The acts of linked operators that have no leaf. An interval that ended with a recovered leaf is left out,
 * because the bound at its end counts what the recovery found. Acts and bounds are sorted once, so that an
 * account with many intervals costs no more.
 */
export const missingLeaves = ACTS.map(({ event, join, number, bound }) =>
  wrongRows(
    'account_leaf',
    `there is no leaf of a receipt that was ${event} while its account was linked`,
    sql.reported()`WITH bound_of AS MATERIALIZED (${BOUNDS}),
      moment AS (
        SELECT operator_seq, ${sql.verbatim(bound)} AS number, leaf_seq, NULL AS receipt_seq FROM bound_of
        UNION ALL
        SELECT r.operator_seq, ${sql.verbatim(number)}, NULL, r.receipt_seq
        FROM linked_account a CROSS JOIN receipt r ON r.operator_seq = a.operator_seq ${sql.verbatim(join)}
      ),
      act AS (
        -- A bound counts what came before it.
        SELECT receipt_seq, max(leaf_seq) OVER (
          PARTITION BY operator_seq ORDER BY number, leaf_seq ROWS UNBOUNDED PRECEDING
        ) AS bound_leaf
        FROM moment
      )
      SELECT c.receipt_seq, ${sql.verbatim(`'${event}'`)} AS expected, NULL AS found
      FROM act c JOIN bound_of b ON b.leaf_seq = c.bound_leaf JOIN receipt r ON r.receipt_seq = c.receipt_seq
      WHERE b.event = 'linked' AND b.to_recovered IS NOT 1
        AND NOT EXISTS (
          SELECT 1 FROM account_leaf l
          WHERE l.receipt_id IS NOT NULL AND l.receipt_id = r.receipt_id
            AND l.event = ${sql.verbatim(`'${event}'`)}
        ) LIMIT 100`,
  ),
);

/** What is checked of the tables of linked accounts. */
export const accountChecks = [accountStates, withoutOperator, ...missingLeaves];
export const agentChecks = [agentLeaves, withoutLeaf, outOfOrder];
export const boundChecks = [misplacedBounds, ...backwardBounds];
