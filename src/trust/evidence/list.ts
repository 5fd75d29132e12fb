import { Type } from '@sinclair/typebox';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import { positionNumber } from '../../platform/http/pagination/cursor.ts';
import type { Store } from '../../platform/store/store.ts';
import { actsForAgent, requireAgentIn } from '../agents/agents.ts';
import { pageRequest } from '../http/paging.ts';
import type { Principal } from '../operators/auth/authenticate.ts';
import { notOwnAgent } from './anchor.ts';
import type { EvidenceListQuery } from './schema.ts';
import { type EvidenceItem, itemsBefore, payloadsOf } from './store.ts';

/** A page ends early when its payloads together exceed this: a hundred of the largest would be 100 MiB. */
const MAX_PAGE_BYTES = 4 * 2 ** 20;
const NEWEST = Number.MAX_SAFE_INTEGER;
/** The list of an agent's evidence, ordered by position in its chain. */
const EVIDENCE = { name: 'evidence', position: Type.Tuple([positionNumber]) };

/**
 * Returns a page of an agent's evidence, newest first, as JSON with payloads as they are stored. Only the
 * agent's sponsor, its holder key, admins and the operator that sent an item see its payload and signature.
 *
 * @throws ApiError not_found for an agent that never enrolled, forbidden for a holder key of another agent,
 * validation_error for an invalid cursor
 */
export async function listEvidence(
  { store, cursors }: { store: Store; cursors: Cursors },
  principal: Principal,
  commitment: string,
  query: EvidenceListQuery,
): Promise<string> {
  const { role, subjectCommitment } = principal;
  if (role === 'holder' && subjectCommitment !== commitment) throw notOwnAgent();
  const pages = cursors.of(EVIDENCE, [commitment, query.source_type]);
  return store.read(async (snapshot) => {
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
    const payloads = await payloadsOf(snapshot, seen, MAX_PAGE_BYTES);
    const { items, reached } = itemsAsJson(page, payloads);
    const last = rows.length > reached ? rows[reached - 1] : undefined;
    const next = last === undefined ? null : pages.write([last.position]);
    return `{"evidence":[${items.join(',')}],"next_cursor":${JSON.stringify(next)}}`;
  });
}

/**
 * Returns the first items of a page as JSON, at least one, until MAX_PAGE_BYTES are exceeded.
 * @param payloads by evidence_seq, of the items whose payload the caller may see
 */
function itemsAsJson(
  page: readonly EvidenceItem[],
  payloads: ReadonlyMap<number, string>,
): { items: string[]; reached: number } {
  const items: string[] = [];
  let bytes = 0;
  for (const item of page) {
    if (bytes > MAX_PAGE_BYTES) break;
    const view = JSON.stringify(itemView(item));
    const payload = payloads.get(item.evidenceSeq);
    if (payload === undefined) {
      items.push(view);
      continue;
    }
    bytes += Buffer.byteLength(payload);
    items.push(`${view.slice(0, -1)},"signature":"${item.signature}","payload":${payload}}`);
  }
  return { items, reached: items.length };
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
