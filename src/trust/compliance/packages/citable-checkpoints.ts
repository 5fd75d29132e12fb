import type { Clock } from '../../../platform/time/clock.ts';
import { LOG_NAMES, type LogName, mapLogs } from '../../../proof/log/log-names.ts';
import type { PublishedCheckpoint } from '../../log/checkpoints/checkpoints.ts';
import { areCoveredBy } from '../../log/checkpoints/coverage.ts';
import type { Publisher } from '../../log/checkpoints/publisher.ts';
import type { SubjectState, TreeSizes } from './request.ts';

/** How long a build waits for checkpoints that contain the newest leaf of its subject. */
const WAIT_MS = 2000;
/** How long packages cite the same checkpoints, so that they do not make all checkpoints stay. */
export const REUSE_MS = 60_000;
/** A leaf is committed at most this long after its time. */
const COMMIT_MS = 15_000;

/** A checkpoint that was chosen for packages. */
interface Chosen {
  checkpoint: PublishedCheckpoint;
  /** Milliseconds since 1970. */
  at: number;
}

/**
 * Chooses the checkpoints that packages cite. A cited checkpoint is never deleted, and anybody may request a
 * package. So each log has a new one at most once a minute, unless the subject has newer entries: somebody
 * paid for those with a quota.
 */
export class CitableCheckpoints {
  private readonly chosen = new Map<LogName, Chosen>();

  constructor(
    private readonly publisher: Pick<Publisher, 'latest' | 'publications'>,
    private readonly clock: Clock,
  ) {}

  /** Returns the sizes of the newest published trees. */
  newestSizes(): TreeSizes {
    return mapLogs((name) => this.publisher.latest(name).response.tree_size);
  }

  /** Waits up to two seconds for checkpoints with the newest leaf of a subject. Returns those to cite. */
  async choose({
    changedAt,
    sizesNeeded,
  }: Pick<SubjectState, 'changedAt' | 'sizesNeeded'>): Promise<Record<LogName, PublishedCheckpoint>> {
    const sizes = LOG_NAMES.map((name) => [name, sizesNeeded[name] ?? 0] as const);
    await areCoveredBy(this.publisher, sizes, performance.now() + WAIT_MS);
    const changed = changedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(changedAt);
    return mapLogs((name) => this.chooseOf(name, changed + COMMIT_MS));
  }

  /** @param since the checkpoint must have been published after this time */
  private chooseOf(name: LogName, since: number): PublishedCheckpoint {
    const now = this.clock.now();
    const newest = this.publisher.latest(name);
    const earlier = this.chosen.get(name);
    if (earlier !== undefined) {
      const isRecent = earlier.at <= now && now < earlier.at + REUSE_MS;
      const isSame = earlier.checkpoint.response.tree_size === newest.response.tree_size;
      if (isRecent && (isSame || Date.parse(earlier.checkpoint.response.issued_at) > since)) {
        return earlier.checkpoint;
      }
    }
    this.chosen.set(name, { checkpoint: newest, at: now });
    return newest;
  }
}
