import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { DAY_MS } from '../../../platform/time/units.ts';
import { COMPLETE_MS } from '../../../proof/log/retention.ts';
import { allLogs, type LogRow } from '../logs.ts';
import type { CosignedCheckpoints } from './cosigned.ts';
import {
  type CheckpointTime,
  checkpointTimes,
  cosignersOf,
  deleteCheckpoints,
  firstCosigners,
  newestTimeOf,
} from './thinning-store.ts';

/** The checkpoints that one transaction deletes: about 1 ms of the main thread. */
const ROWS_DELETED = 50;
/** The transactions of one run, so that a server that stops does not wait for long. */
const BATCHES = 100;
/**
 * The checkpoints that one read returns: about 2 ms, and more than there are in ten minutes of a thinned log.
 */
const ROWS_READ = 2000;
/** The cosignatures of a log among which the first checkpoint that meets the quorum is searched. */
const FIRST_COSIGNATURES = 1000;

/** A step of thinning: of the checkpoints of each interval, one or two stay. */
interface Step {
  intervalMs: number;
  /** The step applies to intervals that end this long before the newest checkpoint of the log. */
  olderMs: number;
}

/** A key that cosigned a checkpoint. */
type Cosigner = Parameters<CosignedCheckpoints['isCosigned']>[0]['cosignatures'][number];

/** An interval with checkpoints in it, oldest first. */
interface Interval {
  /** RFC 3339, exclusive. */
  end: string;
  checkpoints: CheckpointTime[];
}

/**
 * Deletes most old checkpoints, with their cosignatures, so that a log that grows without pause does not fill
 * the disk. After an hour one checkpoint a minute stays, and after some days one in ten minutes: the newest
 * of the interval. Its newest cosigned checkpoint stays too. So do the first cosigned ones of the log, since
 * nothing else shows that later leaves were not there before. Ages count from the newest checkpoint of the
 * log. The result depends only on the database, not on the clock, the time of a run, or an interruption. The
 * trigger `checkpoint_stays` refuses what must never happen.
 */
export class Thinning {
  private readonly steps: readonly Step[];
  /**
   * The time (RFC 3339) before which a step is done, by log and interval. A start examines everything once,
   * and so does each day.
   */
  private readonly doneBefore = new Map<string, string>();
  /** The day of the newest checkpoint when everything was examined last, by log and interval. */
  private readonly examinedOn = new Map<string, string>();
  /** The first cosigned checkpoints, by log, as far as this run needed them. */
  private readonly firstCosigned = new Map<number, readonly number[]>();

  /** @param keepDays the days for which one checkpoint a minute stays */
  constructor(
    private readonly store: Store,
    private readonly cosigned: Pick<CosignedCheckpoints, 'isCosigned'>,
    keepDays: number,
  ) {
    this.steps = [
      { intervalMs: 60_000, olderMs: COMPLETE_MS },
      { intervalMs: 600_000, olderMs: keepDays * DAY_MS },
    ];
  }

  /** Deletes what is due, up to a limit; the next run continues. */
  async run(): Promise<void> {
    let batches = BATCHES;
    this.firstCosigned.clear();
    for (const log of await this.store.read(allLogs)) {
      for (const step of this.steps) {
        batches = await this.thin(log, step, batches);
        if (batches === 0) return;
      }
    }
  }

  /** @returns how many of the transactions are left */
  private async thin({ logSeq }: LogRow, { intervalMs, olderMs }: Step, batches: number): Promise<number> {
    const step = `${logSeq} ${intervalMs}`;
    const newest = await this.store.read((snapshot) => newestTimeOf(snapshot, logSeq));
    if (newest === null) return batches;
    const day = newest.slice(0, 10);
    // A checkpoint that a credential cited stayed, and the credential may have been deleted since.
    if (this.examinedOn.get(step) !== day) this.doneBefore.delete(step);
    this.examinedOn.set(step, day);
    const to = startOf(Date.parse(newest) - olderMs, intervalMs);
    let left = batches;
    for (;;) {
      const from = this.doneBefore.get(step) ?? '';
      if (from >= to) return left;
      const intervals = await this.store.read((snapshot) =>
        intervalsOf(snapshot, logSeq, { from, to, intervalMs }),
      );
      if (intervals.length === 0) this.doneBefore.set(step, to);
      for (const { end, checkpoints } of intervals) {
        for (const batch of batchesOf(await this.surplusOf(logSeq, checkpoints))) {
          await this.store.writeAsService((tx) => deleteCheckpoints(tx, batch));
          left--;
          if (left === 0) return 0;
        }
        this.doneBefore.set(step, end);
      }
    }
  }

  /** Returns the numbers of the checkpoints of an interval that are not to stay, oldest first. */
  private async surplusOf(logSeq: number, checkpoints: readonly CheckpointTime[]): Promise<number[]> {
    if (checkpoints.length <= 1) return [];
    const numbers = checkpoints.map(({ checkpointSeq }) => checkpointSeq);
    const rows = await this.store.read((snapshot) => cosignersOf(snapshot, numbers));
    const byCheckpoint = Map.groupBy(rows, ({ checkpointSeq }) => checkpointSeq);
    const cosigned = numbers.filter((number) => byCheckpoint.has(number));
    const countOf = (number: number) => byCheckpoint.get(number)?.length ?? 0;
    const most = Math.max(0, ...cosigned.map(countOf));
    // The quorum may be of a later policy than the cosignatures. Without one that meets it, the one with the
    // most is worth most.
    const best =
      cosigned.findLast((number) => this.meetsQuorum(byCheckpoint.get(number))) ??
      cosigned.findLast((number) => countOf(number) === most);
    const first = cosigned.length === 0 ? [] : await this.firstOf(logSeq);
    return numbers.filter(
      (number) => number !== numbers.at(-1) && number !== best && !first.includes(number),
    );
  }

  private meetsQuorum(cosignatures: readonly Cosigner[] = []): boolean {
    return this.cosigned.isCosigned({ cosignatures });
  }

  /** Returns the first checkpoint of a log that anybody cosigned, and the first that meets the quorum. */
  private async firstOf(logSeq: number): Promise<readonly number[]> {
    const known = this.firstCosigned.get(logSeq);
    if (known !== undefined) return known;
    const limit = FIRST_COSIGNATURES;
    const rows = await this.store.read((snapshot) => firstCosigners(snapshot, { logSeq, limit }));
    const byCheckpoint = [...Map.groupBy(rows, ({ checkpointSeq }) => checkpointSeq)];
    const meeting = byCheckpoint.find(([, cosigners]) => this.meetsQuorum(cosigners));
    const first = [byCheckpoint[0], meeting].flatMap((one) => one?.[0] ?? []);
    this.firstCosigned.set(logSeq, first);
    return first;
  }
}

/** Returns the first intervals of a log that have checkpoints, each with all of them. */
async function intervalsOf(
  snapshot: Snapshot,
  logSeq: number,
  { from, to, intervalMs }: { from: string; to: string; intervalMs: number },
): Promise<Interval[]> {
  for (let limit = ROWS_READ; ; limit *= 2) {
    const times = await checkpointTimes(snapshot, { logSeq, from, to, limit });
    const byEnd = Map.groupBy(times, ({ issuedAt }) =>
      startOf(Date.parse(issuedAt) + intervalMs, intervalMs),
    );
    const intervals = [...byEnd].map(([end, checkpoints]) => ({ end, checkpoints }));
    if (times.length < limit) return intervals;
    // The last one may have more.
    if (intervals.length > 1) return intervals.slice(0, -1);
  }
}

function startOf(time: number, intervalMs: number): string {
  return timestampOf(Math.floor(time / intervalMs) * intervalMs);
}

function batchesOf(numbers: readonly number[]): number[][] {
  const batches: number[][] = [];
  for (let at = 0; at < numbers.length; at += ROWS_DELETED)
    batches.push(numbers.slice(at, at + ROWS_DELETED));
  return batches;
}
