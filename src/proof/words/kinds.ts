import { PROPOSAL_VERDICTS } from '../agora/verdict.ts';
import { EVIDENCE_BUNDLE_VERDICTS } from '../bundle/evidence-bundle.ts';
import { CREDENTIAL_VERDICTS } from '../credential/verdicts.ts';
import { HEAD_PROOF_VERDICTS } from '../ledger/head-verdict.ts';
import { COSE_VERDICTS } from '../log/cose-verdict.ts';
import { EVIDENCE_VERDICTS } from '../log-documents/evidence-verdict.ts';
import { KEY_DOCUMENT_VERDICTS } from '../log-documents/key-document-verdict.ts';
import { PROOF_VERDICTS } from '../log-documents/proof-verdict.ts';
import { SCORECARD_VERDICTS } from '../package/scorecard.ts';
import { PACKAGE_VERDICTS } from '../package/verdict.ts';
import { VERDICTS } from '../receipt/verdict.ts';
import { AGENT_OBJECT_VERDICTS } from '../statement/agent-object.ts';
import { STATEMENT_VERDICTS } from '../statement/verdict.ts';

/** A check that is not made of every document of a kind. */
export interface AdditionalCheck {
  /** Its name in `checked` and `not_checked`, and mostly that of its result in `checks`. */
  check: string;
  /** What would make it; absent for one that only applies to documents that bring it. */
  option?: string;
  /** What holds if it is ok, as a clause; absent for one that can only stay open. */
  ok?: string;
  /** The same for the result `closed`. */
  closed?: string;
  /** The same for `ok` where no proof was given, so that it is about another log. */
  unproven?: string;
  /** What nobody has looked at if it was not made, as a clause; absent if that needs no mention. */
  open?: string;
  /** The same where it agrees with a copy of the log, which the one who asks may have made alone. */
  copied?: string;
  /** Whether it only applies where the judge says that it is open. */
  isNamed?: boolean;
}

/** What is said of the documents of a kind. */
export interface KindWords {
  /** What a sentence about a valid one begins with; absent for `valid`. */
  first?: string;
  /** One sentence for each verdict. */
  verdicts: Readonly<Record<string, string>> & { valid: string };
  /** What is valid if an additional check is not ok, as a subject. */
  itself: string;
  /** What names the service that signed it: the document or a part of it; absent if no service signs it. */
  signer?: 'document' | 'receipt' | 'credential';
  /** In the order in which they are named. */
  additional: readonly AdditionalCheck[];
}

const DOMAIN = { check: 'domain', ok: 'it is of the domain' };
const REVOCATION = {
  check: 'revocation',
  option: '--status, --revocations',
  ok: 'it is not revoked',
  open: 'whether it is revoked',
};
const PROOF = { check: 'proof', option: '--proof', ok: 'the log has it', open: 'whether the log has it' };
const QUORUM = {
  check: 'quorum',
  option: '--policy, --log',
  ok: 'witnesses cosigned the log',
  closed: 'witnesses cosigned the log, or the log of keys that records its end',
  open: 'whether others see the same log',
  copied: 'whether others see the same log as the copy',
};
const COPY = { check: 'copy', ok: 'it agrees with the copy of the log' };
const LINKED = { check: 'linked', ok: 'the log of accounts has a leaf for each act' };

/** The words of each kind, by which the executable and src/tools/python/verify.py describe verdicts. */
export const KIND_WORDS = {
  receipt: {
    verdicts: VERDICTS,
    itself: 'The receipt itself',
    signer: 'document',
    additional: [
      DOMAIN,
      PROOF,
      LINKED,
      { ...QUORUM, unproven: 'witnesses cosigned the log of revocations' },
      COPY,
      REVOCATION,
    ],
  },
  bundle: {
    verdicts: VERDICTS,
    itself: 'The receipt itself',
    signer: 'receipt',
    additional: [
      DOMAIN,
      { ...PROOF, option: 'a newer bundle' },
      LINKED,
      QUORUM,
      { ...COPY, unproven: 'its proofs in other logs agree with the copy' },
      {
        check: 'key_events',
        option: 'a newer bundle',
        ok: 'the log of keys has its keys',
        open: 'whether the log of keys has all of its keys',
      },
      REVOCATION,
      { check: 'now', option: '--fresh', open: 'whether it was revoked since' },
      { check: 'key_status', option: '--keys', open: 'whether its keys have ended', isNamed: true },
    ],
  },
  package: {
    verdicts: PACKAGE_VERDICTS,
    itself: 'The package itself',
    signer: 'document',
    additional: [
      {
        check: 'attribution',
        option: 'the package for its sponsor',
        ok: 'its sampled receipts are those of its subject',
        open: 'whether its sampled receipts are those of its subject',
      },
      { check: 'rules', option: 'a newer version', open: 'whether each status follows from the counts' },
      QUORUM,
      COPY,
    ],
  },
  scorecard: {
    verdicts: SCORECARD_VERDICTS,
    itself: 'The scorecard itself',
    signer: 'document',
    additional: [],
  },
  statement: { verdicts: STATEMENT_VERDICTS, itself: 'It', signer: 'document', additional: [] },
  accountStatement: {
    verdicts: STATEMENT_VERDICTS,
    itself: 'It',
    signer: 'document',
    additional: [
      {
        check: 'journal',
        option: '--journal',
        ok: 'the journal has its entries and yields its sums',
        open: 'whether the journal yields its sums',
      },
    ],
  },
  agentObject: { verdicts: AGENT_OBJECT_VERDICTS, itself: 'It', additional: [] },
  evidence: {
    verdicts: EVIDENCE_VERDICTS,
    itself: 'The item itself',
    additional: [{ ...PROOF, open: 'whether the log has it, and when' }, QUORUM, COPY],
  },
  evidenceBundle: {
    verdicts: EVIDENCE_BUNDLE_VERDICTS,
    itself: 'The item itself',
    additional: [
      QUORUM,
      COPY,
      {
        check: 'signature',
        option: 'the item with its payload, with this file as --proof',
        open: 'whether the agent signed the payload',
      },
      { check: 'outcome', option: 'the payload', open: 'its outcome, which nothing signs', isNamed: true },
    ],
  },
  headProof: {
    verdicts: HEAD_PROOF_VERDICTS,
    itself: 'The head itself',
    additional: [
      {
        check: 'journal',
        option: '--journal',
        ok: 'the journal has it',
        open: 'whether the journal still has it',
      },
      QUORUM,
      COPY,
    ],
  },
  credential: {
    verdicts: CREDENTIAL_VERDICTS,
    itself: 'The credential itself',
    signer: 'credential',
    additional: [{ ...REVOCATION, option: '--status' }],
  },
  statusList: {
    verdicts: CREDENTIAL_VERDICTS,
    itself: 'The status list itself',
    signer: 'credential',
    additional: [],
  },
  keys: {
    verdicts: KEY_DOCUMENT_VERDICTS,
    itself: 'The list itself',
    additional: [{ ...QUORUM, option: '--policy' }],
  },
  proof: { verdicts: PROOF_VERDICTS, itself: 'It', additional: [QUORUM, COPY] },
  cose: {
    verdicts: COSE_VERDICTS,
    itself: 'It',
    additional: [{ ...QUORUM, option: 'a proof in text form' }],
  },
  agora: { verdicts: PROPOSAL_VERDICTS, itself: 'The proposal itself', additional: [] },
} as const satisfies Record<string, KindWords>;

export type WordKind = keyof typeof KIND_WORDS;
