import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { canonicalJson } from '../../src/proof/encoding/canonical-json.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import { signedObjectMessage } from '../../src/proof/keys/signed-object.ts';
import { leafHash, nodeHash } from '../../src/proof/log/merkle.ts';
import { canonicalPayload } from '../../src/proof/receipt/receipt.ts';
import { leavesOf, referenceSet } from './compliance-package.ts';
import { example } from './worked-example.ts';
import { statementBlocks } from './worked-statements.ts';

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const { leaves, log, receipt, keys, status, index } = example;
const [first = new Uint8Array(), second = new Uint8Array(), third = new Uint8Array()] = leaves;
const node = nodeHash(nativePrimitives, first, second);

const hashOf = (entry: string): string => bytesToHex(leafHash(nativePrimitives, Buffer.from(entry)));

/** The set of the genuine package of a cluster. */
const set = referenceSet('receipts', leavesOf.receipts);

/** Returns one draw of the sample of the set, from the bytes of its hash. */
function draw(number: number): string {
  const hash = nativePrimitives.sha256(Buffer.from(`countersign-sample:${set.merkle_root}:${number}`));
  const first = new DataView(hash.buffer, hash.byteOffset, 8).getBigUint64(0);
  return `draw ${number}       ${bytesToHex(hash.slice(0, 8))}… = ${first}, modulo ${set.count}: ${first % BigInt(set.count)}\n`;
}

/** Returns bytes as lines of 64 hexadecimal characters. */
function hexLines(bytes: Uint8Array): string {
  return bytesToHex(bytes).replace(/.{1,64}/g, '$&\n');
}

/**
 * Returns the text between the fences of the pages in docs/verification, by the name after each fence's
 * language.
 */
export const blocks: ReadonlyMap<string, string> = new Map([
  ['keys.json', pretty(keys)],
  ['receipt.json', pretty(receipt)],
  ['canonical', `${canonicalJson(canonicalPayload(receipt))}\n`],
  ['leaf', `${log.entries[index]}\n`],
  ['hashes', leaves.map((leaf, at) => `leaf ${at}  ${bytesToHex(leaf)}\n`).join('')],
  [
    'root',
    `SHA-256(0x01 ‖ leaf 0 ‖ leaf 1)  ${bytesToHex(node)}\n` +
      `SHA-256(0x01 ‖ that ‖ leaf 2)    ${bytesToHex(nodeHash(nativePrimitives, node, third))}\n`,
  ],
  ['receipt.tlog-proof', example.proof],
  ['log-key', `${example.logKey}\n`],
  ['cose-header', hexLines(example.cose.header)],
  ['cose-message', hexLines(example.cose.message)],
  ['receipt.cose', hexLines(example.cose.receipt)],
  ['revocation-entry', `${example.revocationEntry}\n`],
  ['agent-revocation-entry', `${example.agentRevocationEntry}\n`],
  ['evidence-entry', `${example.evidenceEntry}\n`],
  ['event', `${canonicalJson({ ...example.event })}\n`],
  ['key-entry', `${example.keyEntry}\n`],
  ['key-digest', `${new TextDecoder().decode(example.keyMessage)}\n`],
  [
    'entry-hashes',
    `revocation-entry        ${hashOf(example.revocationEntry)}\n` +
      `agent-revocation-entry  ${hashOf(example.agentRevocationEntry)}\n` +
      `evidence-entry          ${hashOf(example.evidenceEntry)}\n` +
      `key-entry               ${hashOf(example.keyEntry)}\n`,
  ],
  [
    'package-sample',
    `merkle_root  ${set.merkle_root}\n` +
      `count        ${set.count}\n` +
      [0, 1, 2].map(draw).join('') +
      `positions    ${set.sample.map(({ position }) => position).join(' ')}\n`,
  ],
  ...statementBlocks(),
  ['status.json', pretty(status)],
  ['status-digest', `${new TextDecoder().decode(signedObjectMessage(nativePrimitives, status))}\n`],
]);
