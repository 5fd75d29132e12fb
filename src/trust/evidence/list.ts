import { Type } from '@sinclair/typebox';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import { positionNumber } from '../../platform/http/pagination/cursor.ts';
import type { Store } from '../../platform/store/store.ts';
import { slices } from '../../platform/turns/slices.ts';
import { actsForAgent, requireAgentIn } from '../agents/agents.ts';
import { pageRequest } from '../http/paging.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';
import { notOwnAgent } from './anchor.ts';
import { decompressBytes, decompressedLength } from './compression.ts';
import type { EvidenceListQuery } from './schema.ts';
import { compressedPayloadsOf, type EvidenceItem, itemsBefore } from './store.ts';

/**
 * The most bytes of payloads on a page, which then has fewer items: a hundred of the largest would be 100
 * MiB. A first payload of any size is on it.
 */
const MAX_PAGE_BYTES = 2 ** 20;
const NEWEST = Number.MAX_SAFE_INTEGER;
/** The list of an agent's evidence, ordered by position in its chain. */
const EVIDENCE = { name: 'evidence', position: Type.Tuple([positionNumber]) };

/**
 * Returns a page of an agent's evidence, newest first, as UTF-8 of JSON with payloads as they are stored.
 * Only the agent's sponsor, its holder key, admins and the operator that sent an item see its payload and
 * signature.
 *
 * @throws ApiError not_found for an agent that never enrolled, forbidden for a holder key of another agent,
 * validation_error for an invalid cursor
 */
export async function listEvidence(
  { store, cursors }: { store: Store; cursors: Cursors },
  principal: OperatorActor,
  commitment: string,
  query: EvidenceListQuery,
): Promise<Uint8Array<ArrayBuffer>> {
  const { role, subjectCommitment } = principal;
  if (role === 'holder' && subjectCommitment !== commitment) throw notOwnAgent();
  const pages = cursors.of(EVIDENCE, [commitment, query.source_type]);
  const { rows, items } = await store.read(async (snapshot) => {
    const agent = await requireAgentIn(snapshot, commitment);
    const actsFor = actsForAgent(principal, agent);
    if (role === 'holder' && !actsFor) throw notOwnAgent();
    const { limit, after = [NEWEST] } = pageRequest(query, pages);
    const [before] = after;
    const showsAll = actsFor || principal.admin;
    const maySee = ({ operatorSeq }: EvidenceItem) => showsAll || operatorSeq === principal.operatorSeq;
    const rows = await itemsBefore(snapshot, agent.agentSeq, query.source_type, before, limit + 1);
    const page = rows.slice(0, limit);
    const seen = page.filter(maySee).map(({ evidenceSeq }) => evidenceSeq);
    const payloads = await compressedPayloadsOf(snapshot, seen, MAX_PAGE_BYTES);
    const items = page.map((item) => ({ item, compressed: payloads.get(item.evidenceSeq) ?? null }));
    const end = items.findIndex(({ item, compressed }) => compressed === null && maySee(item));
    return { rows, items: end === -1 ? items : items.slice(0, end) };
  });
  const { pieces, reached } = await itemsAsJson(items);
  const last = rows.length > reached ? rows[reached - 1] : undefined;
  const next = last === undefined ? null : pages.write([last.position]);
  await slices.pause();
  return asUtf8(['{"evidence":[', ...pieces, `],"next_cursor":${JSON.stringify(next)}}`]);
}

/** An item with its payload as it is stored; null for callers who may not see the payload. */
interface ListedItem {
  item: EvidenceItem;
  compressed: Uint8Array | null;
}

/**
 * Returns the first items of a page as pieces of JSON, at least one, that have at most MAX_PAGE_BYTES of
 * payloads. Payloads remain bytes: a text would be decoded, joined and encoded again.
 */
async function itemsAsJson(items: readonly ListedItem[]): Promise<{ pieces: Piece[]; reached: number }> {
  const pieces: Piece[] = [];
  let reached = 0;
  let bytes = 0;
  for (const { item, compressed } of items) {
    await slices.pause();
    // An item that is not on the page is not decompressed.
    const size = compressed === null ? 0 : decompressedLength(compressed);
    if (bytes > 0 && bytes + size > MAX_PAGE_BYTES) break;
    bytes += size;
    const view = `${reached === 0 ? '' : ','}${JSON.stringify(itemView(item))}`;
    reached += 1;
    if (compressed === null) {
      pieces.push(view);
      continue;
    }
    const signed = `${view.slice(0, -1)},"signature":"${item.signature}","payload":`;
    pieces.push(signed, decompressBytes(compressed), '}');
  }
  return { pieces, reached };
}

/** A piece of JSON: a text, which is ASCII, or UTF-8. */
type Piece = string | Uint8Array;

/** Joins pieces in one buffer: a buffer for each piece would be garbage that costs more than the copy. */
function asUtf8(pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.alloc(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === 'string') bytes.write(piece, at, 'latin1');
    else bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function itemView(item: EvidenceItem) {
  return {
    index: item.position - 1,
    event_commitment_hash: item.eventHash,
    prev_event_hash: item.prevEventHash,
    source_type: item.sourceType,
    payload_digest: item.payloadDigest,
    outcome: item.outcome,
    reading: item.reading,
    created_at: item.createdAt,
  };
}
