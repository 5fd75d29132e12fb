import { expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import { inclusionPath, leafHash } from '../../../../../src/proof/log/merkle.ts';
import {
  checkpointResponse,
  withCosignatures,
} from '../../../../../src/trust/log/checkpoints/checkpoints.ts';
import { coseReceiptOf } from '../../../../../src/trust/log/proofs/cose-receipts.ts';
import type { ProvenLeaf } from '../../../../../src/trust/log/proofs/inclusion-proof.ts';
import { verifyCoseReceipt } from '../../../../support/cose-receipt.ts';
import { smallLog, type TestKey, testKey } from '../../../../support/small-log.ts';

const ORIGIN = 'receipts.example/receipts';
const ENTRIES = ['a', 'b', 'c'];
const KEY = testKey(2);
const log = smallLog(ORIGIN, ENTRIES, [KEY]);

/** Returns a signer whose active key has a kid of another key, if the test says so. */
const signerWith = ({ privateKey, public_key }: TestKey, kid: string) => ({
  activeKey: () => ({
    keySeq: 1,
    kid,
    purpose: 'receipts-log',
    algorithm: 'Ed25519' as const,
    publicKey: public_key,
    privateKey,
  }),
});

const published = () => {
  const row = {
    checkpointId: 'ckpt_1',
    logSeq: 1,
    previousId: null,
    previousSize: null,
    treeSize: ENTRIES.length,
    rootHash: log.root,
    issuedAt: '2026-05-01T12:00:00.000Z',
    keySeq: 1,
    signature: '',
    note: log.checkpoint,
  };
  const response = checkpointResponse(row, { origin: ORIGIN, kid: KEY.kid });
  return withCosignatures({ checkpointSeq: 1, rootHash: log.root, ownNote: log.checkpoint }, response, []);
};

function leafAt(index: number, checkpoint: ProvenLeaf['checkpoint']): ProvenLeaf {
  const entry = ENTRIES[index] ?? '';
  return {
    index,
    entry,
    leaf: leafHash(nativePrimitives, Buffer.from(entry)),
    path: inclusionPath(nativePrimitives, index, ENTRIES.length, log.node),
    checkpoint,
    isCosigned: false,
  };
}

const signatureOf = (receipt: Uint8Array): string => Buffer.from(receipt.subarray(-64)).toString('hex');

test('a checkpoint is signed once for all of its leaves, and again when another key is active', async () => {
  const checkpoint = published();
  const first = coseReceiptOf(signerWith(KEY, KEY.kid), 'receipts', leafAt(0, checkpoint));
  await verifyCoseReceipt(first, 'a', new Map([[KEY.kid, KEY.public_key]]));

  // Another private key with the same kid would sign something else: nothing is signed.
  const other = testKey(3);
  const second = coseReceiptOf(signerWith(other, KEY.kid), 'receipts', leafAt(1, checkpoint));
  expect(signatureOf(second)).toBe(signatureOf(first));

  const successor = coseReceiptOf(signerWith(other, other.kid), 'receipts', leafAt(2, checkpoint));
  const read = await verifyCoseReceipt(successor, 'c', new Map([[other.kid, other.public_key]]));
  expect(read).toMatchObject({ kid: other.kid, issuer: 'receipts.example', subject: ORIGIN });

  const nextCheckpoint = coseReceiptOf(signerWith(other, KEY.kid), 'receipts', leafAt(1, published()));
  expect(signatureOf(nextCheckpoint)).not.toBe(signatureOf(first));
});
