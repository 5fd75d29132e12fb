import { type Checkpoint, parseCheckpoint } from './checkpoint.ts';
import type { TrustedCheckpoint } from './log-keys.ts';
import { parseNote } from './note.ts';
import type { Cosignatures } from './quorum.ts';

/** The notes that are kept: more than the checkpoints of most lists. */
const NOTES_MAX = 64;
/** Longer ones are not kept: a note can have a mebibyte. */
const TEXT_MAX = 65_536;

/** What was found of a note so far. */
interface KnownNote {
  readonly text: string;
  checkpoint?: Checkpoint;
  opened?: TrustedCheckpoint;
  cosignatures?: Cosignatures;
}

const utf8 = new TextEncoder();

/**
 * What was found of checkpoints before, by the exact text of their notes: a document has one several times,
 * and the bundles of a list have the same. It is for one set of keys, one policy and one time. Errors are not
 * kept.
 */
export class KnownNotes {
  readonly #known = new Map<string, KnownNote>();
  #newest: KnownNote = { text: '' };

  /** Parses a note as a checkpoint. It verifies nothing. @throws NoteError, CheckpointError */
  checkpoint(text: string): Checkpoint {
    const note = this.#of(text);
    note.checkpoint ??= parseCheckpoint(parseNote(utf8.encode(text)).text);
    return note.checkpoint;
  }

  /** Returns the checkpoint that `open` opens by `openTrusted`. @throws what `open` throws */
  opened(text: string, open: (note: Uint8Array) => TrustedCheckpoint): TrustedCheckpoint {
    const note = this.#of(text);
    note.opened ??= open(utf8.encode(text));
    return note.opened;
  }

  /** Returns the cosignatures that `check` finds. @throws what `check` throws */
  cosignatures(text: string, check: (note: Uint8Array) => Cosignatures): Cosignatures {
    const note = this.#of(text);
    note.cosignatures ??= check(utf8.encode(text));
    return note.cosignatures;
  }

  #of(text: string): KnownNote {
    if (text === this.#newest.text) return this.#newest;
    this.#newest = this.#known.get(text) ?? this.#added(text);
    return this.#newest;
  }

  #added(text: string): KnownNote {
    const note: KnownNote = { text };
    if (text.length > TEXT_MAX) return note;
    this.#known.set(text, note);
    if (this.#known.size > NOTES_MAX) {
      const [oldest = text] = this.#known.keys();
      this.#known.delete(oldest);
    }
    return note;
  }
}
