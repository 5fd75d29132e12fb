import type { Store } from '../../../platform/store/store.ts';
import { closedLogsIn } from '../../../proof/log/log-chain.ts';
import type { TrustLog } from '../lifecycle/open.ts';
import { logChangesOf } from './log/log-changes.ts';
import { issuerDid } from './signing/issuer.ts';
import type { Signer } from './signing/signer.ts';
import { keyRecords } from './signing-keys.ts';

/**
 * Returns a function for the JSON text of every signing key and the state of the key log, as `GET
 * /api/v1/transparency/keys` returns them. The text is cached until a key or the checkpoint changes: the
 * request is public and unlimited, and the keys have 15 KB.
 */
export function transparencyKeys(trust: {
  store: Store;
  signer: Signer;
  log: TrustLog;
  /** The URL of the service. */
  url: string | null;
}): () => Promise<string> {
  const { store, signer, log } = trust;
  let cached: { keys: unknown; checkpoint: unknown; issuer: string; json: string } | null = null;
  return async () => {
    // Both are replaced when they change. The signer's keys change after the commit, so this snapshot is not
    // older than they are.
    const keys = signer.all();
    const checkpoint = log.publisher.latest('keys');
    const issuer = issuerDid(trust);
    const isCurrent = cached?.checkpoint === checkpoint && cached.issuer === issuer;
    if (cached?.keys === keys && isCurrent) return cached.json;
    const { origin, tree_size, root_hash, note } = checkpoint.response;
    const [records, closed_logs] = await store.read(async (snapshot) => [
      await keyRecords(snapshot, keys, log.open.receipts.origin),
      closedLogsIn(await logChangesOf(snapshot), tree_size),
    ]);
    const json = JSON.stringify({
      issuer,
      keys: records,
      closed_logs,
      log: { origin, tree_size, root_hash, checkpoint: note },
    });
    cached = { keys, checkpoint, issuer, json };
    return json;
  };
}
