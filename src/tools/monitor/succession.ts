import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { entriesFrom, type LogSource } from '../../platform/tlog/source.ts';
import { TileTree } from '../../platform/tlog/tile-tree.ts';
import { equalBytes } from '../../proof/encoding/equal-bytes.ts';
import { hexToBytes } from '../../proof/encoding/hex.ts';
import type { Checkpoint } from '../../proof/log/checkpoint.ts';
import type { PublishedClosedLog } from '../../proof/log/log-chain.ts';
import type { LogName } from '../../proof/log/log-names.ts';
import { Frontier, leafHash } from '../../proof/log/merkle.ts';
import { continuationOf } from './continued-logs.ts';
import { KeyLogState, refuseManyKeys } from './keys/key-log-state.ts';

/**
 * How a copy of a log compares with the log that continues it after it was closed: it is a beginning of that
 * (`ok`); it contradicts what the log of keys says of it (`forked`); or entries were lost, so that nothing
 * compares the rest (`lost`).
 */
export type Succession =
  | { result: 'ok' }
  | { result: 'lost'; reason: string }
  | { result: 'forked'; reason: string };

/**
 * Reads the closed logs that a log of keys names. Who signed it is for the caller.
 * @param checkpoint of the log of keys in the source
 * @throws Failure for entries that do not have its root
 */
export async function closedLogsOf(source: LogSource, checkpoint: Checkpoint): Promise<PublishedClosedLog[]> {
  refuseManyKeys(checkpoint);
  const known = new KeyLogState();
  const frontier = new Frontier(nativePrimitives);
  for await (const entries of entriesFrom(source, 'keys', 0, checkpoint.size)) {
    for (const entry of entries) {
      known.take(entry, frontier.size);
      frontier.append(leafHash(nativePrimitives, entry));
    }
  }
  if (equalBytes(frontier.root(), checkpoint.root)) return known.closedLogs();
  throw new Failure(
    `the entries in ${source.location}/keys do not hash to the root of its checkpoint`,
    'use another copy: this one is damaged or was changed',
  );
}

/**
 * Compares a tree of a closed log with the log that continues it.
 *
 * @param tree of the closed log
 * @param closed what the log of keys says of the closed log
 * @param continuing the log in the source, whose tiles must have its root
 * @throws Failure for tiles that cannot be read, or do not have the root
 */
export async function successionOf(
  source: LogSource,
  name: LogName,
  { origin, size, root }: Checkpoint,
  closed: PublishedClosedLog,
  continuing: Checkpoint,
): Promise<Succession> {
  const { tree_size, root_hash, certain } = closed;
  if (size > tree_size && certain)
    return {
      result: 'forked',
      reason: `${origin} was closed with ${tree_size} entries by the log of keys that continues, and a tree of ${size} was signed`,
    };
  if (size === tree_size && !equalBytes(root, hexToBytes(root_hash)))
    return {
      result: 'forked',
      reason: `${origin} was closed with ${tree_size} entries by the log of keys that continues, and a tree of ${size} with another root was signed`,
    };
  const tree = new TileTree(source, name, continuing.size);
  const { prefix, whole } = await tree.rootsAt(Math.min(size, continuing.size));
  if (!equalBytes(whole, continuing.root))
    throw new Failure(
      `the tiles in ${source.location}/${name} do not hash to the root of its checkpoint`,
      'use another copy: this one is damaged or was changed',
    );
  if (size <= continuing.size && equalBytes(prefix, root)) return { result: 'ok' };
  if ((await continuationOf(source, continuing.size, closed)) === 'whole')
    return {
      result: 'forked',
      reason: `${continuing.origin} begins with the ${tree_size} entries with which ${origin} was closed, and a tree of ${size} that was signed before is no beginning of them`,
    };
  return {
    result: 'lost',
    reason: `${continuing.origin} does not have all ${size} entries of ${origin} that were published: they are lost, or were left out`,
  };
}
