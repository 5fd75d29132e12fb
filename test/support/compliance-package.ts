import { nativePrimitives, signEd25519 } from '../../src/platform/crypto/crypto.ts';
import { subjectCommitment } from '../../src/proof/agent/commitment.ts';
import { encodeBase64 } from '../../src/proof/encoding/base64.ts';
import { textDigest } from '../../src/proof/encoding/digest.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { eventHash } from '../../src/proof/evidence/event.ts';
import { didKey } from '../../src/proof/keys/did-key.ts';
import { signedObjectMessage } from '../../src/proof/keys/signed-object.ts';
import {
  agentRevocationEntryText,
  evidenceEntryText,
  receiptEntryText,
  revocationEntryText,
} from '../../src/proof/log/log-entry.ts';
import { LOG_NAMES, type LogName, originOf } from '../../src/proof/log/log-names.ts';
import { inclusionPath, leafHash } from '../../src/proof/log/merkle.ts';
import type { Coverage } from '../../src/proof/package/coverage.ts';
import {
  type PackageControl,
  type PackageKind,
  type ReferenceSet,
  type SampledReference,
  summaryOf,
} from '../../src/proof/package/format.ts';
import { CHUNK_LEAVES, chunkOf, ReferenceTree } from '../../src/proof/package/reference-tree.ts';
import { samplePositions } from '../../src/proof/package/sample.ts';
import type { Receipt, ReceiptPayload } from '../../src/proof/receipt/receipt.ts';
import { keyRow, type SmallLog, signedReceipt, smallLog, type TestKey, testKey } from './small-log.ts';
import { example } from './worked-example.ts';

/**
 * Compliance packages of fixed keys and logs, so that each is the same every time: the genuine ones of
 * test/vectors/package. The keys are those of docs/verification/example.md, and two more.
 */
export const ORIGIN = 'receipts.example';
const CREDENTIALS = testKey(3);
const LOG_KEYS: Readonly<Record<LogName, TestKey>> = {
  receipts: testKey(2),
  keys: testKey(4),
  revocations: testKey(5),
  evidence: testKey(6),
  accounts: testKey(8),
};
const AGENT = testKey(9);
const AGENT_COMMITMENT = subjectCommitment(nativePrimitives, AGENT.public_key);
export const GENERATED_AT = '2026-06-01T12:00:00.000Z';
export const PERIOD = { from: '2026-03-01T00:00:00.000Z', to: '2026-06-01T00:00:00.000Z' };
const DAYS = 92;
/** A stated coverage: the entries of the logs do not show their days. */
export const COVERAGE: Coverage = {
  ...{ records: 'receipts', count: 34, days: DAYS, record_days: 20, covered_days: 89, max_gap_days: 7 },
  gaps: [{ from: '2026-03-01', to: '2026-03-03', days: 3 }],
};
export const ASSESSOR = {
  subject_commitment: subjectCommitment(nativePrimitives, testKey(7).public_key),
  name: 'Assessor',
  assessments: 1,
};

export const packageKeys: JsonObject = {
  keys: [
    keyRow(testKey(1), 'receipts'),
    keyRow(CREDENTIALS, 'credentials'),
    ...LOG_NAMES.map((name) => keyRow(LOG_KEYS[name], `${name}-log`)),
  ],
  log: { origin: originOf(ORIGIN, 'keys') },
};

/** Returns 64 hexadecimal characters that follow from a text. */
const digestOf = (text: string): string => textDigest(nativePrimitives, text);
const minute = (index: number): string =>
  new Date(Date.parse('2026-05-01T12:00:00.000Z') + index * 60_000).toISOString();

/** The operator that sponsors the agent. */
export const SPONSOR = 'op_cus_A1b2C3d4E5f6G7h8I9j0K1l2';

/** Returns a receipt: those with an even index are of the agent, the others of another one. */
export function packageReceipt(
  index: number,
  changes: Partial<ReceiptPayload> = {},
  key = testKey(1),
): Receipt & { kid: string } {
  return signedReceipt(key, {
    receipt_id: `rcpt_${digestOf(`receipt ${index}`).slice(0, 32)}`,
    issued_at: minute(index),
    operator_id: SPONSOR,
    agent_id: index % 2 === 0 ? AGENT_COMMITMENT : 'another-agent',
    receipt_type: 'custody',
    status: 'success',
    input_digest: digestOf(`work ${index}`),
    authority_scope: 'invoices:pay',
    expiry: '2036-05-01T12:00:00Z',
    revocation_status: 'active',
    output_hash: digestOf(`output ${index}`),
    domain: 'FINANCIAL_CLEARING',
    error_tranche: 'NONE',
    ...changes,
  });
}

/** The revoked version of a receipt of the agent. */
const revokedReceipt = packageReceipt(4, { revocation_status: 'revoked' });

const entryMembers = ({ receipt_id, content_hash, signature, kid }: Receipt & { kid: string }) => ({
  ...{ receipt_id, content_hash, signature, kid },
});

function evidenceEntries(
  subject_commitment: string,
  count: number,
  source_type = 'compliance_report',
): string[] {
  const entries: string[] = [];
  let prev_event_hash: string | null = null;
  for (let index = 0; index < count; index++) {
    const event = {
      subject_commitment,
      source_type,
      payload_digest: digestOf(`payload ${index}`),
      prev_event_hash,
    };
    const event_commitment_hash = eventHash(nativePrimitives, event);
    entries.push(evidenceEntryText({ ...event, index, event_commitment_hash, anchored_at: minute(index) }));
    prev_event_hash = event_commitment_hash;
  }
  return entries;
}

/** Returns an entry whose event_commitment_hash is that of something else. */
function wrongEvidence(): string {
  return evidenceEntryText({
    subject_commitment: AGENT_COMMITMENT,
    source_type: 'compliance_report',
    payload_digest: digestOf('payload'),
    prev_event_hash: null,
    event_commitment_hash: digestOf('something else'),
    index: 0,
    anchored_at: minute(0),
  });
}

/**
 * The number of entries about the agent. After them the logs have others: no package of the agent may cite
 * these.
 */
const RECEIPTS = 67;
const EVIDENCE = 5;
/** The positions of entries that no package of the agent may cite. */
export const FOREIGN = {
  /** Text that is no entry. */
  text: ['receipts', RECEIPTS],
  /** Evidence of another agent. */
  agent: ['evidence', EVIDENCE],
  /** Evidence with a wrong event_commitment_hash. */
  hash: ['evidence', EVIDENCE + 1],
} as const satisfies Record<string, Leaf>;

/** The assessment of the assessor. */
export const ASSESSMENT: readonly Leaf[] = [['evidence', EVIDENCE + 2]];

const ENTRIES: Readonly<Record<LogName, readonly string[]>> = {
  receipts: [
    ...Array.from({ length: RECEIPTS }, (_, index) =>
      receiptEntryText({ ...entryMembers(packageReceipt(index)), finalized_at: minute(index) }),
    ),
    'a text that is no entry',
  ],
  keys: [example.keyEntry],
  revocations: [
    revocationEntryText({ ...entryMembers(revokedReceipt), revoked_at: minute(90) }),
    agentRevocationEntryText({ subject_commitment: AGENT_COMMITMENT, at: minute(95) }),
  ],
  evidence: [
    ...evidenceEntries(AGENT_COMMITMENT, EVIDENCE),
    ...evidenceEntries(ASSESSOR.subject_commitment, 1),
    wrongEvidence(),
    ...evidenceEntries(ASSESSOR.subject_commitment, 1, 'assessment'),
  ],
  accounts: [],
};

export const packageLogs: Readonly<Record<LogName, SmallLog>> = {
  receipts: logOf('receipts'),
  keys: logOf('keys'),
  revocations: logOf('revocations'),
  evidence: logOf('evidence'),
  accounts: logOf('accounts'),
};

function logOf(name: LogName): SmallLog {
  return smallLog(originOf(ORIGIN, name), ENTRIES[name], [LOG_KEYS[name]]);
}

/** The position of an entry: its log, and the index there. */
export type Leaf = readonly [log: LogName, index: number];

/** Builds a set of entries, with a sample at other positions than it must have if `positions` is given. */
export function referenceSet(
  name: string,
  leaves: readonly Leaf[],
  positions?: readonly number[],
): ReferenceSet {
  const tree = new ReferenceTree(nativePrimitives);
  const hashes = leaves.map(([log, index]) =>
    leafHash(nativePrimitives, Buffer.from(packageLogs[log].entries[index] ?? '')),
  );
  for (const hash of hashes) tree.append(hash);
  const merkle_root = tree.root();
  const sample = (positions ?? samplePositions(nativePrimitives, merkle_root, leaves.length)).map(
    (position): SampledReference => {
      const [log, leaf_index] = leaves[position] ?? (['receipts', 0] as const);
      const { origin, entries, node } = packageLogs[log];
      const leaf_entry = entries[leaf_index] ?? '';
      const start = chunkOf(position) * CHUNK_LEAVES;
      return {
        position,
        path: tree.path(position, hashes.slice(start, start + CHUNK_LEAVES)).map(encodeBase64),
        inclusion_path: {
          log: origin,
          leaf_index,
          tree_size: entries.length,
          leaf_entry,
          leaf_hash: bytesToHex(leafHash(nativePrimitives, Buffer.from(leaf_entry))),
          hashes: inclusionPath(nativePrimitives, leaf_index, entries.length, node).map(encodeBase64),
        },
      };
    },
  );
  return { name, description: `Entries about ${name}.`, count: leaves.length, merkle_root, sample };
}

export function citedCheckpoint(name: LogName): JsonObject {
  const { origin, entries, root, checkpoint } = packageLogs[name];
  return {
    log: name,
    origin,
    tree_size: entries.length,
    root_hash: bytesToHex(root),
    note: checkpoint,
  };
}

const everySecond: Leaf[] = Array.from({ length: 34 }, (_, index) => ['receipts', 2 * index]);
const evidence: Leaf[] = Array.from({ length: EVIDENCE }, (_, index) => ['evidence', index]);
const all: Leaf[] = [...everySecond, ['keys', 0], ['revocations', 0], ['revocations', 1], ...evidence];

/** The sets of the genuine packages: more entries than a sample has, of several logs, few, and none. */
export const leavesOf: Readonly<Record<'receipts' | 'evidence' | 'all' | 'none', readonly Leaf[]>> = {
  receipts: everySecond,
  evidence,
  all,
  none: [],
};

const SETS: Readonly<Record<PackageKind, readonly (keyof typeof leavesOf)[]>> = {
  assessment: ['receipts', 'evidence', 'all', 'none'],
  audit: ['evidence'],
  datacenter: ['receipts'],
};

/** Returns what reports and an assessor say of a control, all of them pass. */
const auditCounts = (reports: number) => ({
  ...{ reports, pass: reports, fail: 0, not_applicable: 0 },
  ...{ assessor_pass: 1, assessor_fail: 0, assessor_days: DAYS },
});

/** Returns a control that cites a set; `satisfied` if the set is not empty. */
function controlOf(
  kind: PackageKind,
  id: string,
  { name, count, merkle_root }: ReferenceSet,
): PackageControl {
  return {
    id,
    title: `What ${id} asks for, in our words`,
    status: count === 0 ? 'partial' : 'satisfied',
    attested_by: kind === 'audit' ? ['self', 'assessor'] : ['service'],
    statement: `${count} entries of the logs are about “${name}”.`,
    not_shown: 'Whether they are right.',
    to_add: null,
    counts: kind === 'audit' ? auditCounts(count) : { entries: count },
    references: { set: name, count, merkle_root },
    assessments: null,
  };
}

/**
 * Returns the members of a genuine package of one kind before it is signed.
 * @param sets other sets than the genuine ones @param leaves the entries in all of them, for the checkpoints
 */
export function unsignedPackage(
  kind: PackageKind,
  sets: readonly ReferenceSet[] = SETS[kind].map((name) => referenceSet(name, leavesOf[name])),
  leaves: readonly Leaf[] = SETS[kind].flatMap((name) => leavesOf[name]),
): JsonObject {
  const controls = [
    ...sets.map((set, index) => controlOf(kind, `CC7.${index + 1}`, set)),
    {
      ...controlOf(kind, 'CC9.9', referenceSet('none', [])),
      status: 'not_assessed' as const,
      attested_by: [],
      ...(kind === 'audit' && { counts: { ...auditCounts(0), assessor_pass: 0, assessor_days: 0 } }),
      references: null,
    },
  ];
  const logs = LOG_NAMES.filter((log) => leaves.some(([of]) => of === log));
  return {
    type: 'compliance-package',
    v: 2,
    package_id: `pkg_${digestOf(kind).slice(0, 32)}`,
    kind,
    // The rules of the other one are not known to any verifier: its controls have any counts.
    framework: kind === 'audit' ? 'SOC2_TYPE2' : 'EXAMPLE',
    framework_edition: '2017, points of focus of 2022',
    issuer: didKey(Buffer.from(CREDENTIALS.public_key, 'hex')),
    subject:
      kind === 'datacenter'
        ? {
            type: 'cluster',
            id: 'urn:countersign:cluster:hall-1',
            cluster_id: 'hall-1',
            operator: 'op_cus_A1b2…K1l2',
          }
        : {
            type: 'agent',
            name: 'invoices',
            operator: 'op_cus_A1b2…K1l2',
            sponsors: ['op_cus_A1b2…K1l2'],
            subject_commitment: AGENT_COMMITMENT,
            did: didKey(Buffer.from(AGENT.public_key, 'hex')),
            state: 'ISSUED',
          },
    period: PERIOD,
    generated_at: GENERATED_AT,
    view: 'public',
    coverage: [],
    records: {},
    assessors: kind === 'audit' ? [ASSESSOR] : [],
    checkpoints: logs.map(citedCheckpoint),
    summary: summaryOf(controls),
    controls,
    reference_sets: [...sets],
    ...(kind === 'datacenter' && {
      sections: { energy: { pue: 1.0825, größe: 1e21, small: 1.5e-7, minus: -0.5, whole: 12345678.5 } },
    }),
    limits: ['It cannot show what was never recorded.'],
  };
}

/** Signs a package as the service does. */
export function signedPackage(unsigned: JsonObject, key: TestKey = CREDENTIALS): JsonObject {
  const { sampled_receipts: _receipts, ...content } = unsigned;
  const message = signedObjectMessage(nativePrimitives, content);
  return { ...unsigned, signature: bytesToHex(signEd25519(key.privateKey, message)), kid: key.kid };
}

/**
 * Returns the package for the sponsor of the agent, signed, with the receipts of the sampled entries.
 * @param changes members of the package before it is signed
 */
export function sponsorPackage(changes: JsonObject = {}, receipts = sampledReceipts()): JsonObject {
  const unsigned = unsignedPackage('assessment');
  const signed = signedPackage({
    ...unsigned,
    view: 'sponsor',
    subject: { ...Object(unsigned.subject), operator: SPONSOR, sponsor: SPONSOR },
    ...changes,
  });
  return { ...signed, sampled_receipts: receipts.map((receipt) => ({ ...receipt })) };
}

/** Returns the receipts of the sampled entries of the genuine package of an agent, each version once. */
export function sampledReceipts(): Receipt[] {
  const sampled = SETS.assessment.flatMap((name) => referenceSet(name, leavesOf[name]).sample);
  const indexesIn = (log: LogName): number[] =>
    sampled
      .filter(({ inclusion_path }) => inclusion_path.log === originOf(ORIGIN, log))
      .map(({ inclusion_path }) => inclusion_path.leaf_index);
  const isRevoked = indexesIn('revocations').includes(0);
  return [
    ...[...new Set(indexesIn('receipts'))].map((index) => packageReceipt(index)),
    ...(isRevoked ? [revokedReceipt] : []),
  ];
}
