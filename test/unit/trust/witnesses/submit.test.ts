import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { checkpointText } from '../../../../src/proof/checkpoint.ts';
import { formatNote, signatureLine } from '../../../../src/proof/note.ts';
import { verifiedLines, WitnessFailure } from '../../../../src/trust/witnesses/submit.ts';
import { newNoteSigner } from '../../proof/signed-notes.ts';

const log = newNoteSigner('log.example', 'ed25519');
const witness = newNoteSigner('w.example', 'cosignature');
const text = checkpointText({ origin: 'log.example', size: 7, root: new Uint8Array(32) });
const note = formatNote({ text, signatures: [log.sign(text)] });
const good = signatureLine(witness.sign(text));
const policy = [{ name: 'w', key: witness.key }];

test('a good line is kept as it stands', () => {
  expect(verifiedLines(good, note, policy)).toEqual([
    { witness: 'w.example', keyId: witness.key.keyId, line: good },
  ]);
});

test('whatever else is answered is either refused by its reason or holds the good line', () => {
  const edited = fc
    .tuple(fc.nat(good.length - 1), fc.constantFrom('', '\n', ' ', 'A', '—', '+', '='))
    .map(([at, part]) => good.slice(0, at) + part + good.slice(at + 1));
  const stranger = signatureLine(newNoteSigner('stranger', 'mlDsa44').sign(text));
  const lines = fc
    .array(
      fc.oneof(fc.constantFrom(good, stranger, signatureLine(log.sign(text)), '\n', ''), edited, fc.string()),
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(lines, (answer) => {
      try {
        const kept = verifiedLines(answer, note, policy);
        expect(kept.map(({ line }) => line)).toEqual([good]);
        expect(answer).toContain(good);
      } catch (error) {
        expect(error).toBeInstanceOf(WitnessFailure);
      }
    }),
    { numRuns: 1000 },
  );
});
