import { nativePrimitives } from '../../../src/platform/crypto/crypto.ts';
import { encodeBase64 } from '../../../src/proof/encoding/base64.ts';
import { bytesToHex } from '../../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../../src/proof/encoding/json.ts';
import { type LogName, originOf } from '../../../src/proof/log/log-names.ts';
import { inclusionPath, leafHash, type NodeReader, nodeHash } from '../../../src/proof/log/merkle.ts';
import { formatTlogProof } from '../../../src/proof/log/tlog-proof.ts';
import type { FakeLog } from '../fake-log.ts';

/** What a proof says, of which each part can be a lie. */
interface Said {
  size?: number;
  /** The index that it states. */
  index?: number;
  /** The entry that it shows. */
  entry?: Uint8Array;
  checkpoint?: string;
  /** Changes the hashes from the leaf to the root. */
  path?: (hashes: Uint8Array[]) => Uint8Array[];
}

function pathOf(log: FakeLog, name: LogName, at: number, size: number): Uint8Array[] {
  const leaves = log.entries[name].map((entry) => leafHash(nativePrimitives, entry));
  const node: NodeReader = (level, index) =>
    level === 0
      ? (leaves[index] ?? new Uint8Array(32))
      : nodeHash(nativePrimitives, node(level - 1, 2 * index), node(level - 1, 2 * index + 1));
  return inclusionPath(nativePrimitives, at, size, node);
}

const whole = (log: FakeLog, name: LogName, at: number, said: Said) => {
  const { size = log.entries[name].length, path = (hashes) => hashes } = said;
  return {
    index: said.index ?? at,
    size,
    entry: said.entry ?? log.entries[name][at] ?? new Uint8Array(),
    path: path(pathOf(log, name, at, size)),
    checkpoint: said.checkpoint ?? log.note(name, size),
  };
};

/** Returns the proof of an entry as text, which is true as far as nothing else is said. */
export function proofOf(log: FakeLog, name: LogName, at: number, said: Said = {}): string {
  const { index, entry, path, checkpoint } = whole(log, name, at, said);
  return formatTlogProof({ extra: entry, index, path, checkpoint });
}

/** Returns the same as the `inclusion_path` of a manifest. */
export function inclusionOf(log: FakeLog, name: LogName, at: number, said: Said = {}): JsonObject {
  const { index, size, entry, path, checkpoint } = whole(log, name, at, said);
  return {
    log: originOf(log.origin, name),
    leaf_index: index,
    tree_size: size,
    leaf_entry: Buffer.from(entry).toString(),
    leaf_hash: bytesToHex(leafHash(nativePrimitives, entry)),
    hashes: path.map(encodeBase64),
    checkpoint,
  };
}

/** Returns a public manifest with leaves of the log of accounts. */
export function manifestOf(
  log: FakeLog,
  at: number,
  leaves: readonly (readonly [event: string, index: number, log?: FakeLog])[],
): JsonObject {
  return {
    inclusion_path: inclusionOf(log, 'receipts', at),
    account_leaves: leaves.map(([event, index, of = log]) => {
      const inclusion_path = inclusionOf(of, 'accounts', index);
      return { event, leaf_entry: inclusion_path.leaf_entry ?? '', inclusion_path };
    }),
  };
}
