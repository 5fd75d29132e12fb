import { canonicalJson } from '../../src/proof/encoding/canonical-json.ts';
import {
  CONTROL_STATUSES,
  type CompliancePackage,
  type PackageControl,
  type ReferenceSet,
  summaryOf,
} from '../../src/proof/package/format.ts';

const hashOf = (seed: string): string => new Bun.CryptoHasher('sha256').update(seed).digest('hex');
const base64Of = (seed: string): string => Buffer.from(hashOf(seed), 'hex').toString('base64');
const TREE_SIZE = 1_284_731;
const COMMITMENT = hashOf('agent');

function madeUpSet(
  name: string,
  count: number,
  log: 'receipts' | 'evidence',
  entry: (n: number) => object,
): ReferenceSet {
  const sample = Array.from({ length: Math.min(20, count) }, (_, n) => {
    const position = Math.floor((n * count) / 20);
    return {
      position,
      path: Array.from({ length: 14 }, (_, level) => base64Of(`${name} path ${n} ${level}`)),
      inclusion_path: {
        log: `trust.example/${log}`,
        leaf_index: position * 3,
        tree_size: TREE_SIZE,
        leaf_entry: JSON.stringify(entry(position)),
        leaf_hash: hashOf(`${name} leaf ${n}`),
        hashes: Array.from({ length: 18 }, (_, level) => base64Of(`${name} hash ${n} ${level}`)),
      },
    };
  });
  return {
    name,
    description: `Entries of the log of ${log} about this agent in the period.`,
    count,
    merkle_root: hashOf(name),
    sample,
  };
}

const timeOf = (n: number): string => new Date(Date.UTC(2026, 7, 25) + n * 91_234).toISOString();

/**
 * Returns a package with made-up values in the format of packages. Its signature and its proofs are not
 * valid.
 */
export function madeUpPackage(changes: Partial<CompliancePackage> = {}): {
  text: string;
  document: CompliancePackage;
} {
  const receipts = madeUpSet('receipts', 61_208, 'receipts', (n) => ({
    content_hash: hashOf(`receipt ${n}`),
    finalized_at: timeOf(n),
    kid: 'receipts-1',
    receipt_id: `rcpt_${hashOf(`id ${n}`).slice(0, 32)}`,
    signature: hashOf('signature').repeat(2),
    v: 1,
  }));
  const evidence = madeUpSet('evidence', 38_792, 'evidence', (n) => ({
    anchored_at: timeOf(n),
    event_commitment_hash: hashOf(`event ${n}`),
    index: n,
    payload_digest: hashOf(`payload ${n}`),
    prev_event_hash: hashOf(`event ${n - 1}`),
    source_type: ['git_push', 'compliance_report', 'ci_result'][n % 3],
    subject_commitment: COMMITMENT,
    v: 1,
  }));
  const ids = [
    'GOVERN 1.4',
    'GOVERN 1.6',
    'GOVERN 2.1',
    'MAP 1.1',
    'MAP 3.5',
    'MEASURE 2.3',
    'MEASURE 2.4',
  ].concat(['MEASURE 2.7', 'MEASURE 2.8', 'MEASURE 2.12', 'MANAGE 4.1', 'MANAGE 4.3']);
  const controls = ids.map((id, n): PackageControl => {
    const status = CONTROL_STATUSES[[0, 0, 1, 0, 3, 2, 0, 1, 2, 3, 0, 1][n] ?? 0] ?? 'partial';
    const set = n % 2 === 0 ? receipts : evidence;
    return {
      id,
      title: 'The process of risk management is transparent and its results are recorded',
      status,
      attested_by: {
        satisfied: [n === 0 ? ('assessor' as const) : ('service' as const)],
        partial: ['service' as const],
        reported: ['self' as const],
        not_assessed: [],
      }[status],
      statement: 'Receipts record actions when they end, in an append-only log with time and order.',
      not_shown: 'Whether the outcome was right is not known to the service.',
      to_add: status === 'partial' ? 'The policies and procedures, and who approved them.' : null,
      counts: status === 'not_assessed' ? {} : { receipts: 61_208, receipts_refused: 12, evidence: 38_792 },
      references:
        status === 'not_assessed' ? null : { set: set.name, count: set.count, merkle_root: set.merkle_root },
      assessments: null,
    };
  });
  const document: CompliancePackage = {
    type: 'compliance-package',
    v: 2,
    package_id: 'pkg_019de3962e0070008f3a5b0c7d1e9a42',
    kind: 'assessment',
    framework: 'NIST_AI_RMF',
    framework_edition: 'NIST AI 100-1, January 2023',
    issuer: 'did:web:trust.example',
    subject: {
      type: 'agent',
      name: 'invoice agent',
      operator: 'op_cus_A1b2…K1l2',
      sponsors: ['op_cus_A1b2…K1l2'],
      subject_commitment: COMMITMENT,
      did: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
      state: 'ISSUED',
    },
    period: { from: '2026-08-24T00:00:00.000Z', to: '2026-11-22T00:00:00.000Z' },
    generated_at: '2026-11-22T12:00:00.000Z',
    view: 'public',
    coverage: [
      {
        ...{
          records: 'receipts',
          count: 61_208,
          days: 90,
          record_days: 71,
          covered_days: 79,
          max_gap_days: 7,
        },
        gaps: [
          { from: '2026-08-24', to: '2026-08-26', days: 3 },
          { from: '2026-10-01', to: '2026-10-08', days: 8 },
        ],
      },
      {
        ...{
          records: 'evidence',
          count: 38_792,
          days: 90,
          record_days: 90,
          covered_days: 90,
          max_gap_days: 7,
        },
        gaps: [],
      },
    ],
    records: {
      ...{ receipts: 61_208, receipts_success: 61_000, receipts_failed: 12, receipts_open: 40 },
      ...{ receipts_overdue: 0, receipts_abandoned: 2, evidence: 38_792 },
    },
    assessors: [{ subject_commitment: hashOf('assessor'), name: 'Example Assurance', assessments: 2 }],
    checkpoints: (['receipts', 'evidence'] as const).map((log) => ({
      log,
      origin: `trust.example/${log}`,
      tree_size: TREE_SIZE,
      root_hash: hashOf(log),
      note: `trust.example/${log}\n${TREE_SIZE}\n${base64Of(log)}\n\n— trust.example/${log} ${base64Of(`note ${log}`)}\n`,
    })),
    summary: summaryOf(controls),
    controls,
    reference_sets: [receipts, evidence],
    limits: [
      'The package shows what was recorded. It cannot show that everything was recorded.',
      'Whether a person reviewed an action is not known to the service.',
    ],
    signature: hashOf('signature').repeat(2),
    kid: 'credentials_'.padEnd(43, '1'),
    ...changes,
  };
  return { text: canonicalJson(JSON.parse(JSON.stringify(document))), document };
}
