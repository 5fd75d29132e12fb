import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { parseTimestamp } from '../../proof/encoding/timestamp.ts';
import { isErrorTranche } from '../../proof/receipt/outcome.ts';
import { judge } from '../../proof/receipt/verdict.ts';
import type { ProofCheckpoints } from '../log/checkpoints/publisher.ts';
import type { Signer } from '../log/keys/signing/signer.ts';
import { keyRecords } from '../log/keys/signing-keys.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import { proofOf, proveLeaf } from '../log/proofs/inclusion-proof.ts';
import type { ProofRequest } from '../log/schema.ts';
import { receiptsErrors } from './errors.ts';
import { type GateContext, openAbandonedShare } from './gate/facts.ts';
import { isAbandoned } from './gate/verdict.ts';
import type { ProofContext } from './get-proof.ts';
import { provenActs } from './linked/log/proven-acts.ts';
import { leafOfReceipt, loggedContentHash } from './log/leaves.ts';
import { LOST_MESSAGES, lostVersionMessage } from './log/lost-versions.ts';
import { maskedReceipt } from './masked.ts';
import { receiptWithSalt } from './representation.ts';
import { isReceiptSlashed } from './slashing/slash.ts';
import { type ReceiptState, receiptById, successorsOf } from './store.ts';
import { reasonFor } from './unproven-reason.ts';

/** The parts of the service that a manifest needs. */
export type ManifestContext = ProofContext & GateContext & { signer: Signer };

/**
 * Returns the public part of a receipt: no input, scope or salt, and masked names.
 * @throws ApiError receipt_not_found
 */
export async function publicManifest(context: ManifestContext, receiptId: string, query: ProofRequest) {
  return (await manifestWith(context, receiptId, query, async () => null)).manifest;
}

/**
 * Returns the public part of a receipt as `publicManifest` does, with the checkpoint of its proof (null
 * without a proof), and with what `readMore` reads of the same snapshot.
 * @throws ApiError receipt_not_found
 */
export function manifestWith<More>(
  context: ManifestContext,
  receiptId: string,
  query: ProofRequest,
  readMore: (snapshot: Snapshot, state: ReceiptState) => Promise<More>,
) {
  const { store, log, clock, signer } = context;
  const now = clock.now();
  // Read before the snapshot, which then has every leaf of these checkpoints.
  const wantsCosigned = query.cosigned !== 'no';
  const checkpoints = log.publisher.proofCheckpoints('receipts', wantsCosigned);
  const accountCheckpoints = log.publisher.proofCheckpoints('accounts', wantsCosigned);
  const knownKeys = signer.all();
  const read = async (snapshot: Snapshot) => {
    const state = await receiptById(snapshot, receiptId);
    if (state === null) throw receiptsErrors.receipt_not_found();
    const keys = await keyRecords(snapshot, knownKeys, log.open.receipts.origin);
    const { checkpoint, ...receipt } = await manifestOf(snapshot, state, { log, keys, now, checkpoints });
    const acts = await provenActs(snapshot, receiptId, log, accountCheckpoints);
    const account_leaves = acts.map(({ event, entry, proof }) => ({
      event,
      leaf_entry: entry,
      inclusion_path: proof,
    }));
    const { operatorSeq, domain, domainCommitment } = state.receipt;
    const operator_abandoned =
      domainCommitment === null ? await openAbandonedShare(snapshot, context, { operatorSeq, domain }) : null;
    const manifest = {
      ...receipt.manifest,
      operator_abandoned,
      ...(acts.length === 0 ? {} : { account_leaves }),
    };
    return { manifest, checkpoint, more: await readMore(snapshot, state) };
  };
  return log.damage.tracked(store.read(read));
}

/**
 * Builds the manifest, and returns it with the checkpoint of its proof.
 * @throws LogDamage instead of showing an invalid proof
 */
async function manifestOf(
  snapshot: Snapshot,
  state: ReceiptState,
  {
    log,
    keys,
    now,
    checkpoints,
  }: {
    log: TrustLog;
    keys: Awaited<ReturnType<typeof keyRecords>>;
    now: number;
    checkpoints: ProofCheckpoints;
  },
) {
  const { receipt, current, kid } = state;
  const leaf = await leafOfReceipt(snapshot, receipt.receiptSeq);
  const proven = leaf === null ? null : await proveLeaf(snapshot, log.open.receipts, leaf, checkpoints);
  const lost = await lostVersionMessage(snapshot, state);
  const next = await successorsOf(snapshot, receipt.receiptSeq);
  const document = Object.fromEntries(Object.entries(receiptWithSalt(state)));
  const isLogged = leaf !== null && loggedContentHash(leaf) === current.contentHash;
  const position = isLogged ? { log: log.open.receipts.origin, index: leaf.index } : undefined;
  const { verdict, checks } = judge(nativePrimitives, document, { keys, now, position: position });
  const { hash, signature, key } = checks;
  const manifest = {
    ...maskedReceipt(state),
    content_hash: current.contentHash,
    leaf_content_hash: leaf === null ? null : loggedContentHash(leaf),
    signature: current.signature,
    kid,
    verification: { status: verdict, checks: { hash, signature, key } },
    chain: {
      prev_receipt_hash: receipt.prevReceiptHash,
      next,
      depth: receipt.chainDepth,
    },
    enforcement: {
      revocation_status: current.revocationStatus,
      expired: (parseTimestamp(receipt.expiry) ?? 0) <= now,
      abandoned: lost !== LOST_MESSAGES.receipts && isAbandoned({ ...receipt, ...current }, now),
      error_tranche: current.errorTranche,
      slashed: await isSlashed(snapshot, state),
    },
    inclusion_path: proven === null ? null : proofOf(proven),
    ...(proven === null ? { inclusion_reason: reasonFor(state, leaf !== null) } : {}),
    ...(lost === null ? {} : { lost }),
  };
  return { manifest, checkpoint: proven === null ? null : proven.checkpoint };
}

/**
 * Returns whether stake was taken because of a receipt. Only a receipt with an error tranche is looked up.
 */
async function isSlashed(snapshot: Snapshot, { receipt, current }: ReceiptState): Promise<boolean> {
  return isErrorTranche(current.errorTranche) && isReceiptSlashed(snapshot, receipt.receiptSeq);
}
