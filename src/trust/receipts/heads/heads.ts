import { createHmac } from 'node:crypto';
import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { bytesToHex } from '../../../proof/encoding/hex.ts';
import { type JournalHead, journalHeadHash } from '../../../proof/ledger/journal-head.ts';
import { HASH_BYTES } from '../../../proof/log/merkle.ts';
import type { JournalEnd, JournalKey } from '../../ledger/journal-ends.ts';
import type { HashTile, HeadTree } from './head-tree.ts';

/** A stored head: its account and the number of entries, 8 bytes each, and the hash of the newest entry. */
const HEAD_BYTES = 16 + HASH_BYTES;
/** The heads in a row. */
const ROW_HEADS = 256;

/** Up to 256 heads of a round, in the order of their accounts. */
export interface HeadsPart {
  /** From 0. */
  round: number;
  firstAccount: JournalKey;
  /** The leaf of the first head in the tree. */
  firstLeaf: number;
  heads: Uint8Array;
}

/** Rows of a tree that belong together. */
export interface TreePart {
  heads: HeadsPart[];
  tiles: HashTile[];
}

/** What a tree is made with. */
export interface RoundOf {
  /** From 0. */
  round: number;
  /** 32 bytes. */
  saltKey: Uint8Array;
}

/**
 * Returns the salt of a leaf: 16 bytes of HMAC-SHA-256 in hexadecimal. Who knows the salt of its own leaf
 * learns nothing of those beside it.
 */
export function saltOf(saltKey: Uint8Array, account: string): string {
  return createHmac('sha256', saltKey).update(account).digest('hex').slice(0, 32);
}

/** Returns the hash of the leaf of a head. */
export function hashOfHead(saltKey: Uint8Array, head: JournalHead): Uint8Array {
  return journalHeadHash(nativePrimitives, head, saltOf(saltKey, head.account));
}

/** Appends the heads of a round to a tree, and yields the rows that this completes. */
export async function* headParts(
  ends: AsyncIterable<readonly JournalEnd[]>,
  tree: HeadTree,
  { round, saltKey }: RoundOf,
): AsyncGenerator<TreePart> {
  let row: JournalEnd[] = [];
  let firstLeaf = tree.size;
  const rowOf = (): HeadsPart[] => {
    const [first] = row;
    if (first === undefined) return [];
    const part = { round, firstAccount: first.key, firstLeaf, heads: encodedHeads(row) };
    row = [];
    firstLeaf = tree.size;
    return [part];
  };
  for await (const page of ends) {
    const part: TreePart = { heads: [], tiles: [] };
    for (const end of page) {
      row.push(end);
      part.tiles.push(...tree.append(hashOfHead(saltKey, { ...end, head: bytesToHex(end.head) })));
      if (row.length === ROW_HEADS) part.heads.push(...rowOf());
    }
    yield part;
  }
  yield { heads: rowOf(), tiles: [] };
}

function encodedHeads(ends: readonly JournalEnd[]): Uint8Array {
  const bytes = new Uint8Array(ends.length * HEAD_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [at, { key, entries, head }] of ends.entries()) {
    view.setFloat64(at * HEAD_BYTES, key);
    view.setFloat64(at * HEAD_BYTES + 8, entries);
    bytes.set(head, at * HEAD_BYTES + 16);
  }
  return bytes;
}

/** Returns the head of an account in a row, and its place; null if the row does not have it. */
export function headIn(
  heads: Uint8Array,
  key: JournalKey,
): { place: number; entries: number; head: string } | null {
  const view = new DataView(heads.buffer, heads.byteOffset, heads.byteLength);
  for (let at = 0; at + HEAD_BYTES <= heads.length; at += HEAD_BYTES) {
    if (view.getFloat64(at) !== key) continue;
    return {
      place: at / HEAD_BYTES,
      entries: view.getFloat64(at + 8),
      head: bytesToHex(heads.subarray(at + 16, at + HEAD_BYTES)),
    };
  }
  return null;
}
