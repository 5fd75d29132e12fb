import { newId } from '../../../platform/ids.ts';
import type { MetricsRecorder } from '../../../platform/monitoring/recorder.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { bytesToHex } from '../../../proof/encoding/hex.ts';
import { LOG_NAMES, type LogName, mapLogs } from '../../../proof/log/log-names.ts';
import { REFRESH_MS } from '../../../proof/log/retention.ts';
import { NEAR_MS } from '../clock/near.ts';
import { type HighWater, writeHighWater } from '../high-water.ts';
import { commonOrigin, type Logs } from '../logs.ts';
import { insertCheckpoints } from '../store.ts';
import { sizeOf } from '../tree/tree.ts';
import {
  checkpointResponse,
  newestCheckpoint,
  type PublishedCheckpoint,
  withCosignatures,
} from './checkpoints.ts';
import type { Cosignature } from './cosignatures.ts';
import { CosignedCheckpoints, type MeetsQuorum } from './cosigned.ts';
import { Publications } from './publications.ts';
import { isSignedByPresentKeys, signCheckpoint } from './sign.ts';
import type { LogSigner } from './signer.ts';
import { type Tree, treesOf } from './trees.ts';

/**
 * The least time between two checkpoints of the log of receipts that growth causes, and between two rounds. A
 * log that grows rarely gets a checkpoint at once. A log of receipts that grows all the time gets five a
 * second: a leaf waits for this time and one round at most.
 */
const SPACING_MS = 200;
/** The same for the other logs: all checkpoints of an hour are kept with their cosignatures, 4 KB each. */
const OTHERS_SPACING_MS = 1000;
/** The pause after a failed round, and while the clock is wrong. */
const RETRY_MS = 1000;

/** The checkpoints for proofs, from before a snapshot was opened, which therefore has all their leaves. */
export interface ProofCheckpoints {
  newest: PublishedCheckpoint;
  /**
   * The newest checkpoint that meets the quorum of witnesses; null if there is none, or it is not requested.
   */
  cosigned: PublishedCheckpoint | null;
  /** Returns whether a checkpoint meets the quorum. */
  isCosigned(checkpoint: PublishedCheckpoint): boolean;
}

/**
 * Signs and publishes checkpoints, one round at a time. A kill at any moment cannot cause a fork: a round
 * reads the tree from durable data, syncs the high-water mark, stores the checkpoint, and then shows it. A
 * tree that was signed and never shown is signed again.
 */
export class Publisher {
  private readonly newest = new Map<LogName, PublishedCheckpoint>();
  /** See `newestDate`. */
  private dated = 0;
  /**
   * The time when the first leaf that no checkpoint covers was written, on the monotonic clock, by log. Logs
   * without one are absent.
   */
  private readonly grownSince = new Map<LogName, number>();
  /** The same for the leaves that the running round covers. */
  private coveringSince: ReadonlyMap<LogName, number> = new Map();
  private running: Promise<void> = Promise.resolve();
  private failing = false;
  private lastRound = Number.NEGATIVE_INFINITY;
  /** The start of the last round that covered a log, on the monotonic clock. */
  private readonly lastRoundOf = new Map<LogName, number>();
  /** Plans the next round after a number of milliseconds; null in a command, which runs rounds itself. */
  private publishIn: ((ms: number) => void) | null = null;
  /** Wakes those who wait for a checkpoint. */
  readonly publications = new Publications();
  /** The newest checkpoints that meet the quorum of witnesses. */
  readonly cosigned: CosignedCheckpoints;

  constructor(
    private readonly context: {
      store: Store;
      clock: Clock;
      clockWatch: ClockWatch;
      signer: LogSigner;
      logs: Logs;
      /** The quorum of the witness policy; null for none. */
      quorum: MeetsQuorum | null;
    },
    private readonly directory: string,
    private readonly observed: MetricsRecorder['checkpoint'],
  ) {
    this.cosigned = new CosignedCheckpoints(context.quorum);
  }

  /** Returns the newest published checkpoint. @throws Error before the first */
  latest(name: LogName): PublishedCheckpoint {
    const published = this.newest.get(name);
    if (published === undefined) throw new Error(`no checkpoint of ${name} has been published`);
    return published;
  }

  /** Returns how many entries the newest checkpoint covers; infinite for a log that has none yet. */
  coveredSize(name: LogName): number {
    return this.newest.get(name)?.response.tree_size ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Returns the checkpoints for proofs: the newest cosigned one for leaves that it covers, else the newest.
   * @param wantsCosigned false if the newest of all should prove every leaf
   */
  proofCheckpoints(name: LogName, wantsCosigned: boolean): ProofCheckpoints {
    const { signer, clock } = this.context;
    const cosigned = wantsCosigned ? this.cosigned.of(name) : null;
    // After a compromise, verifiers refuse the old key, and witnesses may not know the new one yet.
    const isByCurrentKey = signer
      .logKeys(name, clock.now())
      .some(({ kid }) => kid === cosigned?.response.kid);
    return {
      newest: this.latest(name),
      cosigned: isByCurrentKey ? cosigned : null,
      isCosigned: (checkpoint) => this.cosigned.isCosigned(checkpoint),
    };
  }

  /**
   * Loads the newest checkpoints, the newest cosigned ones and the growth since from the database. Called
   * once, before anything is published.
   */
  async resume(snapshot: Snapshot): Promise<void> {
    await this.cosigned.load(snapshot, this.context.logs);
    for (const name of LOG_NAMES) {
      const log = this.context.logs[name];
      const published = await newestCheckpoint(snapshot, log);
      if (published !== null) this.show(name, published);
      if ((await sizeOf(snapshot, log)) > (published?.response.tree_size ?? -1)) this.grown(name);
    }
  }

  /**
   * The newest date of a checkpoint, a cosignature or an entry of the open logs, in milliseconds since 1970;
   * 0 for none. Nothing new is dated before it, so that the dates of all logs have the order of what
   * happened.
   */
  get newestDate(): number {
    return this.dated;
  }

  /**
   * Records the date of an entry or a cosignature: checkpoints from now on are not dated before it. A date of
   * a clock that is known to have been far ahead would give all of them a date in the future.
   * @param time in milliseconds since 1970
   */
  recordDate(time: number): void {
    const { wall, estimate } = this.context.clockWatch.read();
    if (time <= Math.max(wall, estimate) + NEAR_MS) this.dated = Math.max(this.dated, time);
  }

  /**
   * Records that a leaf was committed. The first one of a log that no round covers yet plans a round.
   * @param at its date, RFC 3339
   */
  grown(name: LogName, at?: string): void {
    if (at !== undefined) this.recordDate(Date.parse(at));
    if (this.grownSince.has(name)) return;
    this.grownSince.set(name, performance.now());
    this.planRound();
  }

  /** Gets the function by which growth plans the next run of `publishInTime`. */
  onSchedule(publishIn: (ms: number) => void): void {
    this.publishIn = publishIn;
    if (this.grownSince.size > 0) this.planRound();
  }

  private planRound(): void {
    if (this.publishIn === null) return;
    const now = performance.now();
    const waits = [...this.grownSince.keys()].map((name) => this.spacingLeft(name, now));
    const mustPause = this.failing || this.clockJump !== null;
    const spacingOfRounds = this.lastRound + SPACING_MS - now;
    this.publishIn(mustPause ? RETRY_MS : Math.max(0, spacingOfRounds, Math.min(...waits)));
  }

  /**
   * Returns the milliseconds for which growth causes no checkpoint, since the log had one; else at most 0.
   */
  private spacingLeft(name: LogName, now: number): number {
    const spacing = name === 'receipts' ? SPACING_MS : OTHERS_SPACING_MS;
    return (this.lastRoundOf.get(name) ?? Number.NEGATIVE_INFINITY) + spacing - now;
  }

  /**
   * Shows the cosignatures of a published checkpoint, which need not be the newest.
   * @param cosignatures all of them, in order of arrival. @returns the checkpoint with them
   */
  showCosignatures(
    name: LogName,
    checkpoint: PublishedCheckpoint,
    cosignatures: readonly Cosignature[],
  ): PublishedCheckpoint {
    const shown = withCosignatures(checkpoint, checkpoint.response, cosignatures);
    if (this.newest.get(name)?.checkpointSeq === checkpoint.checkpointSeq) this.newest.set(name, shown);
    this.cosigned.update(name, shown);
    return shown;
  }

  /** Returns the milliseconds that the oldest leaf without a checkpoint has waited; 0 when none waits. */
  waitingMs(name: LogName): number {
    const since = this.coveringSince.get(name) ?? this.grownSince.get(name);
    return since === undefined ? 0 : performance.now() - since;
  }

  /** The milliseconds by which the wall clock jumped, while nothing is signed because of it; else null. */
  get clockJump(): number | null {
    return this.context.clockWatch.look();
  }

  /** True if the last round failed. */
  get isFailing(): boolean {
    return this.failing;
  }

  /**
   * Publishes a checkpoint of every log that has grown, has not grown for ten minutes, or has another key.
   * Publishes none while the wall clock is wrong.
   * @throws LogFault, and errors of the disk and the store; nothing was published then
   */
  publish(): Promise<void> {
    return this.runRound(() => true);
  }

  private async runRound(isTime: (name: LogName) => boolean): Promise<void> {
    const round = this.running.then(() => this.round(isTime));
    this.running = round.catch(() => undefined);
    try {
      await round;
      this.failing = false;
    } catch (error) {
      this.failing = true;
      throw error;
    }
  }

  /**
   * Publishes like `publish`, except that growth brings no checkpoint to a log that just had one, and plans
   * the next round for what has grown. The scheduler also calls it without growth, for what time makes due.
   * @throws as `publish`
   */
  async publishInTime(): Promise<void> {
    try {
      await this.runRound((name) => this.spacingLeft(name, performance.now()) <= 0);
    } finally {
      if (this.grownSince.size > 0) this.planRound();
    }
  }

  /** @param isTime whether a log that has grown gets a checkpoint in this round */
  private async round(isTime: (name: LogName) => boolean): Promise<void> {
    const { store, logs, signer, clockWatch } = this.context;
    const wasWrong = clockWatch.look() !== null;
    // A log has a checkpoint from its first moment on: the first one is signed even by a clock that is wrong.
    const due = wasWrong ? LOG_NAMES.filter((name) => !this.newest.has(name)) : this.dueLogs(isTime);
    if (due.length === 0) return;
    this.lastRound = performance.now();
    const since = new Map([...this.grownSince].filter(([name]) => due.includes(name)));
    this.coveringSince = since;
    for (const name of due) {
      this.lastRoundOf.set(name, this.lastRound);
      // What is committed from here on counts as growth for the next round.
      this.grownSince.delete(name);
    }
    try {
      const trees = await store.read((snapshot) =>
        treesOf(
          snapshot,
          due.map((name) => logs[name]),
        ),
      );
      const { wall, estimate, jump } = clockWatch.read();
      // The clock may have been set meanwhile.
      if (jump !== null && !wasWrong) {
        this.keepGrowth(since);
        return;
      }
      const signed = trees.map((tree) => this.sign(tree, wasWrong ? estimate : wall));
      await writeHighWater(this.directory, this.markWith(trees));
      const published = await store.writeAsService(async (tx) => {
        for (const { row, signers } of signed) {
          for (const keySeq of signers) await signer.backdateIn(tx, keySeq, row.issuedAt);
        }
        return insertCheckpoints(
          tx,
          signed.map(({ row }) => row),
        );
      });
      for (const [index, { tree, response, row, seconds }] of signed.entries()) {
        const { name } = tree.log;
        const fields = { checkpointSeq: published[index] ?? 0, rootHash: tree.root, ownNote: row.note };
        this.show(name, withCosignatures(fields, response, []));
        const start = since.get(name);
        this.observed(name, seconds, start === undefined ? null : (performance.now() - start) / 1000);
      }
      this.publications.record();
    } catch (error) {
      this.keepGrowth(since);
      throw error;
    } finally {
      this.coveringSince = new Map();
    }
  }

  private show(name: LogName, published: PublishedCheckpoint): void {
    this.newest.set(name, published);
    this.dated = Math.max(this.dated, Date.parse(published.response.issued_at));
  }

  /** Leaves the growth that a round does not cover to the next one. */
  private keepGrowth(since: ReadonlyMap<LogName, number>): void {
    for (const [name, start] of since) this.grownSince.set(name, start);
  }

  private dueLogs(isTime: (name: LogName) => boolean): LogName[] {
    const due = LOG_NAMES.filter((name) => this.isDue(name, isTime));
    if (!due.includes('accounts')) return due;
    // After the loss of the database, nothing could restore the entry of an act from its leaf of an account.
    const isOfActs = (name: LogName): boolean => name === 'receipts' || name === 'revocations';
    return LOG_NAMES.filter((name) => due.includes(name) || (isOfActs(name) && this.grownSince.has(name)));
  }

  private isDue(name: LogName, isTime: (name: LogName) => boolean): boolean {
    const published = this.newest.get(name);
    if (published === undefined || (this.grownSince.has(name) && isTime(name))) return true;
    const { signer, clock, logs } = this.context;
    // A client that trusts only the new key should not wait for growth, least of all after a compromise.
    if (!isSignedByPresentKeys(signer, logs[name], published.ownNote, clock.now())) return true;
    return clock.now() - Date.parse(published.response.issued_at) >= REFRESH_MS;
  }

  /** @param time milliseconds since 1970 */
  private sign(tree: Tree, time: number) {
    const { signer } = this.context;
    const { log, size, root, previous } = tree;
    // After a clock was set back, the date of a checkpoint must not go back, and not be before the dates of
    // its entries, which are not before those of the other logs.
    const now = Math.max(time, this.dated);
    const start = performance.now();
    const { note, keySeq, kid, signature } = signCheckpoint(signer, log, { size, root }, now);
    const seconds = (performance.now() - start) / 1000;
    const signers = signer.logKeys(log.name, now).map((key) => key.keySeq);
    const row = {
      checkpointId: newId('ckpt_'),
      logSeq: log.logSeq,
      previousId: previous?.response.checkpoint_id ?? null,
      previousSize: previous?.response.tree_size ?? null,
      treeSize: size,
      rootHash: root,
      issuedAt: timestampOf(now),
      keySeq,
      signature,
      note,
    };
    return {
      tree,
      response: checkpointResponse(row, { origin: log.origin, kid }),
      row,
      signers,
      seconds,
    };
  }

  /** Returns the high-water mark for when these trees are published. */
  private markWith(trees: readonly Tree[]): HighWater {
    const mark = (name: LogName) => {
      const tree = trees.find(({ log }) => log.name === name);
      const published = this.newest.get(name);
      const [size, root] = tree
        ? [tree.size, tree.root]
        : [published?.response.tree_size ?? 0, published?.rootHash ?? new Uint8Array(32)];
      return { tree_size: size, root_hash: bytesToHex(root) };
    };
    return { origin: commonOrigin(this.context.logs), logs: mapLogs(mark) };
  }
}
