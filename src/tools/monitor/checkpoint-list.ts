import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { bytesToHex } from '../../proof/encoding/hex.ts';
import { parseTimestamp } from '../../proof/encoding/timestamp.ts';
import type { Checkpoint } from '../../proof/log/checkpoint.ts';
import type { LogName } from '../../proof/log/log-names.ts';
import { NoteError, type VerifierKey } from '../../proof/log/note.ts';
import { openCheckpoint } from '../../proof/log/note-signature.ts';
import type { Problem } from '../../proof/log/problem.ts';
import { COMPLETE_MS, REFRESH_MS } from '../../proof/log/retention.ts';
import { groupDigits } from '../../proof/words/group-digits.ts';
import {
  type CheckpointPage,
  CheckpointPages,
  type ListedCheckpoint,
  WRONG_LIST,
} from './checkpoint-pages.ts';
import type { FetchBudget } from './fetch-budget.ts';

/** Reading a list stops after this many problems. */
const WRONG_MAX = 100;
/** The number of checkpoints signed by unknown keys that are deferred until the key log has been read. */
const LATER_MAX = 1000;
const LATER_NOTE_MAX = 2 ** 16;
/** The size and root of every checkpoint stay in memory. */
const CHECKPOINTS_MAX = 1_000_000;
/**
 * The maximum number of consecutive checkpoints with one size and time. Setting the clock back makes some.
 */
const SAME_MAX = 100;
/** The part of a listed checkpoint that is compared with the tree. */
export interface ListedRoot {
  id: string;
  /** The `root_hash` in the list. */
  root: string;
}

/** Counts what was read of a list. */
export interface ListProgress {
  checkpoints: number;
  signatures: number;
}

/**
 * Reads the list of a log's checkpoints from a service, page by page, newest first. Every note is compared
 * with its row; then only the size, id and root stay in memory.
 */
export class CheckpointList {
  /** The listed roots by tree size. */
  readonly roots = new Map<number, ListedRoot[]>();
  private readonly later: ListedCheckpoint[] = [];
  private readonly pages: CheckpointPages;

  constructor(
    api: URL,
    log: LogName,
    private readonly seen: ListProgress,
    budget: FetchBudget,
  ) {
    this.pages = new CheckpointPages(api, log, budget);
  }

  /**
   * Reads the list to its end. It stops early where the list is not ordered: sizes and times must not
   * increase, and no page may repeat.
   *
   * @param origin of the log
   * @param keys the known log keys; checkpoints that none of them signed are deferred to `rest`
   * @throws Failure for a list that cannot be read
   */
  async *read(origin: string, keys: readonly VerifierKey[]): AsyncGenerator<Problem | null> {
    let wrong = 0;
    let listed = 0;
    let after: ListedCheckpoint | null = null;
    let newest: ListedCheckpoint | null = null;
    let same = 0;
    const since = performance.now();
    // The service deletes old checkpoints even while this reads. Its newest is then later than the first one.
    const mayLack = (row: ListedCheckpoint): boolean =>
      newest !== null && ageMs(row, newest) + REFRESH_MS + performance.now() - since > COMPLETE_MS;
    const cursors = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { checkpoints, next_cursor }: CheckpointPage = await this.pages.at(cursor);
      for (const row of checkpoints) {
        this.seen.checkpoints++;
        if (++listed > CHECKPOINTS_MAX)
          throw new Failure(
            `${this.pages.location} lists more than ${groupDigits(CHECKPOINTS_MAX)} checkpoints of a log`,
            'audit the files of the log instead: specify their address, up to and including /log',
          );
        const problems = [
          ...(after === null ? [] : orderProblems(after, row, origin, mayLack(after))),
          ...this.noteProblems(row, origin, keys),
        ];
        yield* problems;
        wrong += problems.length;
        if (wrong >= WRONG_MAX || (after !== null && goesBack(after, row))) return;
        same = after?.tree_size === row.tree_size && after.issued_at === row.issued_at ? same + 1 : 0;
        if (same > SAME_MAX || (next_cursor !== null && cursors.has(next_cursor)))
          throw new Failure(`the list of checkpoints at ${this.pages.location} does not end`, WRONG_LIST);
        const { tree_size: size, checkpoint_id: id, root_hash: root } = row;
        const sameSize = this.roots.get(size);
        if (sameSize === undefined) this.roots.set(size, [{ id, root }]);
        else sameSize.push({ id, root });
        newest ??= row;
        after = row;
      }
      yield null;
      if (next_cursor !== null && checkpoints.length === 0)
        throw new Failure(
          `${this.pages.location} lists checkpoints with an empty page that is not the last`,
          WRONG_LIST,
        );
      if (next_cursor !== null) cursors.add(next_cursor);
      cursor = next_cursor;
    }
    if (after === null)
      yield {
        table: 'checkpoint',
        row: {},
        log: origin,
        what: 'the list is empty, but the log has a checkpoint',
      };
    else if (after.previous_checkpoint_id !== null && !mayLack(after)) yield notBefore(after, origin);
  }

  /** Returns the problems of the deferred checkpoints. Call it after reading the key log. */
  rest(origin: string, keys: readonly VerifierKey[]): Problem[] {
    return this.later.splice(0).flatMap((row) => this.noteProblems(row, origin, keys, true));
  }

  /**
   * Returns whether a checkpoint is listed. If it is not in the list, reads the first page again.
   * @throws Failure
   */
  async has({ size, root }: Pick<Checkpoint, 'size' | 'root'>): Promise<boolean> {
    const hex = bytesToHex(root);
    if (this.roots.get(size)?.some((row) => row.root === hex) === true) return true;
    const { checkpoints } = await this.pages.at('');
    return checkpoints.some((row) => row.tree_size === size && row.root_hash === hex);
  }

  private noteProblems(
    row: ListedCheckpoint,
    origin: string,
    keys: readonly VerifierKey[],
    isLast = false,
  ): Problem[] {
    const problem = (what: string): Problem[] => [{ ...checkpointReference(row, origin), what }];
    try {
      const { checkpoint, checks } = openCheckpoint(nativePrimitives, Buffer.from(row.note), keys);
      this.seen.signatures += checks.length;
      const inNote = [checkpoint.origin, checkpoint.size, bytesToHex(checkpoint.root)].join(' ');
      const inRow = [row.origin, row.tree_size, row.root_hash].join(' ');
      if (inNote === inRow && checkpoint.origin === origin) return [];
      return problem(`its note has ${inNote}, but its row ${inRow}`);
    } catch (error) {
      if (
        !isLast &&
        error instanceof NoteError &&
        this.later.length < LATER_MAX &&
        row.note.length < LATER_NOTE_MAX
      ) {
        this.later.push(row);
        return [];
      }
      return problem(`its note is invalid: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/**
 * Returns the problems of a checkpoint together with the next, older one in the list.
 * @param mayLack true if the service may have deleted checkpoints between them
 */
function orderProblems(
  row: ListedCheckpoint,
  before: ListedCheckpoint,
  origin: string,
  mayLack: boolean,
): Problem[] {
  const problems: Problem[] = [];
  const { previous_checkpoint_id: previous } = row;
  if (previous !== before.checkpoint_id && (previous === null || !mayLack))
    problems.push(notBefore(row, origin));
  if (goesBack(row, before))
    problems.push({
      ...checkpointReference(row, origin),
      what: 'its size or its time is less than in the previous checkpoint',
    });
  return problems;
}

function notBefore(row: ListedCheckpoint, origin: string): Problem {
  return {
    ...checkpointReference(row, origin),
    what: 'previous_checkpoint_id is not the id of the previous checkpoint',
  };
}

/** Returns by how much a checkpoint is older than the newest, in milliseconds; 0 for an invalid time. */
function ageMs({ issued_at }: ListedCheckpoint, newest: ListedCheckpoint): number {
  const [time, last] = [parseTimestamp(issued_at), parseTimestamp(newest.issued_at)];
  return time === null || last === null ? 0 : last - time;
}

/**
 * Returns whether the older checkpoint `before` has a larger tree or a later time, or an invalid time. Equal
 * values are allowed.
 */
function goesBack(row: ListedCheckpoint, before: ListedCheckpoint): boolean {
  const [time, earlier] = [parseTimestamp(row.issued_at), parseTimestamp(before.issued_at)];
  if (time === null || earlier === null) return true;
  return before.tree_size > row.tree_size || earlier > time;
}

function checkpointReference({ checkpoint_id: id }: ListedCheckpoint, log: string) {
  return { table: 'checkpoint', row: {}, id, log };
}
