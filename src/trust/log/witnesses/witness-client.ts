import type { Logger } from 'pino';
import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Resolve } from '../../../platform/network/name-resolver.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { encodeBase64 } from '../../../proof/encoding/base64.ts';
import { LOG_NAMES, type LogName } from '../../../proof/log/log-names.ts';
import { consistencyPath } from '../../../proof/log/merkle.ts';
import type { PublishedCheckpoint } from '../checkpoints/checkpoints.ts';
import { storeCosignaturesIn } from '../checkpoints/cosignatures.ts';
import type { TrustLog } from '../lifecycle/open.ts';
import { computeFromNodes } from '../tree/tree.ts';
import {
  type AddCheckpointResponse,
  addCheckpoint,
  type FreshCosignature,
  verifiedLines,
  WitnessFailure,
} from './add-checkpoint.ts';
import type { Candidates } from './candidates.ts';
import { lacksOlderEntry } from './older-entry.ts';
import { isBy, type PolicyWitness, type WitnessServer } from './policy.ts';

/** Timeout of one cosignature, which takes at most two requests. */
const TIMEOUT_MS = 5000;
/** The backoff after the first failure. Each further failure doubles it. */
const MIN_BACKOFF_MS = 2000;
const MAX_BACKOFF_MS = 60_000;

/**
 * While the clock is in doubt, a witness that has cosigned the newest checkpoint is asked again after this
 * time, for its time.
 */
const ASK_TIME_MS = 10_000;

/** Anyone can submit checkpoints of the log to a witness. */
const OTHERS = 'others have it cosign checkpoints of the log at the same time';

/** The state of cosigning one log by one witness server. */
interface LogProgress {
  /**
   * The size that was cosigned last; 0 if unknown: the witness then reports it, and the client asks again.
   */
  size: number;
  /** The last checkpoint that it cosigned. */
  checkpointSeq: number | null;
  failures: number;
  /** Milliseconds since 1970. */
  pausedUntil: number;
}

/** The parts of the service that a witness client uses. */
export type WitnessClientContext = { store: Store; clock: Clock; clockWatch: ClockWatch; log: TrustLog };

/** Requests cosignatures of the chosen checkpoints from one witness server. */
export class WitnessClient {
  private readonly progress = new Map<LogName, LogProgress>();
  private askedTimeAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly trust: WitnessClientContext,
    private readonly server: WitnessServer,
    private readonly candidates: Candidates,
    private readonly resolve: Resolve,
    private readonly hooks: {
      log: Logger;
      cosigned(witness: PolicyWitness, name: LogName): void;
      failed(witness: PolicyWitness, name: LogName, failure: WitnessFailure): void;
    },
  ) {}

  /** The names of its witnesses, for the log. */
  get name(): string {
    return this.server.witnesses.map(({ name }) => name).join(', ');
  }

  /**
   * Requests cosignatures of the chosen checkpoint of each log unless it has them.
   * @throws Error if the cosignatures cannot be stored
   */
  async requestCosignatures(): Promise<void> {
    const outcomes = await Promise.allSettled(LOG_NAMES.map((name) => this.requestCosignaturesOf(name)));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  private async requestCosignaturesOf(name: LogName): Promise<void> {
    const progress = this.progressOf(name);
    let chosen = this.candidates.choose(name);
    const isDone = chosen.checkpointSeq === progress.checkpointSeq || this.isCosigned(chosen);
    if (this.isPaused(progress) || (isDone && !this.mustAskTime(name))) return;
    try {
      let cosignatures = await this.cosignaturesOf(name, chosen, progress);
      if (cosignatures === 'passed') {
        this.candidates.giveUp(name, chosen);
        chosen = this.candidates.choose(name);
        cosignatures = await this.cosignaturesOf(name, chosen, progress);
      }
      if (cosignatures === 'passed') throw new WitnessFailure('conflict', OTHERS);
      for (const { at } of cosignatures) this.trust.clockWatch.cosigned(this.server.url, at);
      if (!this.isCosigned(chosen)) await this.store(name, chosen, cosignatures);
      progress.size = chosen.response.tree_size;
      progress.checkpointSeq = chosen.checkpointSeq;
      if (progress.failures > 0)
        this.hooks.log.info({ witness: this.name, log: name }, 'a witness cosigns again');
      progress.failures = 0;
    } catch (error) {
      this.fail(name, progress, error);
    }
  }

  /**
   * Returns the cosignatures of a checkpoint; `passed` if the witness has cosigned a newer one of this log.
   * @throws WitnessFailure
   */
  private async cosignaturesOf(
    name: LogName,
    chosen: PublishedCheckpoint,
    progress: LogProgress,
  ): Promise<FreshCosignature[] | 'passed'> {
    const { url, witnesses } = this.server;
    const { tree_size } = chosen.response;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { resolve } = this;
    const ask = async (from: number) =>
      addCheckpoint(url, await this.requestBody(name, chosen, from), { resolve, signal });
    let from = Math.min(progress.size, tree_size);
    let response = await ask(from);
    if (canRepeat(response, from, tree_size)) {
      from = response.size;
      response = await ask(from);
    }
    if ('lines' in response)
      return verifiedLines(response.lines, chosen.ownNote, witnesses, this.trust.clock.now());
    const { size } = response;
    const published = this.trust.log.publisher.latest(name).response.tree_size;
    if (size !== null && size > tree_size && size <= published) {
      progress.size = size;
      return 'passed';
    }
    throw conflict(size, { from, to: tree_size, published });
  }

  private requestBody(
    name: LogName,
    { response, ownNote }: PublishedCheckpoint,
    from: number,
  ): Promise<string> {
    const { store, log } = this.trust;
    return store.read(async (snapshot) => {
      const path = await computeFromNodes(snapshot, log.open[name], (node) =>
        consistencyPath(nativePrimitives, from, response.tree_size, node),
      );
      return [`old ${from}`, ...path.map(encodeBase64), '', ownNote].join('\n');
    });
  }

  private async store(
    name: LogName,
    chosen: PublishedCheckpoint,
    cosignatures: readonly FreshCosignature[],
  ): Promise<void> {
    const { store, clock, log } = this.trust;
    const time = Math.max(...cosignatures.map(({ at }) => at));
    const isStored = await store.writeAsService(async (tx) => {
      if (await lacksOlderEntry(tx, log, { name, size: chosen.response.tree_size, time })) return false;
      const now = clock.now();
      const cosignedAt = timestampOf(now);
      const all = await storeCosignaturesIn(tx, chosen.checkpointSeq, cosignatures, cosignedAt);
      tx.afterCommit(() => {
        log.publisher.recordDate(Math.min(time, now));
        this.candidates.showCosignatures(name, chosen, all);
      });
      return true;
    });
    if (!isStored) return;
    for (const witness of this.server.witnesses) {
      if (cosignatures.some((cosignature) => isBy(witness, cosignature))) this.hooks.cosigned(witness, name);
    }
  }

  /**
   * Records a failure. The log continues without the cosignature: metrics show it, and verifiers see that the
   * line is missing.
   */
  private fail(name: LogName, progress: LogProgress, error: unknown): void {
    const { log, failed } = this.hooks;
    const backoff = Math.min(MIN_BACKOFF_MS * 2 ** progress.failures, MAX_BACKOFF_MS);
    progress.failures++;
    progress.pausedUntil = this.trust.clock.now() + backoff;
    if (!(error instanceof WitnessFailure)) throw error;
    const { reason, message } = error;
    // The size may be wrong: let the witness report it again.
    progress.size = 0;
    for (const witness of this.server.witnesses) failed(witness, name, error);
    const details = { witness: this.name, url: this.server.url, log: name, reason, message };
    if (error.disputes) {
      log.error(details, 'a witness knows another tree of this log: was the log restored to an older state?');
    } else if (progress.failures === 1) {
      log.warn(details, 'a witness does not cosign');
    }
  }

  /**
   * Returns whether to ask for a cosignature only for its date. A witness cosigns the same checkpoint again.
   */
  private mustAskTime(name: LogName): boolean {
    const now = performance.now();
    if (name !== 'receipts' || now - this.askedTimeAt < ASK_TIME_MS || !this.trust.clockWatch.isInDoubt)
      return false;
    this.askedTimeAt = now;
    return true;
  }

  private progressOf(name: LogName): LogProgress {
    const known = this.progress.get(name);
    if (known !== undefined) return known;
    const fresh = { size: 0, checkpointSeq: null, failures: 0, pausedUntil: 0 };
    this.progress.set(name, fresh);
    return fresh;
  }

  /**
   * Returns whether to wait before the next request; never longer than the longest backoff, even if the clock
   * was set back.
   */
  private isPaused({ pausedUntil }: LogProgress): boolean {
    const left = pausedUntil - this.trust.clock.now();
    return left > 0 && left <= MAX_BACKOFF_MS;
  }

  private isCosigned({ cosignatures }: PublishedCheckpoint): boolean {
    return this.server.witnesses.every((witness) =>
      cosignatures.some((cosignature) => isBy(witness, cosignature)),
    );
  }
}

/** Returns whether a response names another old size with which the request can be repeated. */
function canRepeat(response: AddCheckpointResponse, from: number, to: number): response is { size: number } {
  return 'size' in response && response.size !== null && response.size !== from && response.size <= to;
}

/**
 * Returns the failure that a response with status 409 reports.
 * @param size that the response contains; null without one
 */
function conflict(
  size: number | null,
  { from, to, published }: { from: number; to: number; published: number },
): WitnessFailure {
  // C2SP tlog-witness: the old size was right, so the root differs.
  if (from === to && (size === null || size === to)) {
    return new WitnessFailure('fork', `it has cosigned another root for ${to} leaves`);
  }
  if (size === null) {
    return new WitnessFailure('answer', 'the response with status 409 does not contain the cosigned size');
  }
  if (size <= published) return new WitnessFailure('conflict', OTHERS);
  return new WitnessFailure(
    'ahead',
    `it has cosigned ${size} leaves, and the log has published ${published}`,
  );
}
