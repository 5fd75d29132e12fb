import { expect, test } from 'bun:test';
import { nativePrimitives, signEd25519 } from '../../../../src/platform/crypto/crypto.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import { checkpointText } from '../../../../src/proof/log/checkpoint.ts';
import { emptyRoot } from '../../../../src/proof/log/merkle.ts';
import { formatNote, SIGNATURE_TYPES } from '../../../../src/proof/log/note.ts';
import { revocationsFrom } from '../../../../src/tools/verify/revocations.ts';
import { testKey, verifierOf } from '../../../support/small-log.ts';

const origin = 'revoked.example/revocations';
const key = testKey(5);
const keys = [
  { origin: null, type: SIGNATURE_TYPES.ed25519, publicKey: hexToBytes(key.public_key), until: null },
];

/** A log of which there is nothing but a checkpoint of this size, and what was asked of it. */
function hollow(size: number) {
  const text = checkpointText({ origin, size, root: emptyRoot(nativePrimitives) });
  const { name, keyId } = verifierOf(key, origin);
  const signature = new Uint8Array(signEd25519(key.privateKey, Buffer.from(text)));
  const note = formatNote({ text, signatures: [{ name, keyId, signature }] });
  const asked: string[] = [];
  const source = {
    location: 'here',
    async read(path: string) {
      asked.push(path);
      if (path.endsWith('checkpoint')) return new Uint8Array(Buffer.from(note));
      throw new Error('nothing is there');
    },
  };
  return { source, asked };
}

test('a log that says to be larger than anybody reads is refused before it is fetched', async () => {
  for (const size of [100_000_001, Number.MAX_SAFE_INTEGER]) {
    const { source, asked } = hollow(size);
    const drawn: number[] = [];
    const reading = revocationsFrom(source, keys, (count) => drawn.push(count));
    await expect(reading).rejects.toThrow(
      /says that there are [\d,]+ entries, and at most 100,000,000 are read/,
    );
    expect([asked, drawn]).toEqual([['revocations/checkpoint'], []]);
  }
});

test('the largest that is read shows its progress before the first entry is there', async () => {
  const { source, asked } = hollow(100_000_000);
  const drawn: [count: number, share: number][] = [];
  const reading = revocationsFrom(source, keys, (count, share) => drawn.push([count, share]));
  await expect(reading).rejects.toThrow('nothing is there');
  expect([asked.length, drawn]).toEqual([2, [[0, 0]]]);
});

test('an empty log revokes nothing', async () => {
  const { revoked, time } = await revocationsFrom(hollow(0).source, keys, () => undefined);
  expect([revoked.size, time]).toEqual([0, null]);
});
