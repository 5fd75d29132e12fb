import { bytesToHex } from '../encoding/hex.ts';
import type { JsonObject, JsonValue } from '../encoding/json.ts';
import { otherIssuer, type TrustedIssuer } from '../keys/trusted-issuer.ts';
import type { TrustedKey } from '../keys/trusted-keys.ts';
import {
  isLogVerdict,
  LOG_VERDICTS,
  type LogKey,
  type LogVerdict,
  openTrusted,
  checkpointProblem as problemOfCheckpoint,
  type SignedTree,
  signedTree,
  type TrustedCheckpoint,
} from '../log/log-keys.ts';
import {
  type Cosignatures,
  describeCosignatures,
  isMet,
  type QuorumCheck,
  worstQuorum,
} from '../log/quorum.ts';
import type { Primitives } from '../primitives.ts';
import { checkWitnesses, type WitnessPolicy } from '../receipt/witnessed.ts';
import { type Attribution, attributionOf } from './attribution.ts';
import { inconsistencies } from './consistency.ts';
import { checkDates } from './dates.ts';
import { withInclusionPaths } from './earlier-sample.ts';
import type { CitedCheckpoint, CompliancePackage } from './format.ts';
import { checkRules } from './rules.ts';
import { sampleProblems } from './sample-check.ts';
import { packageShape } from './shape.ts';
import {
  checkKey,
  contentOf,
  issuerProblems,
  type KeyChecks,
  namedKeys,
  openDocument,
  type SignedContent,
  signedProblems,
} from './signed-document.ts';

/** The verdicts on a compliance package with their descriptions. The first one that applies is the result. */
export const PACKAGE_VERDICTS = {
  malformed: 'This is not a well-formed compliance package.',
  hash_mismatch: 'The package was changed after it was signed: its content does not match its content_hash.',
  key_unknown: 'The key that signed the package is not among the trusted keys for credentials.',
  bad_signature: 'The package was changed after it was signed, or the trusted key did not sign it.',
  key_compromised: 'The key that signed the package has been reported as compromised.',
  key_retired: 'The package is dated after the key that signed it was retired.',
  issuer_unknown: 'The package names another issuer than the trusted one.',
  future: 'The package is dated more than 60 s after the clock of this machine.',
  inconsistent: 'Parts of the package contradict each other.',
  bad_checkpoint:
    'A cited checkpoint is not signed by a trusted key of its log, or is not what the package states.',
  ...LOG_VERDICTS,
  misdated:
    'The package is dated more than 60 s before a checkpoint or an entry that it cites, or before the last day of its period.',
  bad_sample: 'A sampled reference is not proven, or is not one that the package had to show.',
  bad_receipt:
    'A receipt of the package is not authentic, is not that of a sampled entry, or is not of the agent.',
  valid: 'The package is authentic and unchanged, and its sampled references are in the logs.',
} as const;

export type PackageVerdict = keyof typeof PACKAGE_VERDICTS;

export interface PackageResult {
  verdict: PackageVerdict;
  /** True if the package is unchanged and signed by a trusted key. */
  authentic: boolean;
  checks: KeyChecks & {
    /** Compares the content with content_hash; only of a package of an earlier version, which has it. */
    hash?: 'ok' | 'mismatch';
    /** Only if the package names another issuer than the trusted one. */
    issuer?: 'unknown';
    /** Whether the package is dated neither after the clock nor before what it cites. */
    date: 'ok' | 'future' | 'misdated' | 'unchecked';
    /** Whether what the package states twice is the same, and its statuses follow from its counts. */
    consistency: 'ok' | 'bad' | 'unchecked';
    /** Whether the statuses follow from the counts; `unknown` if the rule of some control is not known. */
    rules: 'ok' | 'bad' | 'unknown' | 'unchecked';
    /** Whether trusted keys of the logs have signed the cited checkpoints. */
    checkpoints: 'ok' | 'bad' | LogVerdict | 'unchecked';
    /** Whether the sample is that of each set, and is in the set and in the log. */
    sample: 'ok' | 'bad' | 'unchecked';
    /** Whether the sampled entries of receipts were shown to be of the subject, by these receipts. */
    attribution: Attribution['check'] | 'unchecked';
    /** Only when a policy was given: the worst result of all cited checkpoints. */
    quorum?: QuorumCheck;
  };
  /** One sentence for each problem, with the path of the member that has it. */
  problems: string[];
  /** The key that the package names; null for a malformed one. */
  kid: string | null;
  /** The trees of the cited checkpoints that a trusted key of a log of their name signed. */
  trees: SignedTree[];
  /** Only when a policy was given: the cosignatures of the cited checkpoints. */
  cosignatures?: Cosignatures[];
  /** How many sampled entries name no agent, and of how many their receipts do; absent if malformed. */
  attribution?: Pick<Attribution, 'sampled' | 'shown' | 'operators'>;
  /** The package; null unless it is authentic. */
  read: CompliancePackage | null;
}

export interface PackageOptions {
  /** The keys that the verifier trusts. They are never taken from the package. */
  keys: readonly TrustedKey[];
  /** The only issuer that counts; absent or null for every issuer of a trusted key. */
  issuer?: TrustedIssuer | null | undefined;
  /** The keys of the trusted logs. */
  logKeys: readonly LogKey[];
  /**
   * The Unix time in milliseconds; a package, a cited checkpoint or a cosignature that is dated more than
   * 60 s later does not count.
   */
  now: number;
  /** The witnesses that must have cosigned the cited checkpoints; its `log` lines are not used. */
  policy?: WitnessPolicy | undefined;
}

const toUtf8 = new TextEncoder();

/**
 * Verifies a compliance package offline. All checks run, unless the document is malformed, so that the
 * problems name what was changed; the verdict is the first of `PACKAGE_VERDICTS` that applies. Callers with a
 * policy must also look at the check `quorum` (`isPackageAsAsked`). Bytes that are not JSON are malformed.
 * Never throws for any document, key or policy.
 */
export function judgePackage(
  primitives: Primitives,
  bytes: Uint8Array,
  options: PackageOptions,
): PackageResult {
  const shapeOf = (document: JsonValue) => packageShape(withInclusionPaths(primitives, document));
  const opened = openDocument(primitives, bytes, shapeOf, packageContent);
  if ('problems' in opened) return malformed(opened.problems, options);
  return judged(primitives, opened.read, opened.content, options);
}

/** Returns the content of a package: `sampled_receipts` is no part of it. @throws CanonicalJsonError */
function packageContent(primitives: Primitives, document: JsonObject): SignedContent {
  const { sampled_receipts: _receipts, ...signed } = document;
  return contentOf(primitives, signed);
}

function judged(
  primitives: Primitives,
  read: CompliancePackage,
  { digest, ...hash }: SignedContent,
  { keys, logKeys, now, policy, issuer }: PackageOptions,
): PackageResult {
  const named = namedKeys(keys, read);
  const { signature, key } = checkKey(primitives, { ...read, digest }, named);
  const wrongIssuer = otherIssuer(read.issuer, issuer);
  const rules = checkRules(read);
  const contradictions = [...issuerProblems(read, named), ...inconsistencies(read), ...rules.problems];
  const opened = read.checkpoints.map((cited) => openCited(primitives, cited, logKeys));
  const trees = opened.flatMap(({ tree }) => tree ?? []);
  const badCheckpoints = opened.flatMap(({ problem }, index) =>
    problem === null ? [] : [`checkpoints[${index}]${problem}`],
  );
  const dates = checkDates(primitives, read, { trees, now });
  const badSample = sampleProblems(primitives, read);
  const counted = opened.map(({ check, tree }) => (check === 'ok' ? tree : null));
  const {
    check: attribution,
    problems: badReceipts,
    ...facts
  } = attributionOf(primitives, read, {
    keys,
    trees: counted,
  });
  const checks: PackageResult['checks'] = {
    ...hash,
    signature,
    key,
    ...(wrongIssuer !== null && { issuer: 'unknown' }),
    date: dates.check,
    consistency: contradictions.length === 0 ? 'ok' : 'bad',
    rules: rules.problems.length > 0 ? 'bad' : rules.unknown > 0 ? 'unknown' : 'ok',
    checkpoints: worstOf(opened.map(({ check }) => check)),
    sample: badSample.length === 0 ? 'ok' : 'bad',
    attribution,
  };
  const cosignatures =
    policy &&
    read.checkpoints
      .filter((_, index) => opened[index]?.check === 'ok')
      .map(({ note }) => checkWitnesses(primitives, toUtf8.encode(note), policy, now));
  if (cosignatures !== undefined) checks.quorum = worstQuorum(cosignatures);
  const isSigned = hash.hash !== 'mismatch' && signature === 'ok' && key === 'trusted';
  const authentic = isSigned && wrongIssuer === null;
  return {
    verdict: firstOf(checks),
    authentic,
    checks,
    problems: [
      ...signedProblems(checks),
      ...(wrongIssuer === null ? [] : [wrongIssuer]),
      ...dates.problems,
      ...contradictions,
      ...badCheckpoints,
      ...badSample,
      ...badReceipts,
      ...(cosignatures ?? [])
        .filter(({ check }) => !isMet(check))
        .map((found) => `quorum: ${describeCosignatures(found)}`),
    ],
    kid: read.kid,
    trees,
    ...(cosignatures && { cosignatures }),
    attribution: facts,
    read: authentic ? read : null,
  };
}

/**
 * Returns whether a package is valid and the cosignatures of its checkpoints meet the policy, if there is
 * one.
 */
export function isPackageAsAsked({ verdict, checks }: PackageResult): boolean {
  return verdict === 'valid' && isMet(checks.quorum ?? 'ok');
}

/** A cited checkpoint that was opened. */
interface OpenedCheckpoint {
  check: 'ok' | 'bad' | LogVerdict;
  /** Why it does not count, to be put after its path; null if it does. */
  problem: string | null;
  /** Its tree if a trusted key signed it, even one of a log that does not count; else null. */
  tree: SignedTree | null;
}

function openCited(
  primitives: Primitives,
  { note, origin, tree_size, root_hash }: CitedCheckpoint,
  keys: readonly LogKey[],
): OpenedCheckpoint {
  let opened: TrustedCheckpoint;
  try {
    opened = openTrusted(primitives, toUtf8.encode(note), keys);
  } catch (error) {
    const found = problemOfCheckpoint(error);
    if (found === null) throw error;
    const { check, message, checkpoint } = found;
    return { check, problem: `.note: ${message}`, tree: checkpoint && signedTree(checkpoint) };
  }
  const tree = signedTree(opened);
  const bad = (problem: string): OpenedCheckpoint => ({ check: 'bad', problem, tree });
  if (opened.origin !== origin) return bad('.origin is not that of the note');
  if (opened.size !== tree_size) return bad('.tree_size is not that of the note');
  if (bytesToHex(opened.root) !== root_hash) return bad('.root_hash is not that of the note');
  return { check: 'ok', problem: null, tree };
}

/** Returns the result for all cited checkpoints. The logs of one package are judged by the same keys. */
function worstOf(checks: readonly ('ok' | 'bad' | LogVerdict)[]): 'ok' | 'bad' | LogVerdict {
  return checks.includes('bad') ? 'bad' : (checks.find(isLogVerdict) ?? 'ok');
}

function malformed(problems: string[], { policy }: PackageOptions): PackageResult {
  const checks: PackageResult['checks'] = {
    signature: 'unchecked',
    key: 'unchecked',
    date: 'unchecked',
    consistency: 'unchecked',
    rules: 'unchecked',
    checkpoints: 'unchecked',
    sample: 'unchecked',
    attribution: 'unchecked',
  };
  if (policy !== undefined) checks.quorum = 'unchecked';
  return { verdict: 'malformed', authentic: false, checks, problems, kid: null, trees: [], read: null };
}

function firstOf(checks: PackageResult['checks']): PackageVerdict {
  if (checks.hash === 'mismatch') return 'hash_mismatch';
  if (checks.key === 'unknown') return 'key_unknown';
  if (checks.signature !== 'ok') return 'bad_signature';
  if (checks.key === 'compromised') return 'key_compromised';
  if (checks.key === 'retired') return 'key_retired';
  if (checks.issuer === 'unknown') return 'issuer_unknown';
  if (checks.date === 'future') return 'future';
  if (checks.consistency !== 'ok') return 'inconsistent';
  if (isLogVerdict(checks.checkpoints)) return checks.checkpoints;
  if (checks.checkpoints !== 'ok') return 'bad_checkpoint';
  if (checks.date !== 'ok') return 'misdated';
  if (checks.sample !== 'ok') return 'bad_sample';
  return checks.attribution === 'bad' ? 'bad_receipt' : 'valid';
}
