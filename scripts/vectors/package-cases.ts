import type { JsonObject, JsonValue } from '../../src/proof/encoding/json.ts';
import { didKey } from '../../src/proof/keys/did-key.ts';
import { PACKAGE_KINDS, type PackageKind } from '../../src/proof/package/format.ts';
import type { PackageVerdict } from '../../src/proof/package/verdict.ts';
import { replaced } from '../../test/support/changed-document.ts';
import {
  citedCheckpoint,
  FOREIGN,
  type Leaf,
  leavesOf,
  packageKeys,
  packageLogs,
  referenceSet,
  signedPackage,
  unsignedPackage,
} from '../../test/support/compliance-package.ts';
import { testKey } from '../../test/support/small-log.ts';
import { CONTRADICTIONS } from './package-contradictions.ts';
import { PERIOD_CASES } from './package-periods.ts';
import { RECEIPTS_CASES } from './package-receipts.ts';
import { RULES_CASES } from './package-rules.ts';
import { CROWDED_SETS, TELEMETRY_CASES } from './package-samples.ts';

/** A package with a change, and what a verifier must say of it. */
export interface PackageCase {
  name: string;
  /** The genuine package that is changed: of a kind, or that of an agent for its sponsor or for SOC 2. */
  kind: PackageKind | 'sponsor' | 'soc2';
  document: JsonObject;
  keys: JsonObject;
  verdict: PackageVerdict;
  /** The beginning of the problem that names what is wrong; null for a valid package. */
  problem: string | null;
  /** Some of the checks in the result. */
  checks?: Record<string, string>;
}

type Change = (document: JsonObject) => JsonObject;

const genuine = Object.fromEntries(PACKAGE_KINDS.map((kind) => [kind, signedPackage(unsignedPackage(kind))]));

const set =
  (value: JsonValue | undefined, ...place: (string | number)[]): Change =>
  (document) =>
    replaced(document, place, value);

/** Returns the keys with one of them changed. */
const keysWith = (index: number, change: JsonObject): JsonObject => {
  const rows: JsonObject[] = JSON.parse(JSON.stringify(packageKeys.keys));
  return { ...packageKeys, keys: rows.map((row, at) => (at === index ? { ...row, ...change } : row)) };
};
const CREDENTIALS_ROW = 1;
const EVIDENCE_LOG_ROW = 5;
const FIRST = 'reference_sets[0].sample[0]';
const PROOF = ['reference_sets', 0, 'sample', 0, 'inclusion_path'] as const;

const genuineOf = (kind: PackageKind): JsonObject => genuine[kind] ?? {};

/** A change of a genuine package of kind `audit` that is not signed again. */
const changed = (name: string, change: Change, verdict: PackageVerdict, problem: string): PackageCase => ({
  name,
  kind: 'audit',
  document: change(genuineOf('audit')),
  keys: packageKeys,
  verdict,
  problem,
});

/** A genuine package of kind `audit` with other keys. */
const withKeys = (
  name: string,
  keys: JsonObject,
  verdict: PackageVerdict,
  problem: string | null,
): PackageCase => ({ name, kind: 'audit', document: genuineOf('audit'), keys, verdict, problem });

/** A package that its issuer signed with a change. */
const signed = (
  name: string,
  kind: PackageKind,
  unsigned: JsonObject,
  verdict: PackageVerdict,
  problem: string | null,
): PackageCase => ({ name, kind, document: signedPackage(unsigned), keys: packageKeys, verdict, problem });

/** A package of kind `audit` that its issuer signed, with one set of these entries. */
const ofEntries = (name: string, leaves: readonly Leaf[], problem: string): PackageCase =>
  signed(
    name,
    'audit',
    unsignedPackage('audit', [referenceSet('evidence', leaves)], leaves),
    'bad_sample',
    problem,
  );

const audit = unsignedPackage('audit');
const inAudit = (name: string, change: Change, verdict: PackageVerdict, problem: string): PackageCase =>
  signed(name, 'audit', change(audit), verdict, problem);
const [firstEvidence, secondEvidence, ...laterEvidence] = leavesOf.evidence;
if (firstEvidence === undefined || secondEvidence === undefined) throw new Error('there is evidence');

/**
 * All cases: genuine packages, packages that were changed, and packages that the issuer signed with something
 * wrong in them.
 */
export const PACKAGE_CASES: readonly PackageCase[] = [
  ...PACKAGE_KINDS.map(
    (kind): PackageCase => ({
      name: `a genuine package of kind ${kind}`,
      kind,
      document: genuineOf(kind),
      keys: packageKeys,
      verdict: 'valid',
      problem: null,
    }),
  ),

  withKeys(
    'a list of another service',
    { ...packageKeys, log: { origin: 'shadow.example/keys' } },
    'wrong_log',
    'checkpoints[0].note: wrong_log: ',
  ),
  withKeys(
    'a list without log',
    { keys: packageKeys.keys ?? null },
    'log_not_named',
    'checkpoints[0].note: ',
  ),
  withKeys(
    'a list that names the did:web of the service, for a package of the did:key that signed',
    { issuer: 'did:web:trust.example', ...packageKeys },
    'valid',
    null,
  ),
  {
    ...signed(
      'the did:web of the service',
      'audit',
      set('did:web:trust.example', 'issuer')(audit),
      'valid',
      null,
    ),
    keys: { issuer: 'did:web:trust.example', ...packageKeys },
  },
  {
    ...inAudit('the did:web of a bank', set('did:web:bank.example', 'issuer'), 'issuer_unknown', 'issuer is'),
    keys: { issuer: 'did:web:trust.example', ...packageKeys },
  },
  {
    ...inAudit(
      'a did:web, of a service that has none',
      set('did:web:bank.example', 'issuer'),
      'issuer_unknown',
      'issuer is',
    ),
    keys: { issuer: didKey(Buffer.from(testKey(3).public_key, 'hex')), ...packageKeys },
  },
  changed('another status', set('satisfied', 'controls', 1, 'status'), 'bad_signature', 'signature'),
  changed('another statement', set('All is well.', 'controls', 0, 'statement'), 'bad_signature', 'signature'),
  changed('another period', set('2026-07-01T00:00:00.000Z', 'period', 'to'), 'bad_signature', 'signature'),
  changed('a limit less', set([], 'limits'), 'bad_signature', 'signature'),
  changed('another member', set('x', 'note'), 'bad_signature', 'signature'),
  changed(
    'another entry in the sample',
    set(packageLogs.evidence.entries[1], ...PROOF, 'leaf_entry'),
    'bad_signature',
    'reference_sets[0].sample[0].path',
  ),
  changed('another signature', set('00'.repeat(64), 'signature'), 'bad_signature', 'signature'),
  changed('the kid of a key for receipts', set(testKey(1).kid, 'kid'), 'key_unknown', 'kid'),
  changed('a version that is not known', set(3, 'v'), 'malformed', 'v is not 2'),
  changed('a member less', set(undefined, 'summary'), 'malformed', 'summary is missing'),
  changed(
    'a count with a fraction',
    set(0.5, 'reference_sets', 0, 'count'),
    'malformed',
    'reference_sets[0].count',
  ),
  changed('a cluster as subject', set('cluster', 'subject', 'type'), 'malformed', 'subject.type'),

  withKeys('a stolen key', keysWith(CREDENTIALS_ROW, { status: 'compromised' }), 'key_compromised', 'kid'),
  withKeys(
    'a key that was retired before',
    keysWith(CREDENTIALS_ROW, { status: 'retired', valid_until: '2026-06-01T11:59:59.999Z' }),
    'key_retired',
    'generated_at',
  ),
  withKeys(
    'a key that was retired at that time',
    keysWith(CREDENTIALS_ROW, { status: 'retired', valid_until: '2026-06-01T12:00:00.000Z' }),
    'valid',
    null,
  ),
  withKeys(
    'a key that signs something else',
    keysWith(CREDENTIALS_ROW, { purpose: 'receipts' }),
    'key_unknown',
    'kid',
  ),
  withKeys(
    'a stolen key of a log',
    keysWith(EVIDENCE_LOG_ROW, { status: 'compromised' }),
    'bad_checkpoint',
    'checkpoints[0].note',
  ),
  withKeys(
    'a key of another log',
    keysWith(EVIDENCE_LOG_ROW, { purpose: 'keys-log' }),
    'bad_checkpoint',
    'checkpoints[0].note',
  ),

  inAudit('a summary that counts more', set(2, 'summary', 'satisfied'), 'inconsistent', 'summary.satisfied'),
  inAudit(
    'a satisfied control without references',
    set(null, 'controls', 0, 'references'),
    'inconsistent',
    'controls[0].status',
  ),
  inAudit(
    'a control that counts more than its set',
    set(6, 'controls', 0, 'references', 'count'),
    'inconsistent',
    'controls[0].references.count',
  ),
  inAudit(
    'a control with the root of another set',
    set('00'.repeat(32), 'controls', 0, 'references', 'merkle_root'),
    'inconsistent',
    'controls[0].references.merkle_root',
  ),
  inAudit(
    'a control that cites no set of the package',
    set('other', 'controls', 0, 'references', 'set'),
    'inconsistent',
    'controls[0].references.set',
  ),
  inAudit('two controls with one id', set('CC7.1', 'controls', 1, 'id'), 'inconsistent', 'controls[1].id'),
  inAudit(
    'a period that ends before it begins',
    set('2026-01-01T00:00:00.000Z', 'period', 'to'),
    'inconsistent',
    'period.to',
  ),
  inAudit(
    'the did:key of another issuer',
    set(didKey(Buffer.from(testKey(9).public_key, 'hex')), 'issuer'),
    'inconsistent',
    'issuer',
  ),
  inAudit('a date in the future', set('2026-06-01T12:01:00.001Z', 'generated_at'), 'future', 'generated_at'),
  inAudit(
    'a larger tree than that of the note',
    set(9, 'checkpoints', 0, 'tree_size'),
    'bad_checkpoint',
    'checkpoints[0].tree_size',
  ),
  inAudit(
    'another root than that of the note',
    set('00'.repeat(32), 'checkpoints', 0, 'root_hash'),
    'bad_checkpoint',
    'checkpoints[0].root_hash',
  ),
  inAudit(
    'another origin than that of the note',
    set('other.example/evidence', 'checkpoints', 0, 'origin'),
    'bad_checkpoint',
    'checkpoints[0].origin',
  ),
  inAudit(
    'the checkpoint of another log',
    set(packageLogs.receipts.checkpoint, 'checkpoints', 0, 'note'),
    'bad_checkpoint',
    'checkpoints[0].origin',
  ),
  inAudit(
    'a note that is no checkpoint',
    set('evidence', 'checkpoints', 0, 'note'),
    'bad_checkpoint',
    'checkpoints[0].note',
  ),
  inAudit('a log without a checkpoint', set([], 'checkpoints'), 'bad_sample', 'reference_sets[0].count'),
  inAudit(
    'an entry less in the sample',
    set(undefined, 'reference_sets', 0, 'sample', 4),
    'bad_sample',
    'reference_sets[0].sample is not',
  ),
  ...CONTRADICTIONS.map(({ name, kind, unsigned, verdict, problem }) =>
    signed(name, kind, unsigned, verdict, problem),
  ),
  inAudit(
    'an entry of another log',
    set(packageLogs.receipts.origin, ...PROOF, 'log'),
    'bad_sample',
    `${FIRST}.inclusion_path.log`,
  ),
  inAudit(
    'a path in the log that leads elsewhere',
    set([], ...PROOF, 'hashes'),
    'bad_sample',
    `${FIRST}.inclusion_path.hashes`,
  ),
  inAudit(
    'a subject that the evidence is not of',
    set('00'.repeat(32), 'subject', 'subject_commitment'),
    'bad_sample',
    `${FIRST}.inclusion_path.leaf_entry`,
  ),
  inAudit(
    'a period that begins after the first entry',
    // It is too short for more than partial.
    (document) =>
      [
        set('2026-05-01T12:00:00.001Z', 'period', 'from'),
        set(31, 'controls', 0, 'counts', 'assessor_days'),
        set('partial', 'controls', 0, 'status'),
        set(0, 'summary', 'satisfied'),
        set(1, 'summary', 'partial'),
      ].reduce((changed, change) => change(changed), document),
    'bad_sample',
    `${FIRST}.inclusion_path.leaf_entry`,
  ),
  ofEntries(
    'an entry twice',
    [firstEvidence, firstEvidence],
    'reference_sets[0].sample[1].inclusion_path.leaf_index',
  ),
  ofEntries(
    'entries in another order',
    [secondEvidence, firstEvidence, ...laterEvidence],
    'reference_sets[0].sample[1].inclusion_path.leaf_index',
  ),
  ofEntries(
    'logs in another order',
    [firstEvidence, ['receipts', 0]],
    'reference_sets[0].sample[1].inclusion_path.leaf_index',
  ),
  ofEntries('an entry of another agent', [FOREIGN.agent], `${FIRST}.inclusion_path.leaf_entry`),
  ofEntries('an entry with a wrong hash', [FOREIGN.hash], `${FIRST}.inclusion_path.leaf_entry`),
  ofEntries('a text that is no entry', [FOREIGN.text], `${FIRST}.inclusion_path.leaf_entry`),
  ofEntries(
    'more entries than the logs have',
    Array.from({ length: 9 }, () => firstEvidence),
    'reference_sets[0].sample[1].inclusion_path.leaf_index',
  ),
  signed(
    'a sample that the issuer chose',
    'datacenter',
    unsignedPackage('datacenter', [
      referenceSet(
        'receipts',
        leavesOf.receipts,
        Array.from({ length: 20 }, (_, position) => position),
      ),
    ]),
    'bad_sample',
    'reference_sets[0].sample is not',
  ),
  ...CROWDED_SETS.map(({ name, leaves, problem }) =>
    signed(
      name,
      'audit',
      unsignedPackage('audit', [referenceSet('receipts', leaves)], leaves),
      'bad_sample',
      problem,
    ),
  ),
  ...TELEMETRY_CASES.map(({ name, unsigned, verdict, problem }) =>
    signed(name, 'datacenter', unsigned, verdict, problem),
  ),
  signed(
    'an empty set with the root of another',
    'assessment',
    ['controls', 'reference_sets'].reduce<JsonObject>(
      (document, list) =>
        replaced(
          document,
          list === 'controls' ? [list, 3, 'references', 'merkle_root'] : [list, 3, 'merkle_root'],
          '00'.repeat(32),
        ),
      unsignedPackage('assessment'),
    ),
    'bad_sample',
    'reference_sets[3].merkle_root',
  ),
  signed(
    'a control that an empty set satisfies',
    'assessment',
    replaced(replaced(unsignedPackage('assessment'), ['controls', 3, 'status'], 'satisfied'), ['summary'], {
      satisfied: 4,
      partial: 0,
      reported: 0,
      not_assessed: 1,
    }),
    'inconsistent',
    'controls[3].status',
  ),
  signed(
    'checkpoints in another order',
    'assessment',
    replaced(
      unsignedPackage('assessment'),
      ['checkpoints'],
      (['keys', 'receipts', 'revocations', 'evidence'] as const).map(citedCheckpoint),
    ),
    'inconsistent',
    'checkpoints[1].log',
  ),
  ...PERIOD_CASES.map(({ name, kind, unsigned, verdict, problem }) =>
    signed(name, kind, unsigned, verdict, problem),
  ),
  ...RULES_CASES.map((one) => ({ ...one, keys: packageKeys })),
  ...RECEIPTS_CASES.map((one) => ({ ...one, kind: 'sponsor' as const })),
];
