import type { RestoreStep } from '../../../platform/store/migrations/schema.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import {
  ACTS_FILE,
  appendLines,
  compactActs,
  createActsFile,
  lineOf,
  newestLine,
  readActs,
} from './acts-file.ts';
import { isRestorePending } from './pending.ts';
import { actSeqOf, actsAfter, deleteActs, newestAct, oldestActSeq, runSteps } from './store.ts';

/** The acts that one step appends. */
const BATCH = 500;

/** The parts of the service that open the file. */
interface Opening {
  store: Store;
  clock: Clock;
  directory: string;
  /** Called with the error of a file that cannot be written. */
  failed(error: unknown): void;
  /** What the command restore changes in a backup. */
  corrections: readonly RestoreStep[];
}

/**
 * Brings what a restored backup must not undo from the database into the file beside it. Triggers store these
 * acts in the transaction of each; the function that responds to one waits for `written` first. What a crash
 * left out is appended at the next start.
 */
export class LastingActs {
  private running: Promise<void> = Promise.resolve();
  private next: Promise<void> | null = null;
  private isFailing = false;

  /**
   * @param appended the number of the newest act that the file has
   * @param wasMissing whether the start made a new file although the database has acts
   */
  constructor(
    private readonly opening: Opening,
    private appended: number,
    private readonly wasMissing = false,
  ) {}

  /**
   * Resolves when the file has all acts that were committed before the call. If it cannot be written, that is
   * logged, health says so, and the task tries again: what was done cannot be taken back.
   */
  written(): Promise<void> {
    if (this.next === null) {
      const step = this.running.then(() => {
        this.next = null;
        return this.append();
      });
      this.next = step;
      this.running = step;
    }
    return this.next;
  }

  /** What health says after a start that did not find the file; null without a notice. */
  get notice(): string | null {
    return this.wasMissing
      ? `${ACTS_FILE} was missing at the start: after a restore of an older backup, deleted keys and paid payouts would not be known. Put the file back while the service is stopped, or make a new backup and delete older ones.`
      : null;
  }

  /** What health says while the file cannot be written; null without a problem. */
  get problem(): string | null {
    return this.isFailing
      ? 'Deletions of keys and ends of payouts cannot be written to irrevocable.ndjson; see the log.'
      : null;
  }

  /** Appends what is left, and deletes what the file has. The newest act stays. */
  async keep(): Promise<void> {
    await this.written();
    const { store } = this.opening;
    const oldest = await store.read(oldestActSeq);
    if (oldest === null || oldest >= this.appended) return;
    const before = Math.min(this.appended, oldest + BATCH);
    await store.writeAsService((tx) => deleteActs(tx, before));
  }

  private async append(): Promise<void> {
    const { store, directory, failed } = this.opening;
    try {
      while (true) {
        const acts = await store.read((snapshot) =>
          actsAfter(snapshot, { after: this.appended, limit: BATCH }),
        );
        const last = acts.at(-1);
        if (last !== undefined) {
          await appendLines(directory, acts.map(lineOf));
          this.appended = last.actSeq;
        }
        this.isFailing = false;
        if (acts.length < BATCH) return;
      }
    } catch (error) {
      this.isFailing = true;
      failed(error);
    }
  }
}

/**
 * Opens the file of a data directory, and makes it whole. If the newest line is not in the database, the
 * database is older than the file: somebody put a backup in its place. Money waits until that is accepted.
 */
export async function openLastingActs(opening: Opening): Promise<LastingActs> {
  const { store, clock, directory } = opening;
  const line = newestLine(directory);
  if (line === null) createActsFile(directory, clock.now());
  const known = line === null || line === undefined || line.act === 'begin' ? null : line.id;
  const { seq, newest } = await store.read(async (snapshot) => ({
    seq: known === null ? 0 : await actSeqOf(snapshot, known),
    newest: await newestAct(snapshot),
  }));
  // Those of an older database were appended before, or their answer was never sent.
  const acts = new LastingActs(opening, seq ?? newest?.actSeq ?? 0, line === null && newest !== null);
  if (seq === null) await correctRestored(opening);
  else if (known !== null && !(await store.read(isRestorePending))) await compactActs(directory, clock.now());
  await acts.written();
  return acts;
}

/**
 * Returns the SHA-256 of the keys that were deleted, while a restore is not accepted: until then the database
 * may have them, and whoever stole one could make another with it.
 */
export async function deletedKeys({
  store,
  directory,
}: Pick<Opening, 'store' | 'directory'>): Promise<ReadonlySet<string>> {
  if (!(await store.read(isRestorePending))) return new Set();
  const lines = (await readActs(directory))?.lines ?? [];
  return new Set(lines.flatMap((line) => (line.act === 'key_deleted' ? [line.key_hash] : [])));
}

/**
 * Changes a database that somebody put in place as the command restore does: open payouts are held, because
 * they may have been paid since, sessions end, and money waits. Once only: what the administrator decided
 * since stays so.
 */
function correctRestored({ store, corrections }: Opening): Promise<void> {
  return store.writeAsService(async (tx) => {
    if (!(await isRestorePending(tx))) await runSteps(tx, corrections);
  });
}
