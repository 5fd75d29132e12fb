import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nativePrimitives as p } from '../../../../src/platform/crypto/crypto.ts';
import { checkpointText } from '../../../../src/proof/log/checkpoint.ts';
import { Frontier, inclusionPath, leafHash, verifyInclusion } from '../../../../src/proof/log/merkle.ts';
import { formatNote } from '../../../../src/proof/log/note.ts';
import { openCheckpoint } from '../../../../src/proof/log/note-signature.ts';
import {
  formatTlogProof,
  parseTlogProof,
  type TlogProof,
  TlogProofError,
} from '../../../../src/proof/log/tlog-proof.ts';
import { newNoteSigner } from './signed-notes.ts';

const utf8 = new TextEncoder();
const parse = (text: string): TlogProof => parseTlogProof(utf8.encode(text));

/** The example of C2SP tlog-proof, with its extra data, which is elided there, made whole. */
const HASHES = [
  'gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=',
  'B95lDa8R83lS8n0eG+o0buTxRKQTYFi//1U8anccXmA=',
  'EKNzoDWG8LGC0Yp9o+sv3qllpMP9uHQ9B20KNL+Q1zs=',
  'RoopEkOdqkYqMB4MJXrbt/hMjOxsVn0IrWjpz1ZMMes=',
  'AHCioX9nLjsrse6YhjRRmk1WUEirVOLLRoOQ6vfO5vk=',
];
const CHECKPOINT =
  'example.com/fancylog\n109482\nsFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08=\n\n— example.com/fancylog hI2DJxQU\n';
const HEAD = 'c2sp.org/tlog-proof@v1\nextra YWdlLXYxLjIuMS1kYXJ3aW4=\nindex 73894\n';
const EXAMPLE = `${HEAD}${HASHES.join('\n')}\n\n${CHECKPOINT}`;

describe('a proof', () => {
  test('is read as the example of C2SP says', () => {
    const proof = parse(EXAMPLE);
    expect(new TextDecoder().decode(proof.extra ?? new Uint8Array())).toBe('age-v1.2.1-darwin');
    expect(proof.index).toBe(73894);
    expect(proof.path.map((hash) => Buffer.from(hash).toString('base64'))).toEqual(HASHES);
    expect(proof.checkpoint).toBe(CHECKPOINT);
    expect(formatTlogProof(proof)).toBe(EXAMPLE);
  });

  test('may have no extra data, no hashes and a checkpoint with empty lines', () => {
    const text = 'c2sp.org/tlog-proof@v1\nindex 0\n\na\n\n\nb';
    expect(parse(text)).toEqual({ extra: null, index: 0, path: [], checkpoint: 'a\n\n\nb' });
    expect(formatTlogProof(parse(text))).toBe(text);
    expect(parse(EXAMPLE.replace(HASHES.join('\n'), Array(63).fill(HASHES[0]).join('\n'))).path).toHaveLength(
      63,
    );
  });

  const hashes = (count: number): string => Array(count).fill(HASHES[0]).join('\n');
  test.each<[string, string, string]>([
    ['nothing', '', 'does not end with an empty line and a checkpoint'],
    ['no checkpoint', EXAMPLE.slice(0, EXAMPLE.indexOf('\n\n')), 'does not end with an empty line'],
    ['an empty checkpoint', EXAMPLE.slice(0, EXAMPLE.indexOf('\n\n') + 2), 'does not end with an empty line'],
    ['another version', EXAMPLE.replace('@v1', '@v2'), 'does not begin with'],
    ['another first line', `\n${EXAMPLE}`, 'does not begin with'],
    ['a carriage return', EXAMPLE.replace('@v1\n', '@v1\r\n'), 'does not begin with'],
    ['no index', EXAMPLE.replace('index 73894\n', ''), 'the index'],
    ['a header alone', 'c2sp.org/tlog-proof@v1\n\na', 'the index'],
    ['a leading zero', EXAMPLE.replace('73894', '073894'), 'the index'],
    ['a negative index', EXAMPLE.replace('73894', '-1'), 'the index'],
    ['an index of 2^53', EXAMPLE.replace('73894', '9007199254740992'), 'the index'],
    ['two spaces', EXAMPLE.replace('index ', 'index  '), 'the index'],
    ['extra data after the index', EXAMPLE.replace(/(extra .*\n)(index .*\n)/, '$2$1'), 'a hash of'],
    ['extra data twice', EXAMPLE.replace(/(extra .*\n)/, '$1$1'), 'the index'],
    ['empty extra data', EXAMPLE.replace(/extra .*\n/, 'extra \n'), 'the extra data'],
    ['extra data without a space', EXAMPLE.replace(/extra .*\n/, 'extra\n'), 'the index'],
    ['extra data that is no base64', EXAMPLE.replace('YWdl', 'YW!l'), 'the extra data'],
    ['a short hash', EXAMPLE.replace(HASHES.join('\n'), 'AAAA'), 'a hash of'],
    ['a hash with stray bits', EXAMPLE.replace('PlQ=', 'PlR='), 'a hash of'],
    ['64 hashes', EXAMPLE.replace(HASHES.join('\n'), hashes(64)), 'at most 63 hashes'],
    ['more than 2 MiB', `${EXAMPLE}${'x'.repeat(1 << 21)}`, '2 MiB'],
  ])('with %s is refused', (_, text, message) => {
    expect(() => parse(text)).toThrow(TlogProofError);
    expect(() => parse(text)).toThrow(message);
  });

  test('in bytes that are not UTF-8 is refused', () => {
    expect(() => parseTlogProof(Uint8Array.of(...utf8.encode(EXAMPLE), 0xff))).toThrow('UTF-8');
  });

  const good: TlogProof = { extra: null, index: 0, path: [], checkpoint: 'a' };
  test.each<[string, TlogProof]>([
    ['empty extra data', { ...good, extra: new Uint8Array() }],
    ['half an index', { ...good, index: 0.5 }],
    ['an index of 2^53', { ...good, index: 2 ** 53 }],
    ['a short hash', { ...good, path: [new Uint8Array(31)] }],
    ['64 hashes', { ...good, path: Array(64).fill(new Uint8Array(32)) }],
    ['no checkpoint', { ...good, checkpoint: '' }],
    ['a lone surrogate', { ...good, checkpoint: 'a\ud800' }],
    ['more than 2 MiB', { ...good, checkpoint: 'é'.repeat(1 << 20) }],
  ])('with %s is not written', (_, proof) => {
    expect(() => formatTlogProof(proof)).toThrow(TlogProofError);
  });

  test('is read as it was written, and refused by a TlogProofError alone', () => {
    const proofs = fc.record({
      extra: fc.option(fc.uint8Array({ minLength: 1 })),
      index: fc.maxSafeNat(),
      path: fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { maxLength: 63 }),
      checkpoint: fc.string({ unit: 'binary', minLength: 1 }),
    });
    fc.assert(fc.property(proofs, (proof) => expect(parse(formatTlogProof(proof))).toEqual(proof)));
    const nearly = fc.tuple(proofs, fc.nat(), fc.nat(255)).map(([proof, at, byte]) => {
      const bytes = utf8.encode(formatTlogProof(proof));
      bytes[at % bytes.length] = byte;
      return bytes;
    });
    const any = fc.property(fc.oneof(fc.uint8Array(), nearly), (bytes) => {
      try {
        expect(utf8.encode(formatTlogProof(parseTlogProof(bytes)))).toEqual(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(TlogProofError);
      }
    });
    fc.assert(any, { numRuns: 500 });
  });

  test('leads from an entry to the signed root', () => {
    const signer = newNoteSigner('log.example', 'ed25519');
    const leaves = ['zero', 'one', 'two'].map((entry) => leafHash(p, utf8.encode(entry)));
    const tree = new Frontier(p);
    for (const leaf of leaves) tree.append(leaf);
    const text = checkpointText({ origin: 'log.example', size: 3, root: tree.root() });
    const path = inclusionPath(p, 2, 3, (level, index) => {
      const pair = new Frontier(p);
      for (const leaf of leaves.slice(0, 2)) pair.append(leaf);
      return level === 0 ? (leaves[index] ?? new Uint8Array()) : pair.root();
    });
    const checkpoint = formatNote({ text, signatures: [signer.sign(text)] });
    const proof = parse(formatTlogProof({ extra: utf8.encode('two'), index: 2, path, checkpoint }));
    const opened = openCheckpoint(p, utf8.encode(proof.checkpoint), [signer.key]);
    const leaf = leafHash(p, proof.extra ?? new Uint8Array());
    expect(verifyInclusion(p, { leaf, index: proof.index, path: proof.path, ...opened.checkpoint })).toBe(
      true,
    );
  });
});
