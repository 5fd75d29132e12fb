import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { fetchOk } from '../../platform/network/fetch.ts';
import { groupDigits } from '../../platform/terminal/progress.ts';
import { bytesToHex } from '../../proof/encoding/hex.ts';
import { parseTimestamp } from '../../proof/encoding/timestamp.ts';
import type { Checkpoint } from '../../proof/log/checkpoint.ts';
import type { LogName } from '../../proof/log/log-names.ts';
import { NoteError, type VerifierKey } from '../../proof/log/note.ts';
import { openCheckpoint } from '../../proof/log/note-signature.ts';
import type { Problem } from '../../proof/log/problem.ts';
import { COMPLETE_MS, REFRESH_MS } from '../../proof/log/retention.ts';
import type { FetchBudget } from './fetch-budget.ts';

const PAGE = 100;
/** Reading a list stops after this many problems. */
const WRONG_MAX = 100;
/** The number of checkpoints signed by unknown keys that are deferred until the key log has been read. */
const LATER_MAX = 1000;
const LATER_NOTE_MAX = 2 ** 16;
/** The size and root of every checkpoint stay in memory. */
const CHECKPOINTS_MAX = 1_000_000;
/** The maximum number of consecutive checkpoints with the same size and time; a clock that was set back causes a few. */
const SAME_MAX = 100;
const WRONG_LIST =
  'check that the URL is of a countersign service, and report the error to its administrator';
const FETCHING = {
  maxBytes: 8 * 2 ** 20,
  timeoutMs: 30_000,
  failed: 'does not list checkpoints',
  hint: 'if only the files of the log are served, name their address, up to and including /log',
};

const CheckpointPage = Type.Object({
  checkpoints: Type.Array(
    Type.Object({
      checkpoint_id: Type.String({ maxLength: 100 }),
      origin: Type.String({ maxLength: 1000 }),
      tree_size: Type.Integer({ minimum: 0 }),
      root_hash: Type.String({ maxLength: 64 }),
      issued_at: Type.String({ maxLength: 40 }),
      previous_checkpoint_id: Type.Union([Type.String({ maxLength: 100 }), Type.Null()]),
      note: Type.String(),
    }),
  ),
  next_cursor: Type.Union([Type.String({ maxLength: 4096 }), Type.Null()]),
});
type Page = Static<typeof CheckpointPage>;
type Listed = Page['checkpoints'][number];

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
 * Reads the list of a log's checkpoints from a service, page by page, newest first. Every note is compared with its row; then only
 * the size, id and root stay in memory.
 */
export class CheckpointList {
  /** The listed roots by tree size. */
  readonly roots = new Map<number, ListedRoot[]>();
  private readonly later: Listed[] = [];

  constructor(
    private readonly api: URL,
    private readonly log: LogName,
    private readonly seen: ListProgress,
    private readonly budget: FetchBudget,
  ) {}

  /**
   * Reads the list to its end. It stops early where the list is not ordered: sizes and times must not increase, and no page may
   * repeat.
   *
   * @param origin of the log
   * @param keys the known log keys; checkpoints that none of them signed are deferred to `rest`
   * @throws Failure for a list that cannot be read
   */
  async *read(origin: string, keys: readonly VerifierKey[]): AsyncGenerator<Problem | null> {
    let wrong = 0;
    let listed = 0;
    let after: Listed | null = null;
    let newest: Listed | null = null;
    let same = 0;
    const since = performance.now();
    // The service also deletes old checkpoints while this reads them: by then its newest is later than the one read first.
    const mayLack = (row: Listed): boolean =>
      newest !== null && ageMs(row, newest) + REFRESH_MS + performance.now() - since > COMPLETE_MS;
    const cursors = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { checkpoints, next_cursor }: Page = await this.pageAt(cursor);
      for (const row of checkpoints) {
        this.seen.checkpoints++;
        if (++listed > CHECKPOINTS_MAX)
          throw new Failure(
            `${this.api.origin} lists more than ${groupDigits(CHECKPOINTS_MAX)} checkpoints of a log`,
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
          throw new Failure(`the list of checkpoints at ${this.api.origin} does not end`, WRONG_LIST);
        const { tree_size: size, checkpoint_id: id, root_hash: root } = row;
        const there = this.roots.get(size);
        if (there === undefined) this.roots.set(size, [{ id, root }]);
        else there.push({ id, root });
        newest ??= row;
        after = row;
      }
      yield null;
      if (next_cursor !== null && checkpoints.length === 0)
        throw new Failure(
          `${this.api.origin} lists checkpoints with an empty page that is not the last`,
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

  /** Returns whether a checkpoint is listed. If it is not in the list read before, the first page is read again. @throws Failure */
  async has({ size, root }: Pick<Checkpoint, 'size' | 'root'>): Promise<boolean> {
    const hex = bytesToHex(root);
    if (this.roots.get(size)?.some((row) => row.root === hex) === true) return true;
    const { checkpoints } = await this.pageAt('');
    return checkpoints.some((row) => row.tree_size === size && row.root_hash === hex);
  }

  private noteProblems(row: Listed, origin: string, keys: readonly VerifierKey[], isLast = false): Problem[] {
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

  private async pageAt(cursor: string): Promise<Page> {
    const url = new URL('/api/v1/receipts/checkpoints', this.api);
    url.searchParams.set('log', this.log);
    url.searchParams.set('limit', String(PAGE));
    if (cursor !== '') url.searchParams.set('cursor', cursor);
    const bytes = await this.budget.spend(this.api.origin, () => fetchOk(url.href, FETCHING));
    let value: unknown;
    try {
      value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    } catch (error) {
      throw new Failure(
        `${this.api.origin} ${FETCHING.failed}: ${error instanceof Error ? error.message : String(error)}`,
        FETCHING.hint,
      );
    }
    if (Value.Check(CheckpointPage, value)) return value;
    throw new Failure(
      `${this.api.origin} lists checkpoints in a form that the API does not have`,
      WRONG_LIST,
    );
  }
}

/**
 * Returns the problems of a checkpoint together with the next, older one in the list.
 * @param mayLack true if the service may have deleted checkpoints between them
 */
function orderProblems(row: Listed, before: Listed, origin: string, mayLack: boolean): Problem[] {
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

function notBefore(row: Listed, origin: string): Problem {
  return {
    ...checkpointReference(row, origin),
    what: 'previous_checkpoint_id is not the id of the previous checkpoint',
  };
}

/** Returns by how much a checkpoint is older than the newest, in milliseconds; 0 for an invalid time. */
function ageMs({ issued_at }: Listed, newest: Listed): number {
  const [time, last] = [parseTimestamp(issued_at), parseTimestamp(newest.issued_at)];
  return time === null || last === null ? 0 : last - time;
}

/** Returns whether the older checkpoint `before` has a larger tree or a later time, or an invalid time. Equal values are allowed. */
function goesBack(row: Listed, before: Listed): boolean {
  const [time, earlier] = [parseTimestamp(row.issued_at), parseTimestamp(before.issued_at)];
  if (time === null || earlier === null) return true;
  return before.tree_size > row.tree_size || earlier > time;
}

function checkpointReference({ checkpoint_id: id }: Listed, log: string) {
  return { table: 'checkpoint', row: {}, id, log };
}
