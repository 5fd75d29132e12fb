import type { Transaction } from '../../platform/store/transaction.ts';
import { commonErrors } from '../http/errors.ts';
import type { PreparedTelemetry } from './prepare.ts';
import { type EvidenceItem, itemById, itemBySeq, supersededItem } from './store.ts';

/** What a correction replaces, or the item that already has the same body. */
export type Correction = { corrected: EvidenceItem } | { duplicate: EvidenceItem };

/**
 * Finds the item that telemetry corrects. Corrections are a chain: each item is corrected once, so the newest
 * is the one that counts.
 * @param instanceSeq the instance of the telemetry; null for one without telemetry
 * @returns null for telemetry that corrects nothing
 * @throws ApiError validation_error for an item of another instance, event type or class; conflict for an
 * item that is corrected already, with the `evidence_id` of the item that corrects it
 */
export async function correctionIn(
  tx: Transaction,
  instanceSeq: number | null,
  { telemetry, payloadDigest, class: telemetryClass }: PreparedTelemetry,
): Promise<Correction | null> {
  if (telemetry.corrects === undefined) return null;
  const item = await itemById(tx, telemetry.corrects);
  const isSame =
    item !== null &&
    item.instanceSeq === instanceSeq &&
    item.eventType === telemetry.event_type &&
    item.class === telemetryClass;
  if (!isSame)
    throw commonErrors.validation_error({
      issues: {
        corrects: ['must be the evidence_id of an item of the same cluster, instance, event_type and class'],
      },
    });
  if (item.supersededBy === null) return { corrected: item };
  const newest = await itemBySeq(tx, item.supersededBy);
  if (newest === null) throw new Error(`the item ${item.supersededBy} that corrects another one is missing`);
  if (newest.payloadDigest === payloadDigest) return { duplicate: newest };
  throw commonErrors.conflict({
    message: `The item ${item.evidenceId} is corrected by ${newest.evidenceId}. Correct that one.`,
    members: { evidence_id: newest.evidenceId },
  });
}

/** Returns a corrected item with the same body: sent again, it must not count again. */
export function correctedBefore(
  tx: Transaction,
  instanceSeq: number,
  { window, payloadDigest }: PreparedTelemetry,
): Promise<EvidenceItem | null> {
  return supersededItem(tx, { instanceSeq, end: window.end, payloadDigest });
}
