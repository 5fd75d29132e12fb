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
    const status = CONTROL_STATUSES[[0, 0, 1, 0, 2, 0, 0, 1, 0, 2, 0, 1][n] ?? 0] ?? 'partial';
    const set = n % 2 === 0 ? receipts : evidence;
    return {
      id,
      title: 'The process of risk management is transparent and its results are recorded',
      status,
      statement:
        'Receipts record actions when they end, evidence what the agent did. Both are in append-only logs with time and order.',
      counts: status === 'not_assessed' ? {} : { receipts: 61_208, receipts_refused: 12, evidence: 38_792 },
      references:
        status === 'not_assessed' ? null : { set: set.name, count: set.count, merkle_root: set.merkle_root },
    };
  });
  const document: CompliancePackage = {
    type: 'compliance-package',
    v: 1,
    package_id: 'pkg_019de3962e0070008f3a5b0c7d1e9a42',
    kind: 'assessment',
    framework: 'NIST_AI_RMF',
    framework_edition: 'NIST AI 100-1, January 2023',
    issuer: 'did:web:trust.example',
    subject: {
      type: 'agent',
      subject_commitment: COMMITMENT,
      did: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
      state: 'ISSUED',
    },
    period: { from: '2026-08-24T00:00:00.000Z', to: '2026-11-22T00:00:00.000Z' },
    generated_at: '2026-11-22T12:00:00.000Z',
    view: 'public',
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
