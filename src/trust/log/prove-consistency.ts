import type { Store } from '../../platform/store/store.ts';
import type { LogName } from '../../proof/log/log-names.ts';
import { commonErrors } from '../http/errors.ts';
import type { TrustLog } from './lifecycle/open.ts';
import { consistencyProofOf } from './proofs/consistency-proof.ts';

/**
 * Returns the proof that one tree is a prefix of another.
 * @throws ApiError validation_error; not_found for a size above the newest checkpoint's
 */
export async function consistencyProof(
  { store, log: { open, publisher, damage } }: { store: Store; log: TrustLog },
  query: { log?: LogName; from: string; to: string },
) {
  const log = open[query.log ?? 'receipts'];
  const [from, to] = [Number(query.from), Number(query.to)];
  if (from > to) throw commonErrors.validation_error({ issues: { from: ['must not be above to'] } });
  const newest = publisher.latest(log.name);
  const proof = await damage.tracked(
    store.read((snapshot) => consistencyProofOf(snapshot, log, from, to, newest)),
  );
  if (proof !== null) return proof;
  const { tree_size } = newest.response;
  throw commonErrors.not_found({
    message: `The newest checkpoint covers ${tree_size} leaves. Request a size up to this one, or wait for the next checkpoint.`,
  });
}
