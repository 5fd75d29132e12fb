import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEY_VECTORS } from '../../scripts/vectors/key-log-maker.ts';
import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { encodeBase64 } from '../../src/proof/encoding/base64.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import { type KeyEntry, keyEntryMessage, readKeyEntry } from '../../src/proof/log/log-entry.ts';
import { consistencyPath, Frontier, leafHash, treeRoot } from '../../src/proof/log/merkle.ts';
import { bundleRanges, readBundle } from '../../src/proof/log/tiles.ts';
import { example } from './worked-example.ts';

/** Returns the entries of a log in test/vectors/keys. */
export function storedEntries(name: string): Uint8Array[] {
  const folder = join(KEY_VECTORS, name, 'keys');
  const size = Number(readFileSync(join(folder, 'checkpoint'), 'utf8').split('\n')[1]);
  return [...bundleRanges(0, size)].flatMap((range) =>
    readBundle(readFileSync(join(folder, range.path)), range),
  );
}

const messageOf = (entry: KeyEntry): string =>
  new TextDecoder().decode(keyEntryMessage(nativePrimitives, entry));

/** Returns a line for each entry: its index, event, key, signers, and its leaf hash; last the root. */
function table(name: string): string {
  const frontier = new Frontier(nativePrimitives);
  const lines = storedEntries(name).map((bytes, index) => {
    const { event, algorithm, purpose, kid, signatures } = readKeyEntry(Buffer.from(bytes).toString());
    const leaf = leafHash(nativePrimitives, bytes);
    frontier.append(leaf);
    const by = signatures.map((one) => one.kid.slice(0, 4)).join(' ');
    return `${index} ${event} ${purpose} ${algorithm} ${kid.slice(0, 4)} by ${by}: ${bytesToHex(leaf)}`;
  });
  return [...lines, `root: ${bytesToHex(frontier.root())}`].join('\n');
}

/** Returns the block of docs/verification/logs.md about consistency: the answer for the example's tree. */
export function consistencyBlock(): string {
  const { log } = example;
  const root = (size: number): string => bytesToHex(treeRoot(nativePrimitives, size, log.node));
  const hashes = consistencyPath(nativePrimitives, 2, 3, log.node).map(encodeBase64);
  const answer = { log: log.origin, from: 2, to: 3, from_root: root(2), to_root: root(3), hashes };
  return `${JSON.stringify(answer, null, 2)}\n`;
}

/**
 * Returns the signature of an entry by an ML-DSA-44 key: the message, and the beginnings, the ends and the
 * hashes of what is long.
 */
function postQuantum(bytes: Uint8Array): string {
  const entry = readKeyEntry(Buffer.from(bytes).toString());
  const { kid, public_key, signatures } = entry;
  const signature = signatures.find((one) => one.kid === kid)?.signature ?? '';
  const ends = (what: string, hexadecimal: string): string =>
    `${what} ${hexadecimal.slice(0, 32)}…${hexadecimal.slice(-32)}\n  SHA-256 ${bytesToHex(nativePrimitives.sha256(Buffer.from(hexadecimal, 'hex')))}`;
  return [
    `kid ${kid}`,
    ends('public_key', public_key),
    `message ${messageOf(entry)}`,
    ends('signature', signature),
  ].join('\n');
}

/** Returns the blocks of docs/verification/key-log.md by their names, as the vectors have them. */
export function keyLogBlocks(): ReadonlyMap<string, string> {
  const [bytes] = storedEntries('small').slice(6);
  if (bytes === undefined) throw new Error('the small log has fifteen entries');
  const text = Buffer.from(bytes).toString();
  const entry = readKeyEntry(text);
  const found = new Map([
    ['entry', text],
    ['message', messageOf(entry)],
    ['bundle', Buffer.from([bytes.length >> 8, bytes.length & 0xff]).toString('hex')],
    ['leaf', bytesToHex(leafHash(nativePrimitives, bytes))],
    ['checkpoint', readFileSync(join(KEY_VECTORS, 'small/keys/checkpoint'), 'utf8').trimEnd()],
    ['ml-dsa', postQuantum(storedEntries('compromises')[10] ?? new Uint8Array())],
    ['small', table('small')],
    ['compromises', table('compromises')],
  ]);
  return new Map([...found].map(([name, block]) => [`key-log-${name}`, `${block}\n`]));
}
