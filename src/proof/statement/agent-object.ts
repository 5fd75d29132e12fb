import { digestReading } from '../agent/agent-signature.ts';
import { subjectCommitment } from '../agent/commitment.ts';
import { DocumentReader, type TextForm } from '../document/document-reader.ts';
import { hex, matching, text } from '../document/forms.ts';
import { CanonicalJsonError } from '../encoding/canonical-json.ts';
import { digest } from '../encoding/digest.ts';
import { hexToBytes } from '../encoding/hex.ts';
import {
  isJsonObject,
  JsonError,
  type JsonObject,
  type JsonValue,
  parseJsonBytes,
} from '../encoding/json.ts';
import { parseTimestamp } from '../encoding/timestamp.ts';
import { otherSignedObject, PRESENTATION_MEMBERS } from '../keys/signed-types.ts';
import type { Primitives } from '../primitives.ts';

/**
 * The verdicts on an object that an agent signed, with their descriptions. The first one that applies is the
 * result.
 */
export const AGENT_OBJECT_VERDICTS = {
  malformed: 'This is not well-formed.',
  inconsistent: 'The object names another agent than the one that has the public key.',
  bad_signature: 'The agent did not sign this object with the public key.',
  future: 'The authorization ends more than 10 minutes from now, which no service accepts.',
  expired: 'The authorization has expired.',
  valid: 'The agent that the object names signed it.',
} as const;

export type AgentObjectVerdict = keyof typeof AGENT_OBJECT_VERDICTS;

/** The kinds of objects that agents sign. */
export const AGENT_OBJECTS = ['agent-auth', 'presentation'] as const;
export type AgentObjectKind = (typeof AGENT_OBJECTS)[number];

export interface AgentObjectResult {
  verdict: AgentObjectVerdict;
  checks: {
    /** Whether the agent that the object names is that of the public key. */
    agent: 'ok' | 'mismatch' | 'unchecked';
    signature: 'ok' | 'bad' | 'unchecked';
    /** Of an authorization, whether it has not ended. */
    date: 'ok' | 'future' | 'expired' | 'unchecked';
  };
  /** One sentence for each problem. */
  problems: string[];
  /** What the agent signed; null unless its signature is good. */
  object: { kind: AgentObjectKind; agent: string; about: JsonObject; valid_until: string | null } | null;
}

/** The longest time for which a service accepts an authorization. */
const LIFETIME_MS = 600_000;
const MEMBERS = ['payload', 'signature', 'public_key', 'context'];
const AUTHORIZATION_MEMBERS = [
  'type',
  'method',
  'path',
  'body',
  'audience',
  'commitment',
  'nonce',
  'expires_at',
];

const method = matching(/^[A-Z]{1,16}$/, '1 to 16 capital letters');
const path = matching(/^\/[!"$->@-~]{0,2047}$/, 'the path of a URL, without ? and #');
const nonce = matching(/^[!-~]{16,64}$/, '16 to 64 printable ASCII characters without space');
const instant: TextForm = { fits: (value) => parseTimestamp(value) !== null, words: 'an RFC 3339 time' };

/** What the payload says. */
interface Said {
  agent: string;
  about: JsonObject;
  until: string | null;
}

/** Returns which kind of object that an agent signed a document has as its payload; null for none. */
export function agentObjectKind(document: JsonObject): AgentObjectKind | null {
  if (Object.hasOwn(document, 'type') || !isJsonObject(document.payload)) return null;
  const kind = otherSignedObject(document.payload);
  return AGENT_OBJECTS.find((known) => known === kind) ?? null;
}

/**
 * Verifies an object that an agent signed: `{payload, signature, public_key}`, and `context` if the agent
 * enrolled with one. The object names the agent by the commitment to its key, so no trusted key is needed.
 * Whether the agent was revoked is not known from it. Never throws.
 *
 * @param options.at the time at which an authorization must be valid, in milliseconds since 1970
 */
export function judgeAgentObject(
  primitives: Primitives,
  kind: AgentObjectKind,
  bytes: Uint8Array,
  { at }: { at: number },
): AgentObjectResult {
  const read = readSigned(primitives, kind, bytes);
  if ('problems' in read) {
    const checks = { agent: 'unchecked', signature: 'unchecked', date: 'unchecked' } as const;
    return { verdict: 'malformed', checks, problems: read.problems, object: null };
  }
  const { said, digest: signedDigest, signature, public_key, context } = read;
  const publicKey = hexToBytes(public_key);
  const reading = digestReading(primitives, hexToBytes(signature), signedDigest, publicKey);
  // Only presentations are also accepted with a signature over the 32 bytes.
  const isSigned = reading === 'digest' || (reading === 'raw' && kind === 'presentation');
  const checks: AgentObjectResult['checks'] = {
    agent: subjectCommitment(primitives, public_key, context) === said.agent ? 'ok' : 'mismatch',
    signature: isSigned ? 'ok' : 'bad',
    date: dateOf(said, at),
  };
  const isProven = checks.agent === 'ok' && isSigned;
  return {
    verdict: firstOf(checks),
    checks,
    problems: [
      ...(checks.agent === 'ok' ? [] : ['the commitment in payload is not that of public_key and context']),
      ...(isSigned ? [] : ['signature is not by public_key over payload']),
      ...(checks.date === 'future'
        ? [`payload.expires_at is ${said.until}, more than 10 minutes from now`]
        : []),
      ...(checks.date === 'expired' ? [`payload.expires_at is ${said.until}, which has passed`] : []),
    ],
    object: isProven ? { kind, agent: said.agent, about: said.about, valid_until: said.until } : null,
  };
}

function readSigned(
  primitives: Primitives,
  kind: AgentObjectKind,
  bytes: Uint8Array,
):
  | { said: Said; digest: string; signature: string; public_key: string; context: string | undefined }
  | { problems: string[] } {
  let document: JsonValue;
  try {
    document = parseJsonBytes(bytes);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { problems: [error.message] };
  }
  const problems: string[] = [];
  const value = new DocumentReader(document, '', problems).object();
  only(value, MEMBERS, problems);
  const payload = value.member('payload').object();
  const said =
    kind === 'agent-auth' ? readAuthorization(payload, problems) : readPresentation(payload, problems);
  const context = value.member('context');
  const read = {
    said,
    signature: value.member('signature').text(hex(64)),
    public_key: value.member('public_key').text(hex(32)),
    context: context.isPresent() ? context.text(text(256)) : undefined,
  };
  if (problems.length > 0 || !isJsonObject(document)) return { problems };
  try {
    return { ...read, digest: digest(primitives, document.payload ?? null) };
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    return {
      problems: [
        'payload has a number that is too large, or half of a surrogate pair, so it cannot be signed',
      ],
    };
  }
}

/** Reports members that the object cannot have: outside of the payload, no signature would cover them. */
function only(value: DocumentReader, names: readonly string[], problems: string[]): void {
  if (value.members().some(([name]) => !names.includes(name)))
    problems.push(`an object has other members than ${names.join(', ')}`);
}

function readAuthorization(payload: DocumentReader, problems: string[]): Said {
  only(payload, AUTHORIZATION_MEMBERS, problems);
  payload.member('body').object();
  const about = {
    method: payload.member('method').text(method),
    path: payload.member('path').text(path),
    audience: payload.member('audience').text(text(512)),
    nonce: payload.member('nonce').text(nonce),
  };
  return {
    agent: payload.member('commitment').text(hex(32)),
    about,
    until: payload.member('expires_at').text(instant),
  };
}

function readPresentation(payload: DocumentReader, problems: string[]): Said {
  only(payload, PRESENTATION_MEMBERS, problems);
  const textIn = (name: string, form: TextForm): string | null =>
    payload.member(name).nullable((value) => value.text(form));
  const about = {
    photo_url: textIn('photo_url', text(2048)),
    photo_content_sha256: textIn('photo_content_sha256', hex(32)),
    photo_mime_type: textIn('photo_mime_type', text(64)),
  };
  const nulls = Object.values(about).filter((value) => value === null).length;
  if (nulls !== 0 && nulls !== 3) problems.push('the members of the photo are not all null');
  return { agent: payload.member('subject_commitment').text(hex(32)), about, until: null };
}

/** Negated comparisons, so that NaN from an invalid clock refuses. */
function dateOf({ until }: Said, at: number): 'ok' | 'future' | 'expired' {
  if (until === null) return 'ok';
  const end = parseTimestamp(until) ?? Number.NEGATIVE_INFINITY;
  if (!(end > at)) return 'expired';
  return end <= at + LIFETIME_MS ? 'ok' : 'future';
}

function firstOf({ agent, signature, date }: AgentObjectResult['checks']): AgentObjectVerdict {
  if (agent !== 'ok') return 'inconsistent';
  if (signature !== 'ok') return 'bad_signature';
  return date === 'future' || date === 'expired' ? date : 'valid';
}
