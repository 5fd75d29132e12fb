import { expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { emptyRoot } from '../../../../src/proof/log/merkle.ts';
import { commonOfReceipts, parseSigned, shown } from '../../../../src/tools/monitor/stated-checkpoint.ts';

const checkpoint = (origin: string) => ({
  ...{ origin, size: 0, root: emptyRoot(nativePrimitives), extensions: [] },
});

test('what a checkpoint states is read, and quoted for the terminal', () => {
  expect(commonOfReceipts(checkpoint('a.example/receipts'))).toBe('a.example');
  expect(() => commonOfReceipts(checkpoint('a.example/keys'))).toThrow('is not the name of a receipts log');
  expect(() => parseSigned(Buffer.from('nothing'), 'there')).toThrow('there does not return a checkpoint');
  expect(shown('a\u001b')).toBe('"a\\u001b"');
});
