import { describe, expect, test } from 'bun:test';
import { CheckpointError } from '../../../../src/proof/log/checkpoint.ts';
import { KnownNotes } from '../../../../src/proof/log/known-notes.ts';
import type { TrustedCheckpoint } from '../../../../src/proof/log/log-keys.ts';
import { NoteError } from '../../../../src/proof/log/note.ts';
import { smallLog, testKey } from '../../../support/small-log.ts';

const note = (name: string): string => smallLog(`${name}/receipts`, ['a'], [testKey(1)], 1).checkpoint;

/** Returns what opens notes, and counts. */
function opening() {
  const known = new KnownNotes();
  const asked: string[] = [];
  const open = (text: string): TrustedCheckpoint =>
    known.opened(text, (bytes) => {
      asked.push(Buffer.from(bytes).toString());
      return { ...known.checkpoint(text), time: null, closed: null };
    });
  return { known, asked, open };
}

describe('what was found of a note', () => {
  test('is found once for exactly its text', () => {
    const { known, asked, open } = opening();
    const [one, other] = [note('one.example'), note('other.example')];
    const opened = open(one);
    expect(opened.origin).toBe('one.example/receipts');
    expect(open(other).origin).toBe('other.example/receipts');
    expect(open(one)).toBe(opened);
    // Another signature line, although the signed text is the same.
    open(`${one}${other.slice(other.lastIndexOf('— '))}`);
    expect(asked.length).toBe(3);
    const checked = { log: 'one', tree_size: 1, signed: [], missing: [], attested_at: null };
    expect(known.cosignatures(one, () => ({ ...checked, check: 'ok' })).check).toBe('ok');
    expect(known.cosignatures(one, () => ({ ...checked, check: 'bad' })).check).toBe('ok');
    expect(known.cosignatures(other, () => ({ ...checked, check: 'bad' })).check).toBe('bad');
  });

  test('is no error: each is found again', () => {
    const known = new KnownNotes();
    const refuse = () => {
      throw new NoteError('refused');
    };
    const one = note('one.example');
    expect(() => known.opened(one, refuse)).toThrow('refused');
    expect(known.opened(one, () => ({ ...known.checkpoint(one), time: 1, closed: null })).time).toBe(1);
    expect(() => known.checkpoint('')).toThrow(NoteError);
    expect(() => known.checkpoint('no checkpoint\n\n— a AAAAAAA=\n')).toThrow(CheckpointError);
    expect(() => known.checkpoint('no checkpoint\n\n— a AAAAAAA=\n')).toThrow(CheckpointError);
  });

  test('is kept of the last 64 notes only, and of none that is long', () => {
    const { asked, open } = opening();
    const notes = Array.from({ length: 65 }, (_, index) => note(`${index}.example`));
    for (const one of [...notes, notes[64] ?? '', notes[1] ?? '']) open(one);
    expect(asked.length).toBe(65);
    open(notes[0] ?? '');
    expect(asked.length).toBe(66);
    const long = note('x'.repeat(65_536));
    for (const one of [long, notes[64] ?? '', long]) open(one);
    expect(asked.length).toBe(68);
  });
});
