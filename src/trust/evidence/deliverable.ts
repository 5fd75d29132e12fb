import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../proof/encoding/json.ts';
import type { SourceType } from '../../proof/evidence/source-types.ts';
import type { AgentRow } from '../agents/agents.ts';
import { itemByEventHash, payloadsOf } from './store.ts';

/** What evidence of a worker says about a task. */
export interface Delivery {
  taskId: string;
  /** The digest of the deliverable, 64 hexadecimal characters. */
  digest: string;
  outcome: 'success' | 'failure';
  /** The event hash of the item of evidence. */
  eventHash: string;
}

/** The tasks that evidence delivers. Rooms above provide it, because they import evidence. */
export interface Deliveries {
  /**
   * Delivers a task with evidence of an agent, in the transaction that anchors it.
   * @param isNew false for evidence that was anchored before
   */
  deliverIn(tx: Transaction, worker: AgentRow, delivery: Delivery, isNew: boolean): Promise<void>;
}

/** The task and the digest that a payload names. */
export type Deliverable = Pick<Delivery, 'taskId' | 'digest'>;

/** Returns the task that a payload delivers, even if it failed; null for a payload of another type. */
export function deliverableOf(sourceType: SourceType, payload: JsonObject): Deliverable | null {
  if (sourceType !== 'task_deliverable') return null;
  const { task_id: taskId, deliverable_digest, digest } = payload;
  const ownDigest = deliverable_digest ?? digest;
  return typeof taskId === 'string' && typeof ownDigest === 'string' ? { taskId, digest: ownDigest } : null;
}

/**
 * Returns what an agent's anchored evidence says about a task; null if the agent has no evidence with this
 * event hash, or it is of another type.
 */
export async function deliveryByHashIn(
  snapshot: Snapshot,
  agentSeq: number,
  eventHash: string,
): Promise<Delivery | null> {
  const item = await itemByEventHash(snapshot, { agentSeq, eventHash });
  if (item?.sourceType !== 'task_deliverable') return null;
  const payloads = await payloadsOf(snapshot, [item.evidenceSeq], 0);
  const payload: JsonValue = JSON.parse(payloads.get(item.evidenceSeq) ?? 'null');
  const deliverable = isJsonObject(payload) ? deliverableOf(item.sourceType, payload) : null;
  return deliverable === null ? null : { ...deliverable, outcome: item.outcome, eventHash };
}
