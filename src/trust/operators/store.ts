import { agent } from '../../../db/trust/agents.ts';
import {
  apiKey,
  apiKeyNumber,
  authorityMark,
  operator,
  type Scope,
  serviceToken,
  session,
} from '../../../db/trust/operators.ts';
import { orNull, sqlOf } from '../../platform/store/sql.ts';
import { runQuery, type Snapshot, type Transaction } from '../../platform/store/transaction.ts';

export type { Scope } from '../../../db/trust/operators.ts';

const sql = sqlOf({ apiKey, apiKeyNumber, authorityMark, operator, serviceToken, session });

/** The columns that describe the caller behind a key. */
const principal = {
  keyHash: apiKey.keyHash,
  apiKeySeq: apiKeyNumber.apiKeySeq,
  operatorSeq: operator.operatorSeq,
  operatorId: operator.operatorId,
  accountStatus: operator.accountStatus,
  plan: operator.plan,
  selfProvisioned: operator.selfProvisioned,
  subscribed: operator.subscribed,
  role: apiKey.role,
  admin: apiKey.admin,
  subjectCommitment: apiKey.subjectCommitment,
  scope: apiKey.scope,
  agentState: orNull(agent.state),
};

/** Joins a key to its number and its operator, and a holder key to its agent if the agent has enrolled. */
const OF_KEY = sql.part`JOIN api_key_number
    ON api_key_number.key_hash = api_key.key_hash AND api_key_number.operator_seq = api_key.operator_seq
  JOIN operator ON operator.operator_seq = api_key.operator_seq
  LEFT JOIN agent ON agent.subject_commitment = api_key.subject_commitment`;

const mark = sql.value(authorityMark.mark)``;
const deleteKey = sql.run`DELETE FROM api_key WHERE key_hash = ${'keyHash'}`;
/** When the scope of a key ends, as text; null for one without an end. */
const EXPIRES_AT = sql.part`scope ->> 'expires_at'`;
const newestKeys = sql.rows(apiKey)`WHERE operator_seq = ${'operatorSeq'}
  ORDER BY created_at DESC, key_hash DESC LIMIT ${'limit'}`;
const keysBefore = sql.rows(apiKey)`
  WHERE operator_seq = ${'operatorSeq'} AND (created_at, key_hash) < (${'createdAt'}, ${'keyHash'})
  ORDER BY created_at DESC, key_hash DESC LIMIT ${'limit'}`;

export type OperatorRow = typeof operator.$inferSelect;
export type ApiKeyRow = typeof apiKey.$inferSelect;

/** A key with its operator and agent, as stored. */
export interface KeyFacts {
  /** SHA-256 of the key, lower-case hexadecimal. */
  keyHash: string;
  /** The number of the key, as its receipts name it. */
  apiKeySeq: number;
  operatorSeq: number;
  operatorId: string;
  accountStatus: 'ACTIVE' | 'SUSPENDED' | 'CLOSED';
  plan: 'FREE' | 'PRO';
  selfProvisioned: boolean;
  subscribed: boolean;
  role: 'issuer' | 'holder';
  admin: boolean;
  /** For a holder key: its agent. */
  subjectCommitment: string | null;
  scope: Scope | null;
  /** For a holder key: the state of its agent; null if the agent has not enrolled. */
  agentState: 'ISSUED' | 'REVOKED' | null;
}

/** Returns a key with its operator and agent, by its SHA-256; null for an unknown key. */
export const keyFacts = sql.joined(principal).row`FROM api_key ${OF_KEY}
  WHERE api_key.key_hash = ${'keyHash'}`;

/** Returns the key of a session by the SHA-256 of its token, and when it expires; null for an unknown one. */
export const sessionFacts = sql.joined({ facts: principal, expiresAt: session.expiresAt }).row`
  FROM session JOIN api_key ON api_key.key_hash = session.key_hash ${OF_KEY}
  WHERE token_hash = ${'tokenHash:session.tokenHash'}`;

/**
 * Returns the authority mark: triggers change it whenever the rights of a key, an account or an agent change.
 */
export async function readAuthorityMark(snapshot: Snapshot): Promise<number> {
  return (await mark(snapshot)) ?? Number.NaN;
}

/** Returns the operator that was created first; null before the first start. */
export const firstOperator = sql.row(operator)`ORDER BY operator_seq LIMIT 1`;

/** Returns every operator, oldest first. */
export const allOperators = sql.rows(operator, {
  scans: 'all, when a log is recovered',
})`ORDER BY operator_seq`;

/** Returns the first `limit` operators with a number above `after`, oldest first. */
export const operatorsAfter = sql.rows(operator)`WHERE operator_seq > ${'after:operatorSeq'}
  ORDER BY operator_seq LIMIT ${'limit'}`;

/** Returns an operator by its number; null if there is none. */
export const operatorBySeq = sql.row(operator)`WHERE operator_seq = ${'operatorSeq'}`;

/** Returns an operator by its public id; null if there is none. */
export const operatorById = sql.row(operator)`WHERE operator_id = ${'operatorId'}`;

/** Adds an active operator. @returns it */
export const insertOperator = sql.insertRow(operator, {
  without: ['operatorSeq', 'plan', 'subscribed', 'pardonedAt', 'inactiveSince', 'inactiveMs'],
  fixed: { accountStatus: 'ACTIVE' },
});

const setActive = sql.run`
  UPDATE operator SET account_status = 'ACTIVE', inactive_since = NULL,
    inactive_ms = inactive_ms + coalesce(max(0, ${'now:inactiveSince'} - inactive_since), 0)
  WHERE operator_seq = ${'operatorSeq'}`;
const setInactive = sql.run`
  UPDATE operator SET account_status = ${'accountStatus'},
    inactive_since = coalesce(inactive_since, ${'now:inactiveSince'})
  WHERE operator_seq = ${'operatorSeq'}`;

/** Sets the status of an account, and since when it is not ACTIVE. `now` is milliseconds since 1970. */
export function updateStatus(
  tx: Transaction,
  {
    operatorSeq,
    accountStatus,
    now,
  }: { operatorSeq: number; accountStatus: OperatorRow['accountStatus']; now: number },
): Promise<number> {
  return accountStatus === 'ACTIVE'
    ? setActive(tx, { operatorSeq, now })
    : setInactive(tx, { operatorSeq, accountStatus, now });
}

/** Sets the plan of an operator by its subscriptions. */
export const updatePlan = sql.run`UPDATE operator SET plan = ${'plan'}, subscribed = 1
  WHERE operator_seq = ${'operatorSeq'}`;

/** Sets the time up to which an operator's SLA breaches are pardoned. */
export const updatePardon = sql.run`UPDATE operator SET pardoned_at = ${'pardonedAt'}
  WHERE operator_seq = ${'operatorSeq'}`;

/** Inserts an unused key; does nothing if it exists. */
export const insertKey = sql.insert(apiKey, { without: ['lastUsedAt'], end: 'ON CONFLICT DO NOTHING' });

/** Returns an operator's key by its hash; null if the operator has no key with this hash. */
export const keyOfOperator = sql.row(apiKey)`
  WHERE operator_seq = ${'operatorSeq'} AND key_hash = ${'keyHash'}`;

/** Returns up to `limit` holder keys of an operator for an agent. */
export const holderKeysFor = sql.joined({ keyHash: apiKey.keyHash, scope: apiKey.scope }).rows`FROM api_key
  WHERE subject_commitment IS NOT NULL AND subject_commitment = ${'subjectCommitment'}
    AND operator_seq = ${'operatorSeq'} LIMIT ${'limit'}`;

/** Returns how many keys an operator has, exact up to 10,000; 10,001 for more. */
export const countKeys = sql.value(sql.number`count(*)`)`FROM (
  SELECT 1 FROM api_key WHERE operator_seq = ${'operatorSeq'} LIMIT 10001)`;

/**
 * Returns whether an operator has an issuer key, apart from one key and those whose scope has ended: these
 * cannot create keys. `keyHash` is the key that does not count, and `now` in milliseconds since 1970; with 0
 * all others count.
 */
export const hasOtherIssuer = sql.exists(apiKey)`
  WHERE operator_seq = ${'operatorSeq'} AND role = 'issuer' AND key_hash <> ${'keyHash'}
    AND (${EXPIRES_AT} IS NULL OR unixepoch(upper(${EXPIRES_AT}), 'subsec') * 1000 > ${'now:number'}) LIMIT 1`;

/** Returns whether a key exists, by its SHA-256. */
export const isKey = sql.exists(apiKey)`WHERE key_hash = ${'keyHash'}`;

/** Returns whether an active operator has an admin key. */
export const hasAdminKey = sql.exists(apiKey, {
  scans: 'at most all keys, when the local administrator deletes one',
})`JOIN operator USING (operator_seq)
  WHERE admin = 1 AND account_status = 'ACTIVE' LIMIT 1`;

/** Returns whether an operator has an admin key. */
export const isAdministered = sql.exists(apiKey)`WHERE operator_seq = ${'operatorSeq'} AND admin = 1 LIMIT 1`;

/** Returns whether an operator has an admin key, and no other active one has. */
export const hasLastAdminKey = sql.exists(apiKey, { scans: 'at most all keys, when an operator is closed' })`
  WHERE operator_seq = ${'operatorSeq'} AND admin = 1 AND NOT EXISTS (
    SELECT 1 FROM api_key AS other JOIN operator ON operator.operator_seq = other.operator_seq
    WHERE other.admin = 1 AND account_status = 'ACTIVE' AND other.operator_seq <> ${'operatorSeq'}
  ) LIMIT 1`;

/** Deletes keys; foreign keys delete their sessions. */
export function deleteKeys(tx: Transaction, keyHashes: readonly string[]): Promise<void> {
  return runQuery(tx, (connection) => {
    for (const keyHash of keyHashes) deleteKey.on(connection, keyHash);
  });
}

/** Sets when a key was last used. */
export const updateLastUsed = sql.update(apiKey, ['lastUsedAt'])`WHERE key_hash = ${'keyHash'}`;

/** Returns a page of an operator's keys, newest first. */
export function keysOf(
  snapshot: Snapshot,
  operatorSeq: number,
  after: { createdAt: string; keyHash: string } | undefined,
  limit: number,
): Promise<ApiKeyRow[]> {
  return after === undefined
    ? newestKeys(snapshot, { operatorSeq, limit })
    : keysBefore(snapshot, { operatorSeq, ...after, limit });
}

/** Returns the SHA-256 of the service token; null before the first start. */
export const serviceTokenHash = sql.value(serviceToken.tokenHash)``;

/** Stores the service token, replacing an earlier one. */
export const putServiceToken = sql.insert(serviceToken, {
  fixed: { one: 1 },
  end: `ON CONFLICT (one) DO UPDATE
    SET token_hash = excluded.token_hash, created_at = excluded.created_at`,
});
