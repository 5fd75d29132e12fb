import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { CheckpointError, checkpointText, parseCheckpoint } from '../../../../src/proof/log/checkpoint.ts';
import { parseNote } from '../../../../src/proof/log/note.ts';

const ROOT = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=';
const TEXT = `example.com/behind-the-sofa\n20852163\n${ROOT}\n`;
/** The example of C2SP tlog-cosignature: by the log and by a witness. */
const EXAMPLE = `${TEXT}
— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
`;

describe('a checkpoint', () => {
  test('is read as the examples of C2SP say', () => {
    const note = parseNote(new TextEncoder().encode(EXAMPLE));
    const checkpoint = parseCheckpoint(note.text);
    expect(checkpoint.origin).toBe('example.com/behind-the-sofa');
    expect(checkpoint.size).toBe(20852163);
    expect(Buffer.from(checkpoint.root).toString('base64')).toBe(ROOT);
    expect(checkpoint.extensions).toEqual([]);
    expect(checkpointText(checkpoint)).toBe(note.text);
    // Eight bytes of time in the cosignature: 20 March 2023.
    const { signature } = note.signatures[1] ?? { signature: new Uint8Array(8) };
    expect(new DataView(signature.slice(0, 8).buffer).getBigUint64(0)).toBe(1679315147n);
  });

  test('may have an origin of any words, size 0 and extension lines', () => {
    const read = parseCheckpoint(`my log + 1\n0\n${ROOT}\none\n two \n`);
    expect(read).toMatchObject({ origin: 'my log + 1', size: 0, extensions: ['one', ' two '] });
    expect(parseCheckpoint(`a\n9007199254740991\n${ROOT}\n`).size).toBe(Number.MAX_SAFE_INTEGER);
  });

  test.each<[string, string, string]>([
    ['nothing', '', 'an empty line'],
    ['no last newline', TEXT.slice(0, -1), 'does not end with a newline'],
    ['an empty origin', `\n1\n${ROOT}\n`, 'an empty line'],
    ['two lines', 'a\n1\n', 'root'],
    ['an empty extension line', `a\n1\n${ROOT}\n\n`, 'an empty line'],
    ['an empty line before extensions', `a\n1\n${ROOT}\n\nx\n`, 'an empty line'],
    ['a leading zero', `a\n01\n${ROOT}\n`, 'decimal'],
    ['a sign', `a\n+1\n${ROOT}\n`, 'decimal'],
    ['a negative size', `a\n-1\n${ROOT}\n`, 'decimal'],
    ['an exponent', `a\n1e3\n${ROOT}\n`, 'decimal'],
    ['no size', `a\n\n${ROOT}\n`, 'decimal'],
    ['a space', `a\n1 \n${ROOT}\n`, 'decimal'],
    ['digits of another script', `a\n١\n${ROOT}\n`, 'decimal'],
    ['a size of 2^53', `a\n9007199254740992\n${ROOT}\n`, 'decimal'],
    ['a size of 2^64', `a\n18446744073709551616\n${ROOT}\n`, 'decimal'],
    ['a short root', 'a\n1\nAAAA\n', 'root'],
    ['a root in hexadecimal', `a\n1\n${'ab'.repeat(32)}\n`, 'root'],
    ['a root with stray bits', `a\n1\n${ROOT.replace('2I=', '2J=')}\n`, 'root'],
  ])('with %s is refused', (_, text, message) => {
    expect(() => parseCheckpoint(text)).toThrow(CheckpointError);
    expect(() => parseCheckpoint(text)).toThrow(message);
  });

  const root = new Uint8Array(32);
  test.each([
    { origin: '', size: 1, root },
    { origin: 'a\n', size: 1, root },
    { origin: `a\n1\n${ROOT}`, size: 1, root },
    { origin: `a\n1\n${ROOT}\nb`, size: 1, root },
    { origin: 'a\tb', size: 1, root },
    { origin: 'a\ud800', size: 1, root },
    { origin: 'a', size: -1, root },
    { origin: 'a', size: 1.5, root },
    { origin: 'a', size: 2 ** 53, root },
    { origin: 'a', size: 1, root: root.subarray(1) },
  ])('is not written for %j', (checkpoint) => {
    expect(() => checkpointText(checkpoint)).toThrow(CheckpointError);
  });

  test('is read as it was written, and refused by a CheckpointError alone', () => {
    const parts = fc.record({
      origin: fc.string({ unit: 'binary' }).map((text) => `x${text.replace(/\p{Cc}/gu, '')}`),
      size: fc.maxSafeNat(),
      root: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    });
    const written = fc.property(parts, (checkpoint) => {
      expect(parseCheckpoint(checkpointText(checkpoint))).toEqual({ ...checkpoint, extensions: [] });
    });
    fc.assert(written);
    const line = fc.oneof(fc.string(), fc.nat().map(String), fc.constant(ROOT));
    const any = fc.property(fc.array(line), (lines) => {
      try {
        const { origin, size } = parseCheckpoint(lines.join('\n'));
        expect([origin, String(size)]).toEqual(lines.slice(0, 2));
      } catch (error) {
        expect(error).toBeInstanceOf(CheckpointError);
      }
    });
    fc.assert(any, { numRuns: 500 });
  });
});
