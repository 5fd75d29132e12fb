import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { north, type TestWitness, TIME, WITNESS_VECTORS, west } from '../../scripts/vectors/witness.ts';
import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import { formatVerifierKey, parseNote, signatureLine } from '../../src/proof/log/note.ts';
import { signedMessage } from '../../src/proof/log/note-signature.ts';

const hexLines = (bytes: Uint8Array): string => bytesToHex(bytes).replace(/.{1,64}/g, '$&\n');
/** Returns what tells long bytes from others: their beginning, their end and their hash. */
const ends = (what: string, bytes: Uint8Array): string =>
  [
    `${what}: ${bytes.length} bytes`,
    `begins with ${bytesToHex(bytes.subarray(0, 24))}`,
    `ends with   ${bytesToHex(bytes.subarray(-24))}`,
    `SHA-256     ${bytesToHex(nativePrimitives.sha256(bytes))}\n`,
  ].join('\n');

/** Returns the blocks of docs/verification/witnesses.md by their names, as the vectors have them. */
export function witnessBlocks(): ReadonlyMap<string, string> {
  const note = parseNote(readFileSync(join(WITNESS_VECTORS, 'north-and-west.checkpoint')));
  const blocks = ({ key }: TestWitness) => {
    const line = note.signatures.find(({ name }) => name === key.name);
    if (line === undefined) throw new Error(`${key.name} has cosigned the checkpoint`);
    const keyBytes = Buffer.from([...Buffer.from(`${key.name}\n`), key.type, ...key.publicKey]);
    return { line, keyBytes, message: signedMessage(key.type, note.text, key.name, TIME) };
  };
  const [first, second] = [blocks(north), blocks(west)];
  const id = (bytes: Uint8Array): string => bytesToHex(nativePrimitives.sha256(bytes).slice(0, 4));
  return new Map([
    ['witness-key', `${formatVerifierKey(north.key)}\n`],
    ['witness-key-bytes', hexLines(first.keyBytes)],
    ['witness-message', Buffer.from(first.message).toString()],
    ['witness-message-bytes', hexLines(first.message)],
    ['witness-signature', hexLines(first.line.signature)],
    ['witness-line', signatureLine(first.line)],
    ['witness-ml-dsa-key', `${ends('public key', west.key.publicKey)}key id      ${id(second.keyBytes)}\n`],
    ['witness-ml-dsa-message', hexLines(second.message)],
    ['witness-ml-dsa-signature', ends('time and signature', second.line.signature)],
  ]);
}
