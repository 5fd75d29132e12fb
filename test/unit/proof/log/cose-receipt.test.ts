import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { nativePrimitives as p, signEd25519 } from '../../../../src/platform/crypto/crypto.ts';
import {
  coseHeader,
  coseMessage,
  formatCoseReceipt,
  type InclusionPath,
} from '../../../../src/proof/log/cose-receipt.ts';
import { inclusionPath, verifyInclusion } from '../../../../src/proof/log/merkle.ts';
import { verifyCoseReceipt } from '../../../support/cose-receipt.ts';
import { type SmallLog, smallLog, testKey } from '../../../support/small-log.ts';

const KEY = testKey(2);
const OTHER_KEY = testKey(3);
const KEYS = new Map([[KEY.kid, KEY.public_key]]);
const STATEMENT = { kid: KEY.kid, issuer: 'receipts.example', subject: 'receipts.example/receipts' };
const HEADER = coseHeader(STATEMENT);

const entriesOf = (size: number): string[] =>
  Array.from({ length: size }, (_, index) => `{"entry":${index}}`);
const logOf = (size: number): SmallLog => smallLog('receipts.example/receipts', entriesOf(size), [KEY]);

function receiptOf({ node, root }: SmallLog, proof: Omit<InclusionPath, 'path'>): Uint8Array {
  const path = inclusionPath(p, proof.index, proof.size, node);
  const signature = signEd25519(KEY.privateKey, coseMessage(HEADER, root));
  return formatCoseReceipt(HEADER, { ...proof, path }, signature);
}

/** A size of a tree with the index of one of its leaves. */
const leaves = fc
  .integer({ min: 2, max: 40 })
  .chain((size) => fc.record({ size: fc.constant(size), index: fc.nat({ max: size - 1 }) }));

test('an independent library verifies the receipt of every leaf of every tree', async () => {
  await fc.assert(
    fc.asyncProperty(leaves, async ({ size, index }) => {
      const read = await verifyCoseReceipt(
        receiptOf(logOf(size), { size, index }),
        `{"entry":${index}}`,
        KEYS,
      );
      expect(read).toEqual({ ...STATEMENT, size, index });
    }),
  );
});

test('the receipt of a leaf is refused for every other entry', async () => {
  await fc.assert(
    fc.asyncProperty(leaves, fc.nat({ max: 60 }), async ({ size, index }, other) => {
      fc.pre(other !== index);
      const receipt = receiptOf(logOf(size), { size, index });
      await expect(verifyCoseReceipt(receipt, `{"entry":${other}}`, KEYS)).rejects.toThrow();
    }),
  );
});

test('a receipt with another byte is refused, or gives the same root with a size or index that is not signed', async () => {
  const [size, index] = [13, 6];
  const log = logOf(size);
  const receipt = receiptOf(log, { size, index });
  const path = inclusionPath(p, index, size, log.node);
  const leaf = p.sha256(Buffer.from(`\0{"entry":${index}}`));
  // The array of the proof, then the size and the index, each in one byte.
  const sizeAt = Buffer.from(receipt).indexOf(Buffer.of(0x83, size, index)) + 1;
  const accepted: number[] = [];
  for (const [at, byte] of receipt.entries()) {
    for (let bit = 1; bit < 256; bit *= 2) {
      const changed = new Uint8Array(receipt);
      changed[at] = byte ^ bit;
      const read = await verifyCoseReceipt(changed, `{"entry":${index}}`, KEYS).catch(() => null);
      if (read === null) continue;
      accepted.push(at);
      expect(verifyInclusion(p, { leaf, ...read, path, root: log.root })).toBe(true);
    }
  }
  expect(receipt.length).toBeGreaterThan(250);
  // The path from leaf 6 is the same in each tree of 9 to 16 leaves.
  expect([...new Set(accepted)]).toEqual([sizeAt]);
});

test('a receipt that is cut or has more bytes is refused', async () => {
  const receipt = receiptOf(logOf(5), { size: 5, index: 2 });
  for (let length = 0; length < receipt.length; length++)
    await expect(verifyCoseReceipt(receipt.subarray(0, length), '{"entry":2}', KEYS)).rejects.toThrow();
  await expect(
    verifyCoseReceipt(Buffer.concat([receipt, Buffer.of(0)]), '{"entry":2}', KEYS),
  ).rejects.toThrow();
});

test('a receipt is refused with another key, and with a signature over the text of the checkpoint', async () => {
  const log = logOf(5);
  const receipt = receiptOf(log, { size: 5, index: 2 });
  const others = new Map([[KEY.kid, OTHER_KEY.public_key]]);
  await expect(verifyCoseReceipt(receipt, '{"entry":2}', others)).rejects.toThrow();
  await expect(verifyCoseReceipt(receipt, '{"entry":2}', new Map())).rejects.toThrow('unknown');
  const path = inclusionPath(p, 2, 5, log.node);
  const note = log.checkpoint.slice(0, log.checkpoint.indexOf('\n\n') + 1);
  const signature = signEd25519(KEY.privateKey, Buffer.from(note));
  const forged = formatCoseReceipt(HEADER, { size: 5, index: 2, path }, signature);
  await expect(verifyCoseReceipt(forged, '{"entry":2}', KEYS)).rejects.toThrow();
});

test('what a receipt signs is no UTF-8, which a checkpoint is', () => {
  const message = coseMessage(HEADER, logOf(3).root);
  expect(() => new TextDecoder('utf-8', { fatal: true }).decode(message.subarray(0, 1))).toThrow();
});

test('there is no receipt for a tree of one leaf, whose path is empty', () => {
  expect(() => formatCoseReceipt(HEADER, { size: 1, index: 0, path: [] }, new Uint8Array(64))).toThrow(
    RangeError,
  );
});
