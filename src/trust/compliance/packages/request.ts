import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { LogName } from '../../../proof/log/log-names.ts';
import type { PackageKind, PackageView } from '../../../proof/package/format.ts';

/** The period of a request. */
export interface RequestedPeriod {
  /** Inclusive; RFC 3339 in UTC with milliseconds, like `to`. */
  from: string;
  /** Exclusive. */
  to: string;
  /** What identifies the period in the cache: of a default period, only its day. */
  key: string;
}

/** A request for a package, as a capability's route makes it: `trust.packages.get(request)`. */
export interface PackageRequest {
  kind: PackageKind;
  /** Identifies the subject: the commitment of an agent, or the id of a cluster. */
  subject: string;
  framework: string;
  /** By `requestedPeriod` of the query. */
  period: RequestedPeriod;
  view: PackageView;
  /**
   * Reads the subject. Called before a build and again after it.
   * @param sizes the sizes of the newest published trees: only leaves beyond them need to be searched
   * @throws ApiError for a subject that does not exist
   */
  subjectIn(snapshot: Snapshot, sizes: TreeSizes, assessors: readonly string[]): Promise<SubjectState>;
  /**
   * Checks again after the build that the caller may see the view: its key may have been deleted meanwhile.
   * Missing for a request without a key. @throws ApiError
   */
  authorize?(): Promise<void>;
  /** Counts a build against the limit of the caller. @throws Refusal rate */
  countBuild(): Promise<void>;
}

/** The number of leaves of each log. */
export type TreeSizes = Readonly<Record<LogName, number>>;

/** What a package depends on, besides the period and the logs as a whole. */
export interface SubjectState {
  /** What must not change during a build, as any text: an agent's state and sponsor, for example. */
  state: string;
  /** What must not have changed for a cached package to be sent again, as any text: for example counts. */
  version: string;
  /** The time of the newest entry of the subject in any log, RFC 3339; null for none. */
  changedAt: string | null;
  /**
   * The number of leaves that each log must have to contain the newest leaf of the subject. A build waits for
   * these checkpoints, two seconds at most. A log may be missing if its tree of the given size has all leaves
   * of the subject.
   */
  sizesNeeded: Partial<TreeSizes>;
}

/** The source of signed packages. */
export interface PackageSource {
  /**
   * Returns a signed package, from the cache if nothing changed; null if its builder knows nothing of the
   * subject. Requests for the same package share a build.
   * @throws ReadOnly; ApiError overloaded while too much is being built, and for a build that takes too long;
   * clock_wrong; Refusal rate; LogDamage; and errors of the request's functions
   */
  get(request: PackageRequest): Promise<PackageText | null>;
}

/** A signed package as it is sent. */
export interface PackageText {
  /** The canonical JSON text. */
  json: string;
  /** A strong entity tag (RFC 9110). */
  etag: string;
}
