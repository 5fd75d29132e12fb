import { decodeBase64 } from '../encoding/base64.ts';
import { bytesToHex, hexToBytes } from '../encoding/hex.ts';
import { AHEAD_MS } from '../encoding/timestamp.ts';
import { type EntryFacts, readEntryFacts } from '../log/entry-facts.ts';
import { LogEntryError } from '../log/entry-members.ts';
import type { LogName } from '../log/log-names.ts';
import { emptyRoot, leafHash, verifyInclusion } from '../log/merkle.ts';
import type { Primitives } from '../primitives.ts';
import { checkpointOf } from './cited.ts';
import {
  type CompliancePackage,
  EARLIER_PACKAGE_VERSION,
  type ReferenceSet,
  type SampledReference,
} from './format.ts';
import { type AGENT_SETS, ASSESSMENTS_SET, type AUDIT_SETS } from './frameworks/vocabulary.ts';
import { samplePositions } from './sample.ts';

const utf8 = new TextEncoder();

/**
 * Checks the sampled entries of all sets: they are at the positions that the root of the set demands, each is
 * in the tree of its set and in the log of the cited checkpoint, their order is that of the logs, and each is
 * an entry of its log about the subject, of the period. It takes sizes and roots of the logs as the package
 * states them.
 *
 * @returns the problems, one sentence each
 */
export function sampleProblems(primitives: Primitives, read: CompliancePackage): string[] {
  return read.reference_sets.flatMap((set, index) => {
    const path = `reference_sets[${index}]`;
    return [
      ...positionProblems(primitives, set, path),
      ...orderProblems(read, set, path),
      ...set.sample.flatMap((sampled, at) =>
        entryProblems(primitives, read, set, sampled).map((what) => `${path}.sample[${at}]${what}`),
      ),
    ];
  });
}

/** The positions follow from the root of the set, so whoever builds a package cannot choose them. */
function positionProblems(primitives: Primitives, set: ReferenceSet, path: string): string[] {
  const { count, merkle_root, sample } = set;
  if (count === 0 && merkle_root !== bytesToHex(emptyRoot(primitives)))
    return [`${path}.merkle_root is not that of an empty set`];
  const demanded = samplePositions(primitives, merkle_root, count).join(', ');
  return demanded === sample.map(({ position }) => position).join(', ')
    ? []
    : [`${path}.sample is not at the positions that ${path}.merkle_root and count demand: ${demanded}`];
}

/**
 * A set is a part of all logs one after the other. So between two sampled entries the logs have at least as
 * many entries as the set has, and likewise before the first and after the last.
 */
function orderProblems(
  { checkpoints }: CompliancePackage,
  { count, sample }: ReferenceSet,
  path: string,
): string[] {
  /** By the origin of the log. */
  const start = new Map<string, number>();
  let total = 0;
  for (const { origin, tree_size } of checkpoints) {
    if (!start.has(origin)) start.set(origin, total);
    total += tree_size;
  }
  const problems: string[] = [];
  let before = { position: -1, index: -1 };
  for (const [at, { inclusion_path, position }] of sample.entries()) {
    const index = (start.get(inclusion_path.log) ?? 0) + inclusion_path.leaf_index;
    if (index - before.index < position - before.position)
      problems.push(
        `${path}.sample[${at}].inclusion_path.leaf_index leaves no room in the logs for the entries of the set before it`,
      );
    before = { position, index };
  }
  if (total - before.index < count - before.position)
    problems.push(`${path}.count is greater than what the logs of checkpoints have room for`);
  return problems;
}

/** Returns the problems of one entry, each to be put after its path. */
function entryProblems(
  primitives: Primitives,
  read: CompliancePackage,
  { name, count, merkle_root }: ReferenceSet,
  sampled: SampledReference,
): string[] {
  const { position, path, inclusion_path } = sampled;
  const { leaf_index, tree_size, leaf_entry, leaf_hash, hashes } = inclusion_path;
  const problems: string[] = [];
  const leaf = leafHash(primitives, utf8.encode(leaf_entry));
  const inSet = {
    leaf,
    index: position,
    size: count,
    path: path.map(bytesOf),
    root: hexToBytes(merkle_root),
  };
  if (!verifyInclusion(primitives, inSet))
    problems.push('.path does not lead from the entry to the merkle_root of the set');
  const wrong = (problem: string): unknown => problems.push(`.inclusion_path${problem}`);
  if (leaf_hash !== bytesToHex(leaf)) wrong('.leaf_hash is not that of leaf_entry');
  const checkpoint = checkpointOf(read, sampled);
  if (checkpoint === undefined) {
    wrong('.log is the origin of none of checkpoints');
    return problems;
  }
  const { log, tree_size: size, root_hash } = checkpoint;
  if (tree_size !== size) wrong('.tree_size is not that of the checkpoint of its log');
  const inLog = { leaf, index: leaf_index, size, path: hashes.map(bytesOf), root: hexToBytes(root_hash) };
  if (!verifyInclusion(primitives, inLog))
    wrong('.hashes do not lead from the entry to the root_hash of its checkpoint');
  const problem = contentProblem(primitives, read, { set: name, log }, leaf_entry);
  if (problem !== null) wrong(`.leaf_entry ${problem}`);
  return problems;
}

function bytesOf(base64: string): Uint8Array {
  return decodeBase64(base64) ?? new Uint8Array();
}

/** The sets that assessments can be in: no other set has entries of another agent than the subject. */
const ASSESSMENT_SETS: readonly string[] = [
  ASSESSMENTS_SET,
  'assessing_reports' satisfies keyof typeof AUDIT_SETS,
];

/** The sets of packages of agents that have reports. */
const REPORT_SETS: readonly string[] = ['reports', 'results'] satisfies (keyof typeof AGENT_SETS)[];

/** Returns why an entry does not belong to a package; null if it does. */
function contentProblem(
  primitives: Primitives,
  read: CompliancePackage,
  { set, log }: { set: string; log: LogName },
  text: string,
): string | null {
  let entry: EntryFacts;
  try {
    entry = readEntryFacts(primitives, log, text);
  } catch (error) {
    if (!(error instanceof LogEntryError)) throw error;
    return `is not an entry of this log: ${error.message}`;
  }
  if (!entry.isHashed)
    return 'is not an entry of this log: its event_commitment_hash is not the digest of its members';
  const { subject } = read;
  const agent = subject.type === 'agent' ? subject.subject_commitment : null;
  const isAssessment = ASSESSMENT_SETS.includes(set) && isOfAssessor(read, entry);
  if (agent !== null && entry.agent !== null && entry.agent !== agent && !isAssessment)
    return 'is of another agent than subject.subject_commitment';
  const isByOwnPeriod = isAssessment || isReportOf(set, read);
  return isInPeriod(entry.at, read, isByOwnPeriod) ? null : 'is not of the period';
}

/** Returns whether a set has reports, in packages that count them by their own period. */
function isReportOf(set: string, { kind, v }: CompliancePackage): boolean {
  return v !== EARLIER_PACKAGE_VERSION && (kind === 'audit' || REPORT_SETS.includes(set));
}

/** Returns whether an entry is an assessment of one of the assessors that the package names. */
function isOfAssessor({ assessors }: CompliancePackage, { agent, sourceType }: EntryFacts): boolean {
  return (
    sourceType === 'assessment' && assessors.some(({ subject_commitment }) => subject_commitment === agent)
  );
}

/**
 * Returns whether an entry can belong to a period by its time. Telemetry of a cluster belongs to a period by
 * the end of its window, which the entry does not have: it may be sent long after that, but at most 60 s
 * before. Reports and assessments belong to it by the periods that they are about, which
 * their entries do not have either: they can be logged after it.
 */
function isInPeriod(
  time: string,
  { subject, period: { from, to } }: CompliancePackage,
  isByOwnPeriod: boolean,
): boolean {
  if (subject.type === 'cluster') return Date.parse(time) + AHEAD_MS >= Date.parse(from);
  return from <= time && (time < to || isByOwnPeriod);
}
