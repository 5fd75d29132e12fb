import type { Store } from '../../../platform/store/store.ts';
import type { PublishedCheckpoint } from '../checkpoints/checkpoints.ts';
import type { TrustLog } from '../lifecycle/open.ts';
import { FIRST_LEAF } from '../logs.ts';
import { type InclusionProof, inclusionProofOf } from '../proofs/inclusion-proof.ts';
import { newestLeafOfKey } from './store.ts';

/**
 * Returns a function for what the key log says of keys now: the newest event of each that its newest
 * checkpoint covers, with its proof; nothing of a key that no checkpoint covers yet. The proofs are cached
 * until there is another checkpoint.
 */
export function keyEventProofs({
  store,
  log,
}: {
  store: Store;
  log: TrustLog;
}): (kids: readonly string[], wantsCosigned: boolean) => Promise<InclusionProof[]> {
  let cached: {
    newest: PublishedCheckpoint;
    cosigned: PublishedCheckpoint | null;
    proofs: Map<string, InclusionProof | null>;
  } | null = null;
  return async (kids, wantsCosigned) => {
    const checkpoints = log.publisher.proofCheckpoints('keys', wantsCosigned);
    const { newest, cosigned } = checkpoints;
    if (cached?.newest !== newest || cached.cosigned !== cosigned)
      cached = { newest, cosigned, proofs: new Map() };
    const { proofs } = cached;
    const missing = kids.filter((kid) => !proofs.has(kid));
    if (missing.length > 0)
      await store.read(async (snapshot) => {
        const end = FIRST_LEAF + newest.response.tree_size;
        for (const kid of missing) {
          const leaf = await newestLeafOfKey(snapshot, { kid, end });
          const logged = leaf && { index: leaf.leafSeq - FIRST_LEAF, entry: leaf.entry };
          proofs.set(kid, logged && (await inclusionProofOf(snapshot, log.open.keys, logged, checkpoints)));
        }
      });
    return [...new Set(kids)].flatMap((kid) => proofs.get(kid) ?? []);
  };
}
