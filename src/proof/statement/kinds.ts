import { subjectCommitment } from '../agent/commitment.ts';
import type { DocumentReader, TextForm } from '../document/document-reader.ts';
import { did, hex, matching, text, time } from '../document/forms.ts';
import { hexToBytes } from '../encoding/hex.ts';
import { isReceiptId } from '../encoding/receipt-id.ts';
import { didKey } from '../keys/did-key.ts';
import { DOMAINS, RECEIPT_STATUSES, REVOCATION_STATUSES } from '../receipt/receipt.ts';
import { accountStatement } from './account-statement.ts';
import { meter } from './meter.ts';
import { datedBy, type StatementFacts, type StatementKind, signedResponse } from './statement.ts';

const AGENT_STATES = ['ISSUED', 'REVOKED'] as const;
const OUTCOMES = ['success', 'failure'] as const;
const ARTIFACT_KINDS = ['commit', 'evidence'] as const;
const receiptId: TextForm = { fits: isReceiptId, words: 'rcpt_ and 32 lower-case hexadecimal characters' };
const artifactHash = matching(
  /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/,
  '40 or 64 lower-case hexadecimal characters',
);
const reason = matching(/^[A-Z_]{1,64}$/, '1 to 64 capital letters and _');
const sourceType = matching(/^[a-z0-9_]{1,64}$/, '1 to 64 of a-z, 0-9 and _');
const passportId = matching(/^pass_[0-9a-f]{32}$/, 'pass_ and 32 lower-case hexadecimal characters');
const TEN_MINUTES = 10 * 60_000;
const ONE_DAY = 24 * 3_600_000;
/** More than a page has. */
const AGENTS_MAX = 100;

/** A statement that names no issuer and has nothing that could contradict itself. */
const PLAIN = { issuer: null, contradictions: [] } as const satisfies Partial<StatementFacts>;

/** Reads the members that say of which agent a statement is, and its state. */
function agentIn(document: DocumentReader) {
  const subject_commitment = document.member('subject_commitment').text(hex(32));
  const state = document.member('state').oneOf(AGENT_STATES);
  return { subject_commitment, state };
}

const standing = (isRevoked: boolean): 'ok' | 'revoked' => (isRevoked ? 'revoked' : 'ok');
const nameIn = (document: DocumentReader): string | null =>
  document.member('name').nullable((name) => name.text(text(256)));

/** The statements that the service signs with its key of purpose `credentials`. */
export const STATEMENT_KINDS: readonly StatementKind[] = [
  {
    type: 'receipt-status',
    name: 'receipt status',
    lifetimeMs: TEN_MINUTES,
    read(document) {
      const about = {
        receipt_id: document.member('receipt_id').text(receiptId),
        content_hash: document.member('content_hash').text(hex(32)),
        status: document.member('status').oneOf(RECEIPT_STATUSES),
        revocation_status: document.member('revocation_status').oneOf(REVOCATION_STATUSES),
      };
      const subject = standing(about.revocation_status === 'revoked');
      return { ...PLAIN, ...datedBy(document, 'checked_at'), about, subject, contradictions: [] };
    },
  },
  {
    type: 'gate-decision',
    name: 'gate decision',
    lifetimeMs: TEN_MINUTES,
    read(document) {
      const about = {
        operator_id: document.member('operator_id').text(text(128)),
        domain: document.member('domain').oneOf(DOMAINS),
        allow_invocation: document.member('allow_invocation').flag(),
        reason: document.member('reason').text(reason),
      };
      const agrees = about.allow_invocation === (about.reason === 'OK');
      return {
        issuer: null,
        ...signedResponse(document),
        about,
        subject: about.allow_invocation ? 'ok' : 'denied',
        contradictions: agrees ? [] : ['allow_invocation is not what reason says'],
      };
    },
  },
  {
    type: 'agent-profile',
    name: 'agent profile',
    lifetimeMs: TEN_MINUTES,
    read(document) {
      const about = {
        ...agentIn(document),
        name: nameIn(document),
        score: document.member('score').count(),
      };
      const subject = standing(about.state === 'REVOKED');
      return { ...PLAIN, ...signedResponse(document), about, subject, contradictions: [] };
    },
  },
  {
    type: 'leaderboard',
    name: 'leaderboard',
    lifetimeMs: TEN_MINUTES,
    read(document) {
      const page = document.member('page').object();
      const limit = page.member('limit').count();
      const cursor = page.member('cursor').nullable((value) => value.text(text(512)));
      const agents = document
        .member('agents')
        .items(AGENTS_MAX)
        .map((agent) => {
          agent.object().member('score').count();
          return {
            commitment: agent.member('subject_commitment').text(hex(32)),
            evidence: agent.member('evidence_count').count(),
            rank: agent.member('rank').count(),
          };
        });
      const ranks = agents.map(({ rank }) => rank);
      document.member('next_cursor').nullable((value) => value.text(text(512)));
      const [first = 1] = ranks;
      const contradictions = [
        ...(ranks.some((rank, index) => rank !== first + index)
          ? ['the ranks of the agents do not follow each other']
          : []),
        ...(ranks.length > limit ? ['agents has more elements than page.limit'] : []),
        ...(cursor === null && first !== 1 ? ['the first page does not begin with rank 1'] : []),
        ...(new Set(agents.map(({ commitment }) => commitment)).size < agents.length
          ? ['an agent has two ranks']
          : []),
        ...(agents.some(({ evidence }, index) => evidence > (agents[index - 1]?.evidence ?? evidence))
          ? ['an agent has more evidence than one of a better rank']
          : []),
      ];
      return {
        issuer: null,
        ...signedResponse(document),
        about: { limit, cursor, agents: agents.length },
        subject: 'ok',
        contradictions,
      };
    },
  },
  {
    type: 'agent-attestation',
    name: 'agent attestation',
    lifetimeMs: null,
    read(document) {
      const about = {
        ...agentIn(document),
        name: nameIn(document),
        score: document.member('score').count(),
        sample_size: document.member('sample_size').count(),
      };
      const subject = standing(about.state === 'REVOKED');
      return { ...PLAIN, ...datedBy(document, 'measured_at'), about, subject, contradictions: [] };
    },
  },
  {
    type: 'artifact-attestation',
    name: 'artifact attestation',
    lifetimeMs: null,
    read(document) {
      const about = {
        ...agentIn(document),
        artifact: document.member('artifact').text(artifactHash),
        artifact_kind: document.member('artifact_kind').oneOf(ARTIFACT_KINDS),
        event_commitment_hash: document.member('event_commitment_hash').text(hex(32)),
        source_type: document.member('source_type').text(sourceType),
        outcome: document.member('outcome').oneOf(OUTCOMES),
        anchored_at: document.member('anchored_at').text(time),
      };
      const dated = document.member('checked_at').text(time);
      return {
        ...{ issuer: null, about, dated, until: null, subject: standing(about.state === 'REVOKED') },
        contradictions: about.anchored_at > dated ? ['anchored_at is after checked_at'] : [],
      };
    },
  },
  {
    type: 'passport',
    name: 'passport',
    namesIssuer: true,
    lifetimeMs: ONE_DAY,
    read(document, primitives) {
      const about = {
        passport_id: document.member('passport_id').text(passportId),
        ...agentIn(document),
        public_key: document.member('public_key').text(hex(32)),
        did: document.member('did').text(did),
        context: document.member('context').text(text(256)),
        name: nameIn(document),
        issued_at: document.member('issued_at').text(time),
      };
      const evidence = document.member('evidence').object();
      const count = evidence.member('count').count();
      const head = evidence.member('head').nullable((value) => value.text(hex(32)));
      const { public_key, context, subject_commitment } = about;
      // A malformed document has a placeholder instead of its key.
      const isRead = public_key !== '';
      const contradictions = [
        ...(isRead && didKey(hexToBytes(public_key)) !== about.did
          ? ['did is not the did:key of public_key']
          : []),
        ...(subjectCommitment(primitives, public_key, context) === subject_commitment
          ? []
          : ['subject_commitment is not that of public_key and context']),
        ...((count === 0) === (head === null) ? [] : ['evidence.head does not fit to evidence.count']),
      ];
      return {
        ...{ about, ...datedBy(document, 'as_of'), subject: standing(about.state === 'REVOKED') },
        issuer: document.member('issuer').text(did),
        contradictions,
      };
    },
  },
  meter,
  accountStatement,
];
