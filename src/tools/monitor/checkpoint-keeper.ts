import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { LogSource } from '../../platform/tlog/source.ts';
import { equalBytes } from '../../proof/encoding/equal-bytes.ts';
import { bytesToHex } from '../../proof/encoding/hex.ts';
import { CheckpointError, parseCheckpoint } from '../../proof/log/checkpoint.ts';
import { type Note, NoteError, parseNote } from '../../proof/log/note.ts';
import { openCheckpoint } from '../../proof/log/note-signature.ts';
import { groupDigits } from '../../proof/words/group-digits.ts';
import {
  type CheckpointPage,
  type CheckpointPages,
  type ListedCheckpoint,
  UnlistedFailure,
  WRONG_LIST,
} from './checkpoint-pages.ts';
import type { LogCopy } from './copy.ts';
import { EquivocationError, type SignedTree } from './equivocation.ts';
import { type Cosigned, KeptFile } from './kept-file.ts';
import { secondsIn, statedSeconds } from './keys/freshness.ts';
import { unique, verifiersOf } from './keys/log-keys.ts';
import type { PinnedKeys } from './keys/pinned-keys.ts';

/** A service keeps a checkpoint a minute. After a longer pause, its list has more than this monitor saw. */
const PAUSE_MS = 90_000;
/** Most reads of the list need only the newest rows. */
const FIRST_PAGE = 10;
const ROWS_MAX = 1_000_000;
/** A listed note with more characters is not kept. A note with 16 ML-DSA-44 signatures is shorter. */
const NOTE_MAX = 2 ** 16;
const PROBLEMS_MAX = 10;

class DamagedCopy extends Failure {}

/** What a keeper gets from its monitor. */
interface KeeperOptions {
  source: LogSource;
  keys: PinnedKeys;
  /** The list of the service; null for a server that has only files. */
  list: CheckpointPages | null;
  clock: Clock;
  say: (sentence: string) => void;
}

/**
 * Keeps checkpoints that witnesses cosigned, with the copy of a log. They bound when an entry was written.
 * Every one is signed by a key of the log, and has the root of the same entries in the copy. The reader
 * decides which witnesses count.
 */
export class CheckpointKeeper {
  private readonly file: KeptFile;
  /** When a cosigned checkpoint was read last; null before the first. */
  private seenAt: number | null = null;
  private hasSaidUnlisted = false;

  constructor(
    private readonly copy: LogCopy,
    private readonly options: KeeperOptions,
  ) {
    this.file = new KeptFile(copy.directory);
  }

  /**
   * Reads the newest cosigned checkpoint. The newest of all must be read afterwards, so that the copy has the
   * entries of this one.
   * @throws Failure
   */
  async read(): Promise<Uint8Array> {
    return this.options.source.read(`${this.copy.name}/checkpoint?cosigned=yes`);
  }

  /**
   * Keeps a checkpoint, and those that the service has listed since the last one.
   * @param bytes from `read`
   * @returns problems of the checkpoint and of the list, one sentence each
   * @throws Equivocation for a checkpoint that contradicts the copy, Failure for a damaged copy
   */
  async keep(bytes: Uint8Array): Promise<string[]> {
    const { last } = this.copy;
    if (last === null) return [];
    const { origin } = last.checkpoint;
    const now = this.options.clock.now();
    try {
      const parsed = parseNote(bytes);
      if (!isCosigned(parsed, origin)) return [];
      if (parseCheckpoint(parsed.text).size > this.copy.size) return [];
      const signed = this.opened(bytes, origin, now);
      await this.mustBeInCopy(signed);
      const before = this.file.cosigned();
      const problems: string[] = [];
      // Otherwise the next round would begin after what was not read.
      if (!(await this.hasCaughtUp(signed, before, problems))) return problems;
      if (before?.note !== signed.note && !this.isOlder(signed, before)) {
        this.append([signed.note], problems);
        this.file.setCosigned(signed.note);
      }
      this.seenAt = now;
      return problems;
    } catch (error) {
      if (!(error instanceof NoteError || error instanceof CheckpointError)) throw error;
      return [`the newest cosigned checkpoint of ${origin} is not trusted: ${error.message}`];
    }
  }

  /**
   * Opens a checkpoint that a trusted key signed while it was allowed to.
   * @throws NoteError, CheckpointError
   */
  private opened(bytes: Uint8Array, origin: string, now: number): SignedTree {
    const { checkpoint, checks } = this.options.keys.open(bytes, origin, now);
    if (checkpoint.origin !== origin) throw new NoteError(`it is of ${JSON.stringify(checkpoint.origin)}`);
    return { note: Buffer.from(bytes).toString(), checkpoint, seconds: statedSeconds(checks) };
  }

  /**
   * Returns whether a checkpoint should not replace another: a replayed one does not make the newest older.
   */
  private isOlder({ checkpoint, seconds }: SignedTree, before: Cosigned | null): boolean {
    if (before === null) return false;
    if (checkpoint.size !== before.checkpoint.size) return checkpoint.size < before.checkpoint.size;
    const former = secondsIn(before.note, checkpoint.origin, this.options.keys.keys);
    return former !== null && (seconds === null || seconds < former);
  }

  /** @throws Equivocation, Failure for a damaged copy */
  private async mustBeInCopy(signed: SignedTree): Promise<void> {
    const { copy } = this;
    const { size, root } = signed.checkpoint;
    if (this.hasRoot(size, root)) return;
    // Reads all entries: a log is not accused because of a damaged tile.
    const copyRoot = await copy.rootAt(size);
    if (equalBytes(copyRoot, root))
      throw new DamagedCopy(
        `the copy in ${copy.directory} is damaged: its tiles do not match its entries`,
        'keep it for an investigation, and start another copy with --state',
      );
    if (copy.last === null) return;
    const reason = `the first ${size} of its ${copy.size} leaves have the root ${bytesToHex(copyRoot)}, and another cosigned checkpoint has ${bytesToHex(root)}`;
    throw new EquivocationError(copy.name, { ...copy.last, seconds: null }, signed, reason);
  }

  private hasRoot(size: number, root: Uint8Array): boolean {
    try {
      return equalBytes(this.copy.rootByTiles(size), root);
    } catch {
      return false;
    }
  }

  /**
   * Reads what the service has listed before the newest checkpoint, at the first start or after a pause.
   * @param before the one that was kept last
   * @param problems gets those of the list
   * @returns false if the list could not be read to its end
   */
  private async hasCaughtUp(
    newest: SignedTree,
    before: Cosigned | null,
    problems: string[],
  ): Promise<boolean> {
    const { list, say, clock } = this.options;
    if (list === null || (this.seenAt !== null && clock.now() - this.seenAt < PAUSE_MS)) return true;
    try {
      await this.readList(list, { newest, before }, problems);
    } catch (error) {
      if (error instanceof UnlistedFailure) {
        if (!this.hasSaidUnlisted)
          say(`${list.location} lists no checkpoints: only those that this monitor reads bound the times`);
        this.hasSaidUnlisted = true;
        return true;
      }
      if (!(error instanceof Failure) || error instanceof DamagedCopy) throw error;
      problems.push(`the kept checkpoints of ${list.location} cannot be read: ${error.message}`);
      return false;
    }
    return true;
  }

  private async readList(
    list: CheckpointPages,
    { newest, before }: { newest: SignedTree; before: Cosigned | null },
    problems: string[],
  ): Promise<void> {
    const cursors = new Set<string>();
    let rows = 0;
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: CheckpointPage = await list.at(cursor, cursor === '' ? FIRST_PAGE : undefined);
      const end = page.checkpoints.findIndex((row) => before !== null && isNotAfter(row, before));
      const newer = end === -1 ? page.checkpoints : page.checkpoints.slice(0, end);
      const notes: string[] = [];
      for (const { note } of newer)
        if (note !== newest.note && (await this.isToBeKept(note, problems))) notes.push(note);
      this.append(notes, problems);
      rows += newer.length;
      cursor = end === -1 ? page.next_cursor : null;
      if (cursor !== null && (cursors.has(cursor) || newer.length === 0 || rows > ROWS_MAX))
        throw new Failure(`the list of checkpoints at ${list.location} does not end`, WRONG_LIST);
      if (cursor !== null) cursors.add(cursor);
    }
  }

  /**
   * Returns whether a listed checkpoint is kept.
   * @throws Equivocation for one that contradicts the copy, by a key that is still trusted
   */
  private async isToBeKept(note: string, problems: string[]): Promise<boolean> {
    const { keys, clock } = this.options;
    const { last, size } = this.copy;
    const origin = last?.checkpoint.origin;
    if (origin === undefined) return false;
    const say = (problem: string): false => {
      if (problems.length < PROBLEMS_MAX)
        problems.push(`a listed checkpoint of ${origin} is not kept: ${problem}`);
      return false;
    };
    if (note.length > NOTE_MAX) return say(`it has more than ${groupDigits(NOTE_MAX)} characters`);
    // In UTF-8 it becomes another character, and the line in the file would not be the signed checkpoint.
    if (!note.isWellFormed()) return say('it has half of a surrogate pair');
    const bytes = Buffer.from(note);
    try {
      const parsed = parseNote(bytes);
      const stated = parseCheckpoint(parsed.text);
      if (stated.origin !== origin || stated.size > size || !isCosigned(parsed, origin)) return false;
      // Even by keys that have ended, since the tree is compared with the copy.
      const ever = unique([...keys.keys, ...keys.known.logKeys()]);
      const { checkpoint } = openCheckpoint(nativePrimitives, bytes, verifiersOf(ever, origin));
      if (this.hasRoot(checkpoint.size, checkpoint.root)) return true;
      await this.mustBeInCopy(this.opened(bytes, origin, clock.now()));
      return true;
    } catch (error) {
      if (error instanceof NoteError || error instanceof CheckpointError) return say(error.message);
      throw error;
    }
  }

  private append(notes: readonly string[], problems: string[]): void {
    if (this.file.append(notes)) return;
    const problem = `${this.file.path} is full: remove lines, which makes times less precise; until then no checkpoints are kept`;
    if (!problems.includes(problem)) problems.push(problem);
  }
}

/** Returns whether a note has a signature with another name than the log's. */
function isCosigned({ signatures }: Note, origin: string): boolean {
  return signatures.some(({ name }) => name !== origin);
}

/**
 * Returns whether a listed checkpoint is the one that was kept last, or an older one. A log that does not
 * grow has many of one size.
 */
function isNotAfter({ tree_size, note }: ListedCheckpoint, { checkpoint, note: before }: Cosigned): boolean {
  const { origin, size } = checkpoint;
  return tree_size < size || (tree_size === size && ownLines(note, origin) === ownLines(before, origin));
}

/** Returns a note without its cosignatures, whose number can grow. */
function ownLines(note: string, origin: string): string {
  return note
    .split('\n')
    .filter((line) => !line.startsWith('— ') || line.startsWith(`— ${origin} `))
    .join('\n');
}
