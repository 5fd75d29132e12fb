import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { readKeyLogEntry } from '../../../proof/log/log-change.ts';
import { addEndedKeys, type EndedKey } from './files/ended-keys.ts';
import { endLeaves } from './store.ts';

/**
 * Records the ends of all keys beside the high-water mark, durably. A report of a compromise is answered only
 * after that: no restore of an older backup makes the key active again.
 */
export async function recordEndedKeys(store: Pick<Store, 'read'>, directory: string): Promise<void> {
  addEndedKeys(directory, await store.read(endsIn));
}

async function endsIn(snapshot: Snapshot): Promise<EndedKey[]> {
  return (await endLeaves(snapshot)).flatMap(({ entry }) => {
    const read = readKeyLogEntry(entry);
    if (!('key' in read)) return [];
    const { kid, event, at, receipts_tree_size } = read.key;
    return event === 'retired' || event === 'compromised' ? [{ kid, event, at, receipts_tree_size }] : [];
  });
}
