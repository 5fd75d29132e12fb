import { wrongRows } from '../../../../platform/audit/counts.ts';
import type { Snapshot } from '../../../../platform/store/transaction.ts';
import type { Problem } from '../../../../proof/log/problem.ts';

/** The events of leaves that belong to no receipt. */
const OF_ACCOUNTS = "('linked', 'unlinked')";

/** Returns some of the accounts whose state is not that of their leaves. */
export async function wrongAccounts(snapshot: Snapshot): Promise<Problem[]> {
  const counted = await wrongRows(
    snapshot,
    'linked_account',
    'leaves is not the number of its leaves',
    `SELECT a.account_seq, count(l.leaf_seq) AS expected, a.leaves AS found
     FROM linked_account a LEFT JOIN account_leaf l ON l.account_seq = a.account_seq
     GROUP BY a.account_seq HAVING expected <> found LIMIT 100`,
  );
  const linked = await wrongRows(
    snapshot,
    'linked_account',
    'linked is not what its newest leaf says',
    `SELECT a.account_seq, l.event <> 'unlinked' AS expected, a.linked AS found
     FROM linked_account a JOIN account_leaf l ON l.account_seq = a.account_seq AND l.sequence = a.leaves
     WHERE expected <> found LIMIT 100`,
  );
  const orphaned = await wrongRows(
    snapshot,
    'linked_account',
    'there is no operator with this operator_seq',
    `SELECT a.account_seq, 'an operator' AS expected, a.operator_seq AS found
     FROM linked_account a LEFT JOIN operator o ON o.operator_seq = a.operator_seq
     WHERE a.operator_seq IS NOT NULL AND o.operator_seq IS NULL LIMIT 100`,
  );
  return [...counted, ...linked, ...orphaned];
}

/** Returns some of the agents with a wrong count of leaves, and of the leaves out of their agent's order. */
export async function wrongAgents(snapshot: Snapshot): Promise<Problem[]> {
  const counted = await wrongRows(
    snapshot,
    'linked_agent',
    'leaves is not the number of its leaves',
    `SELECT g.linked_agent_seq, coalesce(l.leaves, 0) AS expected, g.leaves AS found
     FROM linked_agent g LEFT JOIN (
       SELECT linked_agent_seq, count(*) AS leaves FROM account_leaf WHERE linked_agent_seq IS NOT NULL GROUP BY 1
     ) l ON l.linked_agent_seq = g.linked_agent_seq
     WHERE expected <> found OR expected = 0 LIMIT 100`,
  );
  const ordered = await wrongRows(
    snapshot,
    'account_leaf',
    'agent_sequence does not follow that of the leaf before of its agent',
    `SELECT leaf_seq, expected, found FROM (
       SELECT leaf_seq, agent_sequence AS found,
         1 + lag(agent_sequence, 1, 0) OVER (PARTITION BY linked_agent_seq ORDER BY leaf_seq) AS expected
       FROM account_leaf WHERE linked_agent_seq IS NOT NULL
     ) WHERE found <> expected LIMIT 100`,
  );
  return [...counted, ...ordered];
}

/** Returns some of the bounds that are not those of a leaf `linked` or `unlinked`, or that go back. */
export async function wrongBounds(snapshot: Snapshot): Promise<Problem[]> {
  const placed = await wrongRows(
    snapshot,
    'linked_bound',
    'it is not of a leaf that links or unlinks an account',
    `SELECT coalesce(b.leaf_seq, l.leaf_seq) AS leaf_seq, coalesce(l.event, 'no leaf') AS expected, b.leaf_seq AS found
     FROM (SELECT leaf_seq, event FROM account_leaf WHERE event IN ${OF_ACCOUNTS}) l FULL JOIN linked_bound b USING (leaf_seq)
     WHERE l.leaf_seq IS NULL OR b.leaf_seq IS NULL LIMIT 100`,
  );
  // The leaves of a log are in the order of its transactions, so no bound is below the ones before it.
  const ordered: Problem[] = [];
  for (const column of ['receipt_seq', 'receipt_leaf', 'revocation_leaf']) {
    const problems = await wrongRows(
      snapshot,
      'linked_bound',
      `${column} is below that of an earlier leaf`,
      `SELECT leaf_seq, expected, found FROM (
         SELECT leaf_seq, ${column} AS found,
           max(${column}) OVER (ORDER BY leaf_seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS expected FROM linked_bound
       ) WHERE found < expected LIMIT 100`,
    );
    ordered.push(...problems);
  }
  return [...placed, ...ordered];
}

/** The leaves `linked` and `unlinked` of known operators, each with whether the next one was recovered. */
const BOUNDS = `
  SELECT a.operator_seq, l.event, b.*, lead(l.recovered) OVER (PARTITION BY l.account_seq ORDER BY l.sequence) AS to_recovered
  FROM linked_bound b JOIN account_leaf l ON l.leaf_seq = b.leaf_seq JOIN linked_account a ON a.account_seq = l.account_seq
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
 * Returns some of the acts of linked operators that have no leaf. An interval that ended with a recovered
 * leaf is left out, because the bound at its end counts what the recovery found. Acts and bounds are sorted
 * once, so that an account with many intervals costs no more.
 */
export async function missingLeaves(snapshot: Snapshot): Promise<Problem[]> {
  const missing: Problem[] = [];
  for (const { event, join, number, bound } of ACTS) {
    const problems = await wrongRows(
      snapshot,
      'account_leaf',
      `there is no leaf of a receipt that was ${event} while its account was linked`,
      `WITH bound_of AS MATERIALIZED (${BOUNDS}),
       moment AS (
         SELECT operator_seq, ${bound} AS number, leaf_seq, NULL AS receipt_seq FROM bound_of
         UNION ALL
         SELECT r.operator_seq, ${number}, NULL, r.receipt_seq
         FROM linked_account a CROSS JOIN receipt r ON r.operator_seq = a.operator_seq ${join}
       ),
       act AS (
         -- A bound counts what came before it.
         SELECT receipt_seq, max(leaf_seq) OVER (
           PARTITION BY operator_seq ORDER BY number, leaf_seq ROWS UNBOUNDED PRECEDING
         ) AS bound_leaf
         FROM moment
       )
       SELECT c.receipt_seq, '${event}' AS expected, NULL AS found
       FROM act c JOIN bound_of b ON b.leaf_seq = c.bound_leaf JOIN receipt r ON r.receipt_seq = c.receipt_seq
       WHERE b.event = 'linked' AND b.to_recovered IS NOT 1
         AND NOT EXISTS (
           SELECT 1 FROM account_leaf l
           WHERE l.receipt_id IS NOT NULL AND l.receipt_id = r.receipt_id AND l.event = '${event}'
         ) LIMIT 100`,
    );
    missing.push(...problems);
  }
  return missing;
}
