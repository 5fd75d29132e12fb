import type { JsonObject, JsonValue } from '../encoding/json.ts';
import type { SignedType } from '../keys/signed-types.ts';
import type { LogName } from '../log/log-names.ts';
import type { PathWithoutCheckpoint } from '../log/log-proof.ts';
import type { Coverage } from './coverage.ts';

/** The value of `type` of a compliance package. */
export const PACKAGE_TYPE = 'compliance-package' satisfies SignedType;

/** The value of `v` of a compliance package. */
export const PACKAGE_VERSION = 2;

/** That of earlier packages: without coverage, records and who says so, and by rules of their own. */
export const EARLIER_PACKAGE_VERSION = 1;

/** The kinds of packages: of an agent, of an agent's compliance reports, and of a cluster. */
export const PACKAGE_KINDS = ['assessment', 'audit', 'datacenter'] as const;

export type PackageKind = (typeof PACKAGE_KINDS)[number];

/** What a package says about a control. `satisfied` needs references. */
export const CONTROL_STATUSES = ['satisfied', 'partial', 'reported', 'not_assessed'] as const;

export type ControlStatus = (typeof CONTROL_STATUSES)[number];

/**
 * Who says what a status rests on: the records of the service; the agent, its sponsor or their instruments
 * (`self`); an assessor that the service lists.
 */
export const ATTESTERS = ['service', 'self', 'assessor'] as const;

export type Attester = (typeof ATTESTERS)[number];

/** An assessor whose assessments count in a package. */
export type PackageAssessor = {
  /** 64 lower-case hexadecimal characters. */
  subject_commitment: string;
  /** The name that it gave itself. */
  name: string | null;
  /** How many of its assessments count. */
  assessments: number;
};

/** Who a package was made for. `sponsor` also has the sampled receipts and the addresses of payloads. */
export const PACKAGE_VIEWS = ['public', 'sponsor'] as const;

export type PackageView = (typeof PACKAGE_VIEWS)[number];

/** The most sponsors of a period that a package names: the last ones. */
export const MAX_SPONSORS = 16;

/** The agent or the cluster that a package is about. */
export type PackageSubject =
  | {
      type: 'agent';
      /** The name that the agent gave itself; null for none. */
      name: string | null;
      /** The id of the operator that sponsors it, masked unless the view is `sponsor`; null for none. */
      operator: string | null;
      /** The operators that sponsored it in the period, in the same form, at most 16. */
      sponsors: string[];
      /** 64 lower-case hexadecimal characters. */
      subject_commitment: string;
      /** The agent's did:key. */
      did: string;
      /** The state of the agent when the package was made, such as `ISSUED` or `REVOKED`. */
      state: string;
      /** The id of the operator that sponsors it; only in the view `sponsor`, and only if there is one. */
      sponsor?: string;
    }
  | {
      type: 'cluster';
      /** `urn:countersign:cluster:<cluster_id>`. */
      id: string;
      cluster_id: string;
      /** The id of the operator that reports its telemetry, masked; null in version 1. */
      operator: string | null;
    };

/** A checkpoint of a log that reference sets cite. */
export type CitedCheckpoint = {
  log: LogName;
  /** The origin of the log, as in the note. */
  origin: string;
  tree_size: number;
  /** 64 lower-case hexadecimal characters. */
  root_hash: string;
  /** The signed note (C2SP tlog-checkpoint). */
  note: string;
};

/** A reference of a set, with what proves that the set and the log have it. */
export type SampledReference = {
  /** The position in the set, from 0. */
  position: number;
  /**
   * The audit path (RFC 6962) from the leaf to `merkle_root` of the set: base64, the sibling of the leaf
   * first.
   */
  path: string[];
  /**
   * The proof that the log has the entry, for the cited checkpoint with this origin and size. Signed by
   * ML-DSA-44, the note is longer than all the rest of a reference.
   */
  inclusion_path: PathWithoutCheckpoint;
  /** The path of the API where those who may see the payload can read it; only in the view `sponsor`. */
  payload_url?: string;
};

/**
 * A sequence of entries of logs: ordered by log (in the order of `LOG_NAMES`), then by index, each once. The
 * Merkle tree over the entries is that of RFC 6962, so its leaf hashes are those of the logs.
 */
export type ReferenceSet = {
  /** The name that controls cite: lower-case letters, digits and underscores. */
  name: string;
  description: string;
  /** The number of entries. */
  count: number;
  /** The root of the tree over all entries: 64 lower-case hexadecimal characters. */
  merkle_root: string;
  /** The entries at `samplePositions`, in this order. */
  sample: SampledReference[];
};

/** The set that a control cites, repeated so that a control can be read by itself. */
export type CitedSet = { set: string; count: number; merkle_root: string };

/** What the service can show about one control. */
export type PackageControl = {
  /** The id of the control in its framework, such as `CC7.2`. */
  id: string;
  /** Our words for the control. */
  title: string;
  status: ControlStatus;
  /** Who says so, in the order of `ATTESTERS`; empty if it is not assessed. */
  attested_by: Attester[];
  /** Why the evidence says something about the control, and what reports and assessors say of it. */
  statement: string;
  /** What the evidence does not say. */
  not_shown: string;
  /** What the organization must add; null for a control that asks nothing more of it. */
  to_add: string | null;
  /** What was counted, by name. */
  counts: { [name: string]: number };
  references: CitedSet | null;
  /** The assessments that count, if some are of the control; null in an audit package, whose set has them. */
  assessments: CitedSet | null;
};

/** A compliance package before it is signed. Its digest covers all of it. */
export type UnsignedPackage = {
  type: typeof PACKAGE_TYPE;
  v: typeof PACKAGE_VERSION | typeof EARLIER_PACKAGE_VERSION;
  /** `pkg_` and a UUIDv7. */
  package_id: string;
  kind: PackageKind;
  framework: string;
  framework_edition: string;
  /** The DID of the service. */
  issuer: string;
  subject: PackageSubject;
  /** From `from` (inclusive) to `to` (exclusive); RFC 3339 in UTC with milliseconds. */
  period: { from: string; to: string };
  generated_at: string;
  view: PackageView;
  /** How much of the period has records, by their kind. */
  coverage: Coverage[];
  /** The number of records by name, of the whole package. */
  records: { [name: string]: number };
  /** The assessors whose assessments count. */
  assessors: PackageAssessor[];
  /** One for each log that a set cites, in the order of `LOG_NAMES`. */
  checkpoints: CitedCheckpoint[];
  /** The number of controls by status. */
  summary: { [status in ControlStatus]: number };
  controls: PackageControl[];
  reference_sets: ReferenceSet[];
  /** Metrics of a cluster, by section. */
  sections?: JsonObject;
  /** Sentences that say what the package cannot show. */
  limits: string[];
};

/** A signed compliance package. */
export type CompliancePackage = UnsignedPackage & {
  /** Over the package without `sampled_receipts`, by `signedObjectMessage`: 128 hexadecimal characters. */
  signature: string;
  /** The key of purpose `credentials` that signed. */
  kid: string;
  /**
   * The receipts that the sampled entries of receipts and of their revocations are of, as signed then. Their
   * own signatures prove them, so they are no part of what the package signs: whoever passes the package on
   * can leave them out.
   */
  sampled_receipts?: JsonValue[];
};

/** Returns how many controls have each status. */
export function summaryOf(controls: readonly PackageControl[]): UnsignedPackage['summary'] {
  const summary = { satisfied: 0, partial: 0, reported: 0, not_assessed: 0 };
  for (const { status } of controls) summary[status]++;
  return summary;
}
