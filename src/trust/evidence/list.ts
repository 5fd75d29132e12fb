import { Type } from '@sinclair/typebox';
import { positionNumber } from '../../platform/http/cursor.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { knownAgentIn, speaksFor } from '../agents/agents.ts';
import type { Desk } from '../context.ts';
import { pageRequest } from '../list.ts';
import type { Principal } from '../operators/principals.ts';
import { notItsOwn } from './anchor.ts';
import { unpacked } from './packed.ts';
import type { List } from './schema.ts';
import { type EvidenceItem, evidenceSql } from './store.ts';

/** A page ends early when its payloads are this long together: a hundred of the largest would be 100 MiB. */
const MOST_BYTES = 4 * 2 ** 20;
const NEWEST = Number.MAX_SAFE_INTEGER;
/** The list of an agent's evidence: by index in its chain. */
const EVIDENCE = { name: 'evidence', position: Type.Tuple([positionNumber]) };

/**
 * A page of an agent's evidence, newest first, as JSON: payloads stand in it as they are stored. They and the signatures are there for
 * the agent's sponsor, its holder key, admins, and for whoever brought the item.
 *
 * @throws ApiError not_found for an agent that never enrolled, forbidden for a holder key of another, validation_error for a
 * cursor that is none
 */
export async function listEvidence(
  { store, cursors }: Desk,
  principal: Principal,
  commitment: string,
  query: List,
): Promise<string> {
  const { role, subjectCommitment } = principal;
  if (role === 'holder' && subjectCommitment !== commitment) throw notItsOwn();
  const pages = cursors.of(EVIDENCE, [commitment, query.source_type]);
  return store.read((snapshot) => {
    const agent = knownAgentIn(snapshot, commitment);
    const speaks = speaksFor(principal, agent);
    if (role === 'holder' && !speaks) throw notItsOwn();
    const { rows, after = [NEWEST] } = pageRequest(query, pages);
    const [before] = after;
    const showsAll = speaks || principal.admin;
    const maySee = ({ operatorSeq }: EvidenceItem) => showsAll || operatorSeq === principal.operatorSeq;
    const found = pageIn(snapshot, agent.agentSeq, query.source_type, before, rows + 1);
    const { items, reached } = written(snapshot, found.slice(0, rows), maySee);
    const last = found.length > reached ? found[reached - 1] : undefined;
    const next = last === undefined ? null : pages.write([last.position]);
    return `{"evidence":[${items.join(',')}],"next_cursor":${JSON.stringify(next)}}`;
  });
}

function pageIn(
  snapshot: Snapshot,
  agentSeq: number,
  sourceType: List['source_type'],
  before: number,
  rows: number,
): EvidenceItem[] {
  const sql = evidenceSql(snapshot);
  return sourceType === undefined
    ? sql.page.all({ agentSeq, before, rows })
    : sql.pageOfType.all({ agentSeq, before, sourceType, rows });
}

/** Items as JSON, at least one of them, up to the page's end or its most bytes. */
function written(
  snapshot: Snapshot,
  page: readonly EvidenceItem[],
  maySee: (item: EvidenceItem) => boolean,
): { items: string[]; reached: number } {
  const items: string[] = [];
  let bytes = 0;
  for (const item of page) {
    if (bytes > MOST_BYTES) break;
    const view = JSON.stringify(itemView(item));
    if (!maySee(item)) {
      items.push(view);
      continue;
    }
    const payload = payloadOf(snapshot, item);
    bytes += Buffer.byteLength(payload);
    items.push(`${view.slice(0, -1)},"signature":"${item.signature}","payload":${payload}}`);
  }
  return { items, reached: items.length };
}

function payloadOf(snapshot: Snapshot, { evidenceSeq }: EvidenceItem): string {
  const row = evidenceSql(snapshot).payload.get({ evidenceSeq });
  if (row === undefined) throw new Error(`the evidence ${evidenceSeq} is gone`);
  return unpacked(row.payload);
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
