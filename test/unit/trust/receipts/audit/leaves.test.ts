import { describe, expect, test } from 'bun:test';
import {
  agentRevocationEntryText,
  receiptEntryText,
  revocationEntryText,
} from '../../../../../src/proof/log/log-entry.ts';
import { sentenceOf } from '../../../../../src/proof/log/problem.ts';
import { leafHashOf } from '../../../../../src/trust/log/tree/append.ts';
import { checkLeaf } from '../../../../../src/trust/receipts/audit/leaves.ts';
import type { LeafRow } from '../../../../../src/trust/receipts/audit/store.ts';

const PLACE = { log: 'fake.example/receipts', index: 6 };
const SAID = {
  receipt_id: `rcpt_${'a'.repeat(32)}`,
  content_hash: 'b'.repeat(64),
  signature: 'c'.repeat(128),
  kid: 'k'.repeat(43),
};
const AT = '2026-05-01T12:00:00.000Z';
const ENTRY = receiptEntryText({ ...SAID, finalized_at: AT });

/** A leaf that came back from a copy of the log, and whose version did not. */
const RECOVERED: LeafRow = {
  leafSeq: 7,
  receiptSeq: 3,
  leafVersion: null,
  leafHash: leafHashOf(ENTRY),
  entry: ENTRY,
  receiptId: SAID.receipt_id,
  status: null,
  revocationStatus: null,
  contentHash: null,
  signature: null,
  signedAt: null,
  kid: null,
  agentSeq: null,
  lostAgent: null,
  subjectCommitment: null,
  agentState: null,
  agentRevokedAt: null,
};

const problems = (changes: Partial<LeafRow>, name: 'receipts' | 'revocations' = 'receipts') =>
  checkLeaf(name, { ...RECOVERED, ...changes }, PLACE).problems.map(({ what }) => what);

test('a leaf that brought its entry along is held against that', () => {
  expect(problems({})).toEqual([]);
  expect(problems({ receiptSeq: null, receiptId: null })).toEqual([]);
  const revoked = revocationEntryText({ ...SAID, revoked_at: AT });
  expect(problems({ entry: revoked, leafHash: leafHashOf(revoked) }, 'revocations')).toEqual([]);
});

test('any byte of its entry that is another shows', () => {
  for (let at = 0; at < ENTRY.length; at++) {
    const bytes = Buffer.from(ENTRY);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    const { problems } = checkLeaf('receipts', { ...RECOVERED, entry: bytes.toString() }, PLACE);
    expect([at, problems.map(sentenceOf)]).toEqual([
      at,
      expect.arrayContaining([
        expect.stringMatching(
          /^receipt_leaf \(leaf_seq 7\), rcpt_a+, index 6 of fake\.example\/receipts: leaf_hash does not match its entry: expected [0-9a-f]{64}, found [0-9a-f]{64}$/,
        ),
      ]),
    ]);
  }
});

test('what does not go together is told', () => {
  expect(problems({ receiptId: `rcpt_${'0'.repeat(32)}` })).toEqual([
    `its entry is of ${SAID.receipt_id}, and it names receipt (receipt_seq 3)`,
  ]);
  expect(problems({ leafVersion: 2 })).toEqual(['it has an entry of its own and names a version']);
  expect(problems({}, 'revocations')).toEqual([expect.stringContaining('its entry is none of revocations')]);
  expect(problems({ entry: null })).toEqual([
    expect.stringContaining(
      'its entry cannot be computed from receipt_version (receipt_seq 3, version null)',
    ),
  ]);
  const version = {
    entry: null,
    leafVersion: 2,
    contentHash: SAID.content_hash,
    signature: SAID.signature,
    signedAt: AT,
    kid: SAID.kid,
  };
  expect(problems({ ...version, status: 'success', revocationStatus: 'active' })).toEqual([]);
  expect(problems({ ...version, status: 'pending', revocationStatus: 'active' })).toEqual([
    expect.stringContaining('does not belong in this log'),
  ]);
  expect(problems({ ...version, status: 'success', revocationStatus: 'revoked' })).toEqual([
    expect.stringContaining('does not belong in this log'),
  ]);
  expect(problems({ ...version, status: 'success', revocationStatus: 'active', signedAt: 'then' })).toEqual([
    expect.stringContaining('finalized_at does not have the required format'),
  ]);
});

describe('a leaf of a revoked agent', () => {
  const COMMITMENT = 'd'.repeat(64);
  const OTHER = 'e'.repeat(64);
  const entry = agentRevocationEntryText({ subject_commitment: COMMITMENT, at: AT });
  const LEAF: Partial<LeafRow> = {
    receiptSeq: null,
    receiptId: null,
    entry,
    leafHash: leafHashOf(entry),
    agentSeq: 4,
    subjectCommitment: COMMITMENT,
    agentState: 'REVOKED',
    agentRevokedAt: AT,
  };
  const found = (changes: Partial<LeafRow>) => problems({ ...LEAF, ...changes }, 'revocations');

  test.each<[string, Partial<LeafRow>, string[]]>([
    ['has no problem if the agent was revoked then', {}, []],
    [
      'has no problem if the database lacks the agent and the leaf says so',
      {
        agentSeq: null,
        lostAgent: COMMITMENT,
        subjectCommitment: null,
        agentState: null,
        agentRevokedAt: null,
      },
      [],
    ],
    ['names an agent that is not there', { subjectCommitment: null }, ['there is no agent (agent_seq 4)']],
    [
      'names another agent',
      { subjectCommitment: OTHER },
      [`its entry is of the agent ${COMMITMENT}, and it names agent (agent_seq 4)`],
    ],
    ['is of an agent that is not revoked', { agentState: 'ISSUED' }, ['agent (agent_seq 4) is not revoked']],
    [
      'is of an agent that was revoked at another time',
      { agentRevokedAt: '2026-05-01T12:00:00.001Z' },
      [
        `its entry is of the agent ${COMMITMENT} as revoked at ${AT}, and agent (agent_seq 4) was revoked at 2026-05-01T12:00:00.001Z`,
      ],
    ],
    [
      'says that an agent is lost which is there',
      { agentSeq: null, lostAgent: COMMITMENT },
      [`its entry is of the agent ${COMMITMENT}, which is there, and it says that it is lost`],
    ],
    [
      'names another lost agent',
      { agentSeq: null, lostAgent: OTHER },
      [`its entry is of the agent ${COMMITMENT}, and it names ${OTHER}`],
    ],
    [
      'names no agent',
      { agentSeq: null },
      [`its entry is of the agent ${COMMITMENT}, and it names no agent`],
    ],
    [
      'names a receipt',
      { receiptSeq: 3 },
      [`its entry is of the agent ${COMMITMENT}, and it names receipt (receipt_seq 3)`],
    ],
  ])('%s', (_name, changes, expected) => {
    expect(found(changes)).toEqual(expected);
  });

  test('does not belong in the log of receipts, and a leaf of a receipt names no agent', () => {
    expect(problems(LEAF)).toEqual([expect.stringContaining('its entry is none of receipts')]);
    const revoked = revocationEntryText({ ...SAID, revoked_at: AT });
    expect(problems({ entry: revoked, leafHash: leafHashOf(revoked), agentSeq: 4 }, 'revocations')).toEqual([
      `its entry is of ${SAID.receipt_id}, and it names an agent`,
    ]);
  });
});
