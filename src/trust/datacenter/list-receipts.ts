import { Type } from '@sinclair/typebox';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import { positionNumber } from '../../platform/http/pagination/cursor.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { pageRequest } from '../http/paging.ts';
import type { ProofCheckpoints } from '../log/checkpoints/publisher.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import { type InclusionProof, inclusionProofOf } from '../log/proofs/inclusion-proof.ts';
import { leafOfReceipt } from '../receipts/log/leaves.ts';
import { serviceReceiptIn } from '../receipts/service-receipt.ts';
import { requireClusterIn } from './clusters.ts';
import type { TelemetryListRequest } from './schema.ts';
import { type ListedItem, newestItems, newestItemsOf } from './store.ts';

/** The list of receipts of telemetry, by the number of the receipt. */
const RECEIPTS = { name: 'datacenter-receipts', position: Type.Tuple([positionNumber]) };
const NEWEST = Number.MAX_SAFE_INTEGER;

/**
 * Returns a page of the receipts of telemetry, newest first, with proofs for the newest checkpoint.
 * @throws ApiError not_found for an unknown cluster; validation_error for an invalid cursor
 */
export function listTelemetryReceipts(
  { store, cursors, log }: { store: Store; cursors: Cursors; log: TrustLog },
  query: TelemetryListRequest,
) {
  const { cluster_id } = query;
  const { limit, after, takePage } = pageRequest(query, cursors.of(RECEIPTS, [cluster_id]));
  const [before] = after ?? [NEWEST];
  // Read before the snapshot, which then has every leaf of this checkpoint.
  const checkpoints = log.publisher.proofCheckpoints('receipts', false);
  return log.damage.tracked(
    store.read(async (snapshot) => {
      const items = await itemsBefore(snapshot, cluster_id, before, limit + 1);
      const { page, next_cursor } = takePage(items, ({ receiptSeq }) => [receiptSeq]);
      const receipts = [];
      for (const item of page) receipts.push(await listedReceipt(snapshot, log, item, checkpoints));
      return { checkpoint: checkpoints.newest.response, receipts, next_cursor };
    }),
  );
}

/** @throws ApiError not_found */
async function itemsBefore(
  snapshot: Snapshot,
  clusterId: string | undefined,
  before: number,
  limit: number,
): Promise<ListedItem[]> {
  if (clusterId === undefined) return newestItems(snapshot, { before, limit });
  const { clusterSeq } = await requireClusterIn(snapshot, clusterId);
  return newestItemsOf(snapshot, { clusterSeq, before, limit });
}

/** @throws LogDamage instead of showing an invalid proof */
async function listedReceipt(
  snapshot: Snapshot,
  log: TrustLog,
  item: ListedItem,
  checkpoints: ProofCheckpoints,
) {
  const receipt = await serviceReceiptIn(snapshot, item.receiptSeq);
  const leaf = await leafOfReceipt(snapshot, item.receiptSeq);
  const proof = leaf === null ? null : await inclusionProofOf(snapshot, log.open.receipts, leaf, checkpoints);
  const { receipt_id, content_hash, issued_at, revocation_status } = receipt;
  return {
    receipt_id,
    content_hash,
    issued_at,
    revocation_status,
    evidence_id: item.evidenceId,
    cluster_id: item.clusterId,
    instance_id: item.instanceId,
    event_type: item.eventType,
    class: item.class,
    counts_energy: item.countsEnergy,
    window_start: timestampOf(item.windowStart),
    window_end: timestampOf(item.windowEnd),
    payload_digest: item.payloadDigest,
    corrects: item.correctsId,
    corrected_by: item.correctedById,
    inclusion_path: proof === null ? null : withoutCheckpoint(proof),
  };
}

/** Returns a proof without its checkpoint, which the page has once. */
function withoutCheckpoint({ checkpoint: _note, cosigned: _cosigned, ...path }: InclusionProof) {
  return path;
}
