import type { Snapshot } from '../../platform/store/transaction.ts';
import type { SourceType } from '../../proof/evidence/source-types.ts';
import { FIRST_LEAF } from '../log/logs.ts';
import { decompress } from './compression.ts';
import { compressedPayloadsOf, placesBefore } from './store.ts';

const PAGE_ITEMS = 100;
/** A page of payloads as they are stored: what is in memory at once, with one that is decompressed. */
const PAGE_BYTES = 4 * 2 ** 20;
const NEWEST = Number.MAX_SAFE_INTEGER;

/** Which items of an agent are read. */
export interface PayloadQuery {
  agentSeq: number;
  sourceType: SourceType;
  /** By the time of anchoring: `from` (inclusive) to `to` (exclusive), RFC 3339 in UTC with milliseconds. */
  period: { from: string; to: string };
  /** The size of the log of evidence: items with later leaves are left out. */
  treeSize: number;
}

/** An item with its payload. */
export interface ItemPayload {
  /** The index of its leaf in the log of evidence, from 0. */
  leafIndex: number;
  anchoredAt: string;
  /** JSON text, as it is stored. */
  payload: string;
}

/**
 * Yields an agent's items of a type, newest first, a few payloads in memory at a time. The position at the
 * end of the period is found by bisection, so that items after it cost nothing.
 */
export async function* newestPayloadsIn(
  snapshot: Snapshot,
  { agentSeq, sourceType, period, treeSize }: PayloadQuery,
): AsyncGenerator<ItemPayload, void> {
  let before = 1 + (await lastPositionBefore(snapshot, agentSeq, period.to));
  for (;;) {
    const items = await placesBefore(snapshot, agentSeq, sourceType, before, PAGE_ITEMS);
    const matching = items.filter(({ createdAt, evidenceSeq }) => {
      const isInPeriod = createdAt >= period.from && createdAt < period.to;
      return isInPeriod && evidenceSeq - FIRST_LEAF < treeSize;
    });
    const seqs = matching.map(({ evidenceSeq }) => evidenceSeq);
    const payloads = await compressedPayloadsOf(snapshot, seqs, PAGE_BYTES);
    for (const { evidenceSeq, createdAt, position } of matching) {
      const payload = payloads.get(evidenceSeq);
      if (payload === undefined) break;
      before = position;
      if (payload === null) continue;
      yield { leafIndex: evidenceSeq - FIRST_LEAF, anchoredAt: createdAt, payload: decompress(payload) };
    }
    // The payloads of the page exceeded PAGE_BYTES: the next page begins with the first item without one.
    if (payloads.size < matching.length) continue;
    const oldest = items.at(-1);
    if (oldest === undefined || items.length < PAGE_ITEMS || oldest.createdAt < period.from) return;
    before = oldest.position;
  }
}

/** Returns the leaf of an agent's newest item of a type; null without one. */
export async function newestLeafIn(
  snapshot: Snapshot,
  agentSeq: number,
  sourceType: SourceType,
): Promise<Omit<ItemPayload, 'payload'> | null> {
  const newest = (await placesBefore(snapshot, agentSeq, sourceType, NEWEST, 1)).at(0);
  if (newest === undefined) return null;
  return { leafIndex: newest.evidenceSeq - FIRST_LEAF, anchoredAt: newest.createdAt };
}

/**
 * Returns the position of an agent's newest item that was anchored before a time; 0 if there is none. Reads
 * one row for each halving.
 */
async function lastPositionBefore(snapshot: Snapshot, agentSeq: number, time: string): Promise<number> {
  const atMost = async (position: number) =>
    (await placesBefore(snapshot, agentSeq, undefined, position + 1, 1)).at(0);
  let known = 0;
  let high = (await atMost(NEWEST - 1))?.position ?? 0;
  while (known < high) {
    const middle = Math.ceil((known + high) / 2);
    const item = await atMost(middle);
    // Lost items have positions without a row: the item found may be an earlier one.
    if (item === undefined || item.createdAt < time) known = middle;
    else high = item.position - 1;
  }
  return known;
}
