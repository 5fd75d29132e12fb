import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../proof/encoding/json.ts';
import type { SourceType } from '../../proof/evidence/source-types.ts';
import type { AgentRow } from '../agents/agents.ts';
import { type EvidenceItem, itemByEventHash, itemsByPayload, newestLeaf, payloadsOf } from './store.ts';

/** What evidence of a worker says about a task. */
export interface Delivery extends Deliverable {
  outcome: 'success' | 'failure';
  /** The event hash of the item of evidence. */
  eventHash: string;
  /** The number of the item: evidence that was anchored later has a higher one. */
  evidenceSeq: number;
  /** When the item was anchored, RFC 3339. */
  createdAt: string;
}

/** The tasks that evidence delivers. Rooms above provide it, because they import evidence. */
export interface Deliveries {
  /**
   * Delivers a task with evidence of an agent, in the transaction that anchors it.
   * @param isNew false for evidence that was anchored before
   */
  deliverIn(tx: Transaction, worker: AgentRow, delivery: Delivery, isNew: boolean): Promise<void>;
}

/** What a payload names. Digests and commitments have 64 hexadecimal characters. */
export interface Deliverable {
  taskId: string;
  /** The digest of the deliverable. */
  digest: string;
  /** The terms for which the worker signed it; null if it does not say. */
  termsDigest: string | null;
  /** The agent that the worker names as arbiter; null for none. */
  arbiter: string | null;
}

/** Returns the task that a payload delivers, even if it failed; null for a payload of another type. */
export function deliverableOf(sourceType: SourceType, payload: JsonObject): Deliverable | null {
  if (sourceType !== 'task_deliverable') return null;
  const { task_id: taskId, deliverable_digest, digest, terms_digest, arbiter_commitment } = payload;
  const ownDigest = deliverable_digest ?? digest;
  if (typeof taskId !== 'string' || typeof ownDigest !== 'string') return null;
  const textIn = (value: JsonValue | undefined) => (typeof value === 'string' ? value : null);
  return {
    taskId,
    digest: ownDigest,
    termsDigest: textIn(terms_digest),
    arbiter: textIn(arbiter_commitment),
  };
}

/** Returns what an item of evidence with a deliverable says. */
export function deliveryOf(
  deliverable: Deliverable,
  { outcome, eventHash, evidenceSeq, createdAt }: EvidenceItem,
): Delivery {
  return { ...deliverable, outcome, eventHash, evidenceSeq, createdAt };
}

/** Returns the number of the newest evidence of all agents; 0 before the first. */
export async function newestEvidenceIn(snapshot: Snapshot): Promise<number> {
  return (await newestLeaf(snapshot)) ?? 0;
}

/** Returns the event hash of an agent's deliverable with a payload; null if it was not anchored. */
export async function deliverableHashIn(
  snapshot: Snapshot,
  agentSeq: number,
  payloadDigest: string,
): Promise<string | null> {
  const items = await itemsByPayload(snapshot, { agentSeq, payloadDigest });
  return items.find(({ sourceType }) => sourceType === 'task_deliverable')?.eventHash ?? null;
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
  return deliverable === null ? null : deliveryOf(deliverable, item);
}
