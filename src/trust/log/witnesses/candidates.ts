import type { Clock } from '../../../platform/time/clock.ts';
import { LOG_NAMES, type LogName } from '../../../proof/log/log-names.ts';
import type { PublishedCheckpoint } from '../checkpoints/checkpoints.ts';
import type { Cosignature } from '../checkpoints/cosignatures.ts';
import type { Publisher } from '../checkpoints/publisher.ts';

/**
 * The least time between two choices while a log grows without pause. Every cosignature of the last hour is
 * kept, and one by ML-DSA-44 has 3.3 KB. A shorter time would need too much disk space on a busy day.
 */
const SPACING_MS = 4000;
/** A checkpoint that no quorum cosigns is replaced after this time: the timeout of a slow witness. */
const REPLACE_MS = 5000;
/** The quorum counts as missed when a checkpoint has waited for it for longer. */
const MISSED_MS = 60_000;

/** The publisher, as the choice of checkpoints uses it. */
type PublishedCheckpoints = Pick<Publisher, 'latest' | 'cosigned' | 'showCosignatures'>;

/**
 * Chooses the checkpoint of each log that every witness server is asked to cosign. A log that grows publishes
 * several checkpoints per second. If each server were asked for the newest one, they would cosign different
 * checkpoints, and none would meet the quorum.
 */
export class Candidates {
  private readonly candidates = new Map<LogName, { checkpoint: PublishedCheckpoint; since: number }>();
  /**
   * When the oldest checkpoint that is newer than every cosigned one was published, at the earliest. Absent
   * if there is none.
   */
  private readonly waitingSince = new Map<LogName, number>();

  constructor(
    private readonly publisher: PublishedCheckpoints,
    private readonly clock: Clock,
  ) {
    const started = clock.now();
    for (const name of LOG_NAMES) {
      const cosigned = publisher.cosigned.of(name);
      const since = cosigned === null ? started : Date.parse(cosigned.response.issued_at);
      if (!this.isNewest(name, cosigned)) this.waitingSince.set(name, since);
    }
  }

  /**
   * Returns the checkpoint of a log to cosign now. The newest one replaces the previous choice after four
   * seconds if that meets the quorum, or if the policy demands none; else after five seconds.
   */
  choose(name: LogName): PublishedCheckpoint {
    const newest = this.publisher.latest(name);
    const now = this.clock.now();
    if (!this.isNewest(name, this.publisher.cosigned.of(name)) && !this.waitingSince.has(name)) {
      this.waitingSince.set(name, now);
    }
    const candidate = this.candidates.get(name);
    if (candidate?.checkpoint.checkpointSeq === newest.checkpointSeq) return candidate.checkpoint;
    if (candidate !== undefined && !this.isReplaceable(candidate, now)) return candidate.checkpoint;
    this.candidates.set(name, { checkpoint: newest, since: now });
    return newest;
  }

  /**
   * Gives up a choice that a witness cannot cosign any more, because somebody else had it cosign a newer
   * checkpoint. Anyone can do that: a choice that stayed would let strangers prevent the quorum.
   */
  giveUp(name: LogName, { checkpointSeq }: PublishedCheckpoint): void {
    const candidate = this.candidates.get(name);
    if (candidate?.checkpoint.checkpointSeq === checkpointSeq) this.candidates.delete(name);
  }

  /**
   * Shows the cosignatures of a checkpoint, even of an earlier choice.
   * @param cosignatures all of them, in order of arrival
   */
  showCosignatures(
    name: LogName,
    checkpoint: PublishedCheckpoint,
    cosignatures: readonly Cosignature[],
  ): void {
    const shown = this.publisher.showCosignatures(name, checkpoint, cosignatures);
    const candidate = this.candidates.get(name);
    if (candidate?.checkpoint.checkpointSeq === shown.checkpointSeq) candidate.checkpoint = shown;
    const cosigned = this.publisher.cosigned.of(name);
    if (cosigned?.checkpointSeq !== shown.checkpointSeq) return;
    if (this.isNewest(name, cosigned)) this.waitingSince.delete(name);
    // The checkpoint after it was published later than it.
    else this.waitingSince.set(name, Date.parse(cosigned.response.issued_at));
  }

  /** Returns whether no checkpoint of a log has waited for its quorum for more than a minute. */
  isQuorumMet(name: LogName): boolean {
    const cosigned = this.publisher.cosigned.of(name);
    if (cosigned === null) return false;
    const since = this.waitingSince.get(name);
    if (since === undefined || this.isNewest(name, cosigned)) return true;
    return this.clock.now() - since <= MISSED_MS;
  }

  private isNewest(name: LogName, checkpoint: PublishedCheckpoint | null): boolean {
    return checkpoint?.checkpointSeq === this.publisher.latest(name).checkpointSeq;
  }

  private isReplaceable(
    { checkpoint, since }: { checkpoint: PublishedCheckpoint; since: number },
    now: number,
  ): boolean {
    const age = now - since;
    // A clock that was set back must not keep a choice.
    if (age < 0) return true;
    if (age < SPACING_MS) return false;
    const { cosigned } = this.publisher;
    return !cosigned.hasQuorum || age >= REPLACE_MS || cosigned.isCosigned(checkpoint);
  }
}
