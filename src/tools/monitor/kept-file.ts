import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../platform/failure.ts';
import { readText } from '../../platform/files/read.ts';
import { syncPath, writeSecretFile } from '../../platform/files/write.ts';
import { KEPT_CHECKPOINTS_MAX } from '../../proof/account/kept-checkpoints.ts';
import { type Checkpoint, parseCheckpoint } from '../../proof/log/checkpoint.ts';
import { parseNote } from '../../proof/log/note.ts';
import { messageOf } from '../../proof/log/problem.ts';

/** The kept checkpoints: a line of JSON with the `note` of each. `countersign verify --complete` reads it. */
const KEPT_FILE = 'checkpoints.ndjson';
/** The newest checkpoint that witnesses cosigned. The copy's checkpoint is usually newer and not cosigned. */
const COSIGNED_FILE = 'cosigned-checkpoint';
/**
 * The file does not grow beyond this: with ML-DSA-44, more than a year of a log that grows every minute.
 * Lines are not dropped for new ones: a hostile service could flood its list to make old times less precise.
 */
const KEPT_BYTES_MAX = 2 ** 32;
const NEWLINE = 0x0a;
const PIECE_BYTES = 2 ** 20;
/** More than the longest line: a killed process leaves a part of one. */
const TAIL_BYTES = 2 ** 20;

/** A cosigned checkpoint. */
export interface Cosigned {
  note: string;
  checkpoint: Checkpoint;
}

/** The checkpoints that a monitor keeps of a log with its copy. Lines are only appended. */
export class KeptFile {
  readonly path: string;
  private readonly cosignedPath: string;
  /** The number of lines up to where the file ended after the last `append`. */
  private counted = { end: 0, lines: 0 };

  /** @param directory of the copy of the log */
  constructor(
    private readonly directory: string,
    private readonly bytesMax = KEPT_BYTES_MAX,
    private readonly linesMax = KEPT_CHECKPOINTS_MAX,
  ) {
    this.path = join(directory, KEPT_FILE);
    this.cosignedPath = join(directory, COSIGNED_FILE);
  }

  /** Returns the newest cosigned checkpoint; null before the first. @throws Failure for a damaged file */
  cosigned(): Cosigned | null {
    if (!existsSync(this.cosignedPath)) return null;
    const note = readText(this.cosignedPath);
    try {
      return { note, checkpoint: parseCheckpoint(parseNote(Buffer.from(note)).text) };
    } catch (error) {
      throw new Failure(
        `${this.cosignedPath} is damaged: ${messageOf(error)}`,
        'remove it: the next check writes it again',
      );
    }
  }

  /** Replaces the newest cosigned checkpoint. @throws Failure */
  setCosigned(note: string): void {
    writeSecretFile(this.cosignedPath, note);
  }

  /**
   * Appends notes durably.
   * @returns false if the file would be too large or have too many lines.
   * @throws Failure
   */
  append(notes: readonly string[]): boolean {
    if (notes.length === 0) return true;
    try {
      const file = openSync(this.path, existsSync(this.path) ? 'r+' : 'wx+', 0o600);
      try {
        const end = endOfLines(file);
        const bytes = Buffer.from(notes.map((note) => `${JSON.stringify({ note })}\n`).join(''));
        // Somebody may have removed lines.
        if (this.counted.end !== end) this.counted = { end, lines: linesUpTo(file, end) };
        const lines = this.counted.lines + notes.length;
        if (end + bytes.length > this.bytesMax || lines > this.linesMax) return false;
        ftruncateSync(file, end);
        for (let written = 0; written < bytes.length; )
          written += writeSync(file, bytes, written, bytes.length - written, end + written);
        fsyncSync(file);
        this.counted = { end: end + bytes.length, lines };
      } finally {
        closeSync(file);
      }
      syncPath(this.directory);
      return true;
    } catch (error) {
      throw new Failure(
        `${this.path} cannot be written: ${messageOf(error)}`,
        'check the directory and its disk',
      );
    }
  }
}

/** Returns the number of bytes up to the end of the last whole line. */
function endOfLines(file: number): number {
  const { size } = fstatSync(file);
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
  const read = readSync(file, tail, 0, tail.length, size - tail.length);
  return size - tail.length + tail.subarray(0, read).lastIndexOf(NEWLINE) + 1;
}

/** Returns the number of lines that end before an offset. */
function linesUpTo(file: number, end: number): number {
  const piece = Buffer.alloc(Math.min(end, PIECE_BYTES));
  let lines = 0;
  for (let from = 0; from < end; ) {
    const size = readSync(file, piece, 0, Math.min(piece.length, end - from), from);
    if (size === 0) break;
    const bytes = piece.subarray(0, size);
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
    from += size;
  }
  return lines;
}
