import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Store } from '../../platform/store/store.ts';
import { equalBytes } from '../../proof/encoding/equal-bytes.ts';
import type { LogName } from '../../proof/log/log-names.ts';
import { leafHash } from '../../proof/log/merkle.ts';
import { logContentOf } from './contents.ts';
import { LogDamage } from './damage.ts';
import type { TrustLog } from './lifecycle/open.ts';

/** An entry of a log. */
export interface ListedEntry {
  index: number;
  /** Its exact text. */
  entry: string;
  leafHash: Uint8Array;
}

const utf8 = new TextEncoder();

/**
 * Returns the entries of a log with index `from` to `to`, exclusive, as its tiles have them. Entries that the
 * newest checkpoint does not cover are left out.
 * @throws LogDamage for an entry that is not what was published
 */
export function logEntries(
  { store, log }: { store: Store; log: TrustLog },
  name: LogName,
  from: number,
  to: number,
): Promise<ListedEntry[]> {
  const { tree_size } = log.publisher.latest(name).response;
  const content = logContentOf(log.contents, name);
  return log.damage.tracked(
    store.read(async (snapshot) => {
      const leaves = await content.leavesOf(snapshot, from, Math.min(to, tree_size));
      return leaves.map(({ entry, leafHash: stored }, at) => {
        const index = from + at;
        if (equalBytes(leafHash(nativePrimitives, utf8.encode(entry)), stored))
          return { index, entry, leafHash: stored };
        throw new LogDamage(name, `entry ${index} of ${log.open[name].origin} is not what was published`);
      });
    }),
  );
}
