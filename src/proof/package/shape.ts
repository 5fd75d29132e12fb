import { DocumentReader, type TextForm } from '../document/document-reader.ts';
import { did, hex, matching, text, thumbprint, time } from '../document/forms.ts';
import { decodeBase64 } from '../encoding/base64.ts';
import type { JsonValue } from '../encoding/json.ts';
import { parseTimestamp } from '../encoding/timestamp.ts';
import { LOG_NAMES } from '../log/log-names.ts';
import { HASH_BYTES } from '../log/merkle.ts';
import { OPERATOR_ID } from '../receipt/receipt-shape.ts';
import { COVERED_RECORDS, type Coverage } from './coverage.ts';
import {
  ATTESTERS,
  type CitedCheckpoint,
  type CitedSet,
  CONTROL_STATUSES,
  type CompliancePackage,
  EARLIER_PACKAGE_VERSION,
  MAX_SPONSORS,
  PACKAGE_KINDS,
  PACKAGE_TYPE,
  PACKAGE_VERSION,
  PACKAGE_VIEWS,
  type PackageAssessor,
  type PackageControl,
  type PackageKind,
  type PackageSubject,
  type ReferenceSet,
  type SampledReference,
} from './format.ts';
import { SAMPLE_SIZE } from './sample.ts';

/** More than any package has, to limit what a hostile document costs. */
const MAX = {
  ...{ controls: 1024, sets: 256, hashes: 64, limits: 256, receipts: 256 * SAMPLE_SIZE },
  ...{ gaps: 1024, assessors: 256 },
};
/** The statuses that a control of an earlier package may have. */
const EARLIER_STATUSES = ['satisfied', 'partial', 'not_assessed'] as const;

/** The texts of notes and entries, whose own readers limit them. */
const anyText: TextForm = { fits: (value) => value !== '' && value.isWellFormed(), words: 'a text' };
const origin = text(1024);
const packageId = matching(/^pkg_[0-9a-f]{32}$/, 'pkg_ and 32 lower-case hexadecimal characters');
const framework = matching(/^[A-Z0-9_]{1,64}$/, '1 to 64 capital letters, digits and underscores');
export const clusterId = matching(/^[A-Za-z0-9._:-]{1,128}$/, '1 to 128 letters, digits and . _ : -');
const date: TextForm = {
  fits: (value) => parseTimestamp(`${value}T00:00:00.000Z`) !== null && value.length === 10,
  words: 'a day such as 2026-01-31',
};
const operatorId = matching(OPERATOR_ID, 'op_cus_ and 24 letters and digits');
const base64Hash: TextForm = {
  fits: (value) => decodeBase64(value)?.length === HASH_BYTES,
  words: 'base64 of 32 bytes',
};

/**
 * Checks that a parsed document is a compliance package: the members that a verifier uses are present and
 * have their forms. Other members are signed too, so they are accepted. It does not check that the members
 * agree.
 *
 * @returns a copy with these members only, or the problems, one sentence each, at most 50
 */
export function packageShape(value: JsonValue): { read: CompliancePackage } | { problems: string[] } {
  const problems: string[] = [];
  const read = readPackage(new DocumentReader(value, '', problems));
  return problems.length === 0 ? { read } : { problems };
}

function readPackage(value: DocumentReader): CompliancePackage {
  value.object();
  value.member('type').only(PACKAGE_TYPE);
  const isEarlier = value.member('v').value() === EARLIER_PACKAGE_VERSION;
  if (!isEarlier) value.member('v').only(PACKAGE_VERSION);
  const period = value.member('period').object();
  const start = period.member('from');
  const summary = value.member('summary').object();
  const kind = value.member('kind').oneOf(PACKAGE_KINDS);
  return {
    type: PACKAGE_TYPE,
    v: isEarlier ? EARLIER_PACKAGE_VERSION : PACKAGE_VERSION,
    package_id: value.member('package_id').text(packageId),
    kind,
    framework: value.member('framework').text(framework),
    framework_edition: value.member('framework_edition').text(text(256)),
    issuer: value.member('issuer').text(did),
    subject: readSubject(value.member('subject').object(), kind, isEarlier),
    period: { from: start.text(time), to: period.member('to').text(time) },
    generated_at: value.member('generated_at').text(time),
    view: value.member('view').oneOf(PACKAGE_VIEWS),
    ...(isEarlier ? { coverage: [], records: {}, assessors: [] } : readRecords(value)),
    checkpoints: value.member('checkpoints').items(LOG_NAMES.length).map(readCheckpoint),
    summary: {
      satisfied: summary.member('satisfied').count(),
      partial: summary.member('partial').count(),
      reported: isEarlier ? 0 : summary.member('reported').count(),
      not_assessed: summary.member('not_assessed').count(),
    },
    controls: value
      .member('controls')
      .items(MAX.controls)
      .map((control) => readControl(control, isEarlier)),
    reference_sets: value.member('reference_sets').items(MAX.sets).map(readSet),
    limits: value
      .member('limits')
      .items(MAX.limits)
      .map((sentence) => sentence.text(text(4096))),
    signature: value.member('signature').text(hex(64)),
    kid: value.member('kid').text(thumbprint),
    ...readReceipts(value.member('sampled_receipts')),
  };
}

/** Reads what a package says of its records before it says anything of controls. */
function readRecords(value: DocumentReader): Pick<CompliancePackage, 'coverage' | 'records' | 'assessors'> {
  const records = value.member('records').members();
  return {
    coverage: value.member('coverage').items(COVERED_RECORDS.length).map(readCoverage),
    records: Object.fromEntries(records.map(([name, count]) => [name, count.count()])),
    assessors: value.member('assessors').items(MAX.assessors).map(readAssessor),
  };
}

function readCoverage(value: DocumentReader): Coverage {
  value.object();
  return {
    records: value.member('records').oneOf(COVERED_RECORDS),
    count: value.member('count').count(),
    days: value.member('days').count(),
    record_days: value.member('record_days').count(),
    covered_days: value.member('covered_days').count(),
    max_gap_days: value.member('max_gap_days').count(),
    gaps: value
      .member('gaps')
      .items(MAX.gaps)
      .map((gap) => {
        gap.object();
        return {
          from: gap.member('from').text(date),
          to: gap.member('to').text(date),
          days: gap.member('days').count(),
        };
      }),
  };
}

function readAssessor(value: DocumentReader): PackageAssessor {
  value.object();
  return {
    subject_commitment: value.member('subject_commitment').text(hex(32)),
    name: value.member('name').nullable((name) => name.text(text(1024))),
    assessments: value.member('assessments').count(),
  };
}

/** Reads the list of receipts, which have a form of their own; a package without it shows none. */
function readReceipts(value: DocumentReader): Pick<CompliancePackage, 'sampled_receipts'> {
  if (!value.isPresent()) return {};
  return { sampled_receipts: value.items(MAX.receipts).map((receipt) => receipt.value()) };
}

/** Reads the subject; a package of kind `datacenter` is about a cluster, all others are about an agent. */
function readSubject(value: DocumentReader, kind: PackageKind, isEarlier: boolean): PackageSubject {
  if (kind === 'datacenter') {
    value.member('type').only('cluster');
    const cluster_id = value.member('cluster_id').text(clusterId);
    const id = `urn:countersign:cluster:${cluster_id}`;
    value.member('id').only(id);
    const operator = isEarlier ? null : value.member('operator').text(text(128));
    return { type: 'cluster', id, cluster_id, operator };
  }
  value.member('type').only('agent');
  return {
    type: 'agent',
    name: isEarlier ? null : value.member('name').nullable((name) => name.text(text(1024))),
    operator: isEarlier ? null : value.member('operator').nullable((operator) => operator.text(text(128))),
    sponsors: isEarlier
      ? []
      : value
          .member('sponsors')
          .items(MAX_SPONSORS)
          .map((sponsor) => sponsor.text(text(128))),
    subject_commitment: value.member('subject_commitment').text(hex(32)),
    did: value.member('did').text(did),
    state: value.member('state').text(text(64)),
    ...readSponsor(value.member('sponsor')),
  };
}

function readSponsor(value: DocumentReader): { sponsor?: string } {
  return value.isPresent() ? { sponsor: value.text(operatorId) } : {};
}

function readCheckpoint(value: DocumentReader): CitedCheckpoint {
  value.object();
  return {
    log: value.member('log').oneOf(LOG_NAMES),
    origin: value.member('origin').text(origin),
    tree_size: value.member('tree_size').count(),
    root_hash: value.member('root_hash').text(hex(32)),
    note: value.member('note').text(anyText),
  };
}

function readControl(value: DocumentReader, isEarlier: boolean): PackageControl {
  value.object();
  const counts = value.member('counts').members();
  return {
    id: value.member('id').text(text(128)),
    title: value.member('title').text(text(1024)),
    status: value.member('status').oneOf(isEarlier ? EARLIER_STATUSES : CONTROL_STATUSES),
    ...(isEarlier ? { attested_by: [], not_shown: '', to_add: null } : readSayings(value)),
    statement: value.member('statement').text(text(4096)),
    counts: Object.fromEntries(counts.map(([name, count]) => [name, count.count()])),
    references: value.member('references').nullable(readCited),
    assessments: isEarlier ? null : value.member('assessments').nullable(readCited),
  };
}

function readCited(value: DocumentReader): CitedSet {
  value.object();
  return {
    set: value.member('set').text(text(128)),
    count: value.member('count').count(),
    merkle_root: value.member('merkle_root').text(hex(32)),
  };
}

/** Reads who says what a control rests on, and what it does not say. */
function readSayings(value: DocumentReader): Pick<PackageControl, 'attested_by' | 'not_shown' | 'to_add'> {
  return {
    attested_by: value
      .member('attested_by')
      .items(ATTESTERS.length)
      .map((one) => one.oneOf(ATTESTERS)),
    not_shown: value.member('not_shown').text(text(4096)),
    to_add: value.member('to_add').nullable((sentence) => sentence.text(text(4096))),
  };
}

function readSet(value: DocumentReader): ReferenceSet {
  value.object();
  return {
    name: value.member('name').text(text(128)),
    description: value.member('description').text(text(4096)),
    count: value.member('count').count(),
    merkle_root: value.member('merkle_root').text(hex(32)),
    sample: value.member('sample').items(SAMPLE_SIZE).map(readSampled),
  };
}

function readSampled(value: DocumentReader): SampledReference {
  value.object();
  const inclusion = value.member('inclusion_path').object();
  return {
    position: value.member('position').count(),
    path: readHashes(value.member('path')),
    inclusion_path: {
      log: inclusion.member('log').text(origin),
      leaf_index: inclusion.member('leaf_index').count(),
      tree_size: inclusion.member('tree_size').count(),
      leaf_entry: inclusion.member('leaf_entry').text(anyText),
      leaf_hash: inclusion.member('leaf_hash').text(hex(32)),
      hashes: readHashes(inclusion.member('hashes')),
    },
  };
}

function readHashes(value: DocumentReader): string[] {
  return value.items(MAX.hashes).map((hash) => hash.text(base64Hash));
}
