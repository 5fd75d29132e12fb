import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { JsonObject } from '../../../proof/encoding/json.ts';
import type { LogName } from '../../../proof/log/log-names.ts';
import type { Coverage } from '../../../proof/package/coverage.ts';
import type {
  CitedSet,
  PackageAssessor,
  PackageControl,
  PackageKind,
  PackageSubject,
  PackageView,
} from '../../../proof/package/format.ts';
import type { Receipt } from '../../../proof/receipt/receipt.ts';

/** What a builder gets: everything that a package depends on besides the snapshot. */
export interface BuildRequest {
  /** Identifies the subject: the commitment of an agent, or the id of a cluster. */
  subject: string;
  framework: string;
  /** From `from` (inclusive) to `to` (exclusive); RFC 3339 in UTC with milliseconds. */
  period: { from: string; to: string };
  /** The time of the package, RFC 3339. A period may end later. */
  generatedAt: string;
  view: PackageView;
  /** The commitments of the assessors that the service lists. */
  assessors: readonly string[];
  /**
   * The sizes of the trees that the package cites. Leaves from these indexes on are not in the package, nor
   * in its counts.
   */
  treeSizes: Readonly<Record<LogName, number>>;
}

/**
 * The entries of a reference set: the indexes of their leaves (from 0), by log, ascending and each once. A
 * log may be missing.
 */
export type SetLeaves = Readonly<Partial<Record<LogName, readonly number[] | Float64Array>>>;

/**
 * A reference set from a builder. The engine reads the hashes of its leaves, and computes tree and sample.
 */
export interface SetDraft {
  /** The name that controls cite: lower-case letters, digits and underscores. */
  name: string;
  description: string;
  leaves: SetLeaves;
}

/** A package as a builder gives it, before the trees of its sets are computed. */
export interface PackageDraft {
  subject: PackageSubject;
  frameworkEdition: string;
  /** How much of the period has records, by their kind. */
  coverage: readonly Coverage[];
  /** The number of records by name. */
  records: Readonly<Record<string, number>>;
  /** The assessors whose assessments count. */
  assessors: readonly PackageAssessor[];
  sets: readonly SetDraft[];
  /**
   * Returns the controls, when the count and the root of each set are known.
   * @param sets by name; has every set of the draft
   */
  controls(sets: ReadonlyMap<string, CitedSet>): PackageControl[];
  /** Metrics, by section. */
  sections?: JsonObject;
  /** Sentences that say what the package cannot show. */
  limits: readonly string[];
  /**
   * Returns the API path of the content that an entry commits to; null for none. Called for sampled
   * references in the view `sponsor`.
   */
  payloadUrl?(log: LogName, entry: string): string | null;
  /**
   * Returns the receipt that an entry is of, as it was signed then; null for none that the sponsor may see.
   * Called for sampled references in the view `sponsor`.
   */
  receiptOf?(log: LogName, entry: string): Promise<Receipt | null>;
}

/**
 * Makes the packages of a kind. A module registers it; it runs in the Worker, with a snapshot of the database
 * and nothing else.
 */
export interface PackageBuilder {
  kind: PackageKind;
  /** Returns what the package says, read from one snapshot; null if nothing is known of the subject. */
  draftOf(snapshot: Snapshot, request: BuildRequest): Promise<PackageDraft | null>;
}
