import { Failure } from '../../platform/failure.ts';
import { isProposal } from '../../proof/agora/verdict.ts';
import { presentedCredential } from '../../proof/credential/credential-shape.ts';
import { isJsonObject, JsonError, type JsonObject, parseJsonBytes } from '../../proof/encoding/json.ts';
import { isEvidenceItem } from '../../proof/log-documents/evidence-item.ts';
import { PACKAGE_TYPE } from '../../proof/package/format.ts';
import { SCORECARD_TYPE } from '../../proof/package/scorecard.ts';
import { AGENT_OBJECTS, agentObjectKind } from '../../proof/statement/agent-object.ts';
import { STATEMENT_KINDS } from '../../proof/statement/kinds.ts';
import type { DocumentForm, DocumentKind } from './judgement.ts';
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

/** The kinds of documents that `verify` knows besides receipts. The first one that recognises a document judges it. */
const KINDS: readonly DocumentKind[] = [
  {
    name: 'compliance package',
    citesLogs: true,
    recognises: hasType(PACKAGE_TYPE),
    load: async () => (await import('./package.ts')).judgePackageDocument,
  },
  {
    name: 'scorecard',
    citesLogs: false,
    recognises: hasType(SCORECARD_TYPE),
    load: async () => (await import('./scorecard.ts')).judgeScorecardDocument,
  },
  ...LOG_KINDS,
  {
    name: 'credential',
    citesLogs: false,
    takes: ['status'],
    recognises: ({ object }) => object !== null && isCredential(object),
    load: async () => (await import('./credential.ts')).judgeCredentialKind,
  },
  ...STATEMENT_KINDS.map((kind) => ({
    name: kind.name,
    citesLogs: false,
    recognises: hasType(kind.type),
    load: async () => (await import('./statement.ts')).statementJudge(kind),
  })),
  {
    name: 'item of evidence',
    citesLogs: true,
    takes: ['proof'],
    recognises: ({ object }) => object !== null && isEvidenceItem(object),
    load: async () => (await import('./evidence.ts')).judgeEvidenceKind,
  },
  {
    name: 'AGORA proposal',
    citesLogs: false,
    recognises: ({ object }) => object !== null && isProposal(object),
    load: async () => (await import('./agora.ts')).judgeProposalKind,
  },
  ...AGENT_OBJECTS.map((kind) => ({
    name: AGENT_OBJECT_NAMES[kind],
    citesLogs: false,
    recognises: ({ object }: DocumentForm) => object !== null && agentObjectKind(object) === kind,
    load: async () => (await import('./statement.ts')).agentObjectJudge(kind),
  })),
];

/** The options that only receipts have. */
const OF_RECEIPTS = ['proof', 'status', 'revocations', 'domain'] as const;

type Need = NonNullable<DocumentKind['needs']>;

/** The options that a kind can need: what they are for, and what to pass. */
const NEEDS: Readonly<Record<Need, { of: string; hint: string }>> = {
  log: {
    of: 'lists of keys',
    hint: 'add --log with a directory that has a copy of the logs, or the URL of the service',
  },
  entry: {
    of: 'COSE receipts',
    hint: 'add --entry with a file that has the entry of the log, or with the public manifest of the receipt',
  },
};

/** Refuses options that only another kind needs. @throws Failure */
export function refuseOtherNeeds(options: Partial<Record<Need, unknown>>, own?: Need): void {
  for (const need of ['log', 'entry'] as const)
    if (need !== own && options[need] !== undefined)
      throw new Failure(`--${need} is for ${NEEDS[need].of}`, `omit --${need}`, 2);
}

/** Returns the kind of a document; null for a receipt and for everything unknown, which is then malformed as a receipt. */
export function documentKind(bytes: Uint8Array): DocumentKind | null {
  const form = { bytes, object: objectIn(bytes) };
  return KINDS.find((kind) => kind.recognises(form)) ?? null;
}

function objectIn(bytes: Uint8Array): JsonObject | null {
  try {
    const value = parseJsonBytes(bytes);
    return isJsonObject(value) ? value : null;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return null;
  }
}

/** Refuses options that a kind of document has no use for. @throws Failure */
export function refuseForKind(
  { name, citesLogs, needs, takes = [] }: Pick<DocumentKind, 'name' | 'citesLogs' | 'needs' | 'takes'>,
  options: Partial<Record<(typeof OF_RECEIPTS)[number] | 'policy' | 'logKey' | 'anyLog' | Need, unknown>>,
): void {
  const article = /^[aeiou]/i.test(name) ? 'an' : 'a';
  const useless = OF_RECEIPTS.filter((option) => !takes.some((taken) => taken === option)).find(
    (option) => options[option] !== undefined,
  );
  if (useless !== undefined)
    throw new Failure(`--${useless} is for receipts, but this is ${article} ${name}`, `omit --${useless}`, 2);
  refuseOtherNeeds(options, needs);
  if (needs !== undefined && options[needs] === undefined)
    throw new Failure(`${article} ${name} cannot be verified by itself`, NEEDS[needs].hint, 2);
  const ofLogs = { policy: options.policy, 'log-key': options.logKey, 'any-log': options.anyLog };
  const [given] = Object.entries(ofLogs).find(([, value]) => value !== undefined) ?? [];
  if (takes.includes('proof') && options.proof === undefined && given !== undefined)
    throw new Failure(`--${given} has nothing to verify`, 'add --proof', 2);
  if (citesLogs === 'without cosignatures' && options.policy !== undefined)
    throw new Failure(`${article} ${name} has no cosignatures`, 'omit --policy', 2);
  if (citesLogs === false && given !== undefined)
    throw new Failure(`${article} ${name} cites no log`, 'omit --policy, --log-key and --any-log', 2);
}
