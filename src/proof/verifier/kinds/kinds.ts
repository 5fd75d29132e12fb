import { isProposal } from '../../agora/verdict.ts';
import { isEvidenceBundle } from '../../bundle/evidence-bundle.ts';
import { isReceiptBundle } from '../../bundle/receipt-bundle.ts';
import { presentedCredential } from '../../credential/credential-shape.ts';
import { isJsonObject, type JsonObject, jsonOrNull } from '../../encoding/json.ts';
import { isHeadProof } from '../../ledger/head-verdict.ts';
import { isEvidenceItem } from '../../log-documents/evidence-item.ts';
import { PACKAGE_TYPE } from '../../package/format.ts';
import { SCORECARD_TYPE } from '../../package/scorecard.ts';
import { accountStatement } from '../../statement/account-statement.ts';
import { AGENT_OBJECTS, agentObjectKind } from '../../statement/agent-object.ts';
import { STATEMENT_KINDS } from '../../statement/kinds.ts';
import type { DocumentForm, DocumentKind } from './kind.ts';
import { LOG_KINDS } from './log-kinds.ts';

/** Returns whether a document is a JSON object with this `type`. */
const hasType =
  (type: string) =>
  ({ object }: DocumentForm): boolean =>
    object !== null && Object.hasOwn(object, 'type') && object.type === type;

/** Returns whether a document is a W3C credential, or has one as a member. */
function isCredential(object: JsonObject): boolean {
  if (Object.hasOwn(object, '@context')) return true;
  return !Object.hasOwn(object, 'type') && presentedCredential(object) !== object;
}

const AGENT_OBJECT_NAMES = {
  'agent-auth': 'authorization of an agent',
  presentation: 'presentation of an agent',
};

/** A receipt, and every document that is of no other kind: it is then malformed as a receipt. */
export const RECEIPT: DocumentKind = {
  name: 'receipt',
  inputs: 'receipt',
  recognises: () => true,
  load: async () => (await import('../judge/receipt.ts')).judgeReceiptKind,
};

/** A bundle of a receipt with its proofs. */
export const RECEIPT_BUNDLE: DocumentKind = {
  name: 'bundle of a receipt',
  inputs: 'bundle',
  recognises: ({ object }) => object !== null && isReceiptBundle(object),
  load: async () => (await import('../judge/bundle.ts')).judgeBundleKind,
};

/** A W3C credential, or a document that has one as a member. */
export const CREDENTIAL: DocumentKind = {
  name: 'credential',
  inputs: 'credential',
  recognises: ({ object }) => object !== null && isCredential(object),
  load: async () => (await import('../judge/credential.ts')).judgeCredentialKind,
};

/**
 * The kinds of documents that `verify` knows in addition to receipts. The first one that recognises a
 * document judges it.
 */
const KINDS: readonly DocumentKind[] = [
  RECEIPT_BUNDLE,
  {
    name: 'bundle of evidence',
    inputs: 'evidenceBundle',
    recognises: ({ object }) => object !== null && isEvidenceBundle(object),
    load: async () => (await import('../judge/evidence-bundle.ts')).judgeEvidenceBundleKind,
  },
  {
    name: 'proof of a journal head',
    inputs: 'headProof',
    recognises: ({ object }) => object !== null && isHeadProof(object),
    load: async () => (await import('../judge/head-proof.ts')).judgeHeadProofKind,
  },
  {
    name: 'compliance package',
    inputs: 'package',
    recognises: hasType(PACKAGE_TYPE),
    load: async () => (await import('../judge/package.ts')).judgePackageDocument,
  },
  {
    name: 'scorecard',
    inputs: 'issued',
    recognises: hasType(SCORECARD_TYPE),
    load: async () => (await import('../judge/scorecard.ts')).judgeScorecardDocument,
  },
  ...LOG_KINDS,
  CREDENTIAL,
  {
    name: accountStatement.name,
    inputs: 'accountStatement',
    recognises: hasType(accountStatement.type),
    load: async () => (await import('../judge/account-statement.ts')).judgeAccountStatement,
  },
  ...STATEMENT_KINDS.map((kind) => ({
    name: kind.name,
    inputs: kind.namesIssuer === true ? ('issued' as const) : ('statement' as const),
    recognises: hasType(kind.type),
    load: async () => (await import('../judge/statement.ts')).statementJudge(kind),
  })),
  {
    name: 'item of evidence',
    inputs: 'evidence',
    recognises: ({ object }) => object !== null && isEvidenceItem(object),
    load: async () => (await import('../judge/evidence.ts')).judgeEvidenceKind,
  },
  {
    name: 'AGORA proposal',
    inputs: 'selfContained',
    recognises: ({ object }) => object !== null && isProposal(object),
    load: async () => (await import('../judge/agora.ts')).judgeProposalKind,
  },
  ...AGENT_OBJECTS.map((kind) => ({
    name: AGENT_OBJECT_NAMES[kind],
    inputs: 'selfContained' as const,
    recognises: ({ object }: DocumentForm) => object !== null && agentObjectKind(object) === kind,
    load: async () => (await import('../judge/statement.ts')).agentObjectJudge(kind),
  })),
];

/** Returns the kind of a document; null for a receipt and for everything unknown. */
export function documentKind(bytes: Uint8Array): DocumentKind | null {
  const value = jsonOrNull(bytes);
  const form = { bytes, object: isJsonObject(value) ? value : null };
  return KINDS.find((kind) => kind.recognises(form)) ?? null;
}
