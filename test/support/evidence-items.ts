import { nativePrimitives, signEd25519 } from '../../src/platform/crypto/crypto.ts';
import type { Reading } from '../../src/proof/agent/agent-signature.ts';
import { subjectCommitment } from '../../src/proof/agent/commitment.ts';
import { canonicalJson } from '../../src/proof/encoding/canonical-json.ts';
import { textDigest } from '../../src/proof/encoding/digest.ts';
import { bytesToHex, hexToBytes } from '../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { eventHash } from '../../src/proof/evidence/event.ts';
import { evidenceEntryText } from '../../src/proof/log/log-entry.ts';
import { smallLog, type TestKey, testKey } from './small-log.ts';

const AGENT = testKey(9);
export const OTHER = testKey(10);
export const LOG = testKey(6);
const utf8 = new TextEncoder();
const digestOf = (text: string): string => textDigest(nativePrimitives, text);

/**
 * What the agent signs in each format. The last one is written by hand: only the topmost members are sorted.
 */
export const TEXTS: Readonly<Record<'first' | 'second' | 'third' | 'context', string>> = {
  first:
    '{"commit":{"author":{"name":"Ada Ø"},"message":"Take the last line as well"},"sha":"6113728f27ae82c7b1a177c8d03f9e96e0adf246"}',
  second:
    '{"deliverable_digest":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","outcome":"success","task_id":"task-1"}',
  third:
    '{"attributes":{"9":true,"10":-0.5,"gen_ai.system":"example","a":[1e21,{"z":1,"b":"\\u20ac"}]},"name":"chat"}',
  context: '{"action":"opened","issue":{"number":7,"title":"Wrong sum"}}',
};

interface Made {
  source_type: string;
  text: string;
  reading: Reading;
  index: number;
  prev_event_hash: string | null;
  context?: string;
  key?: TestKey;
}

/** Signs a payload as an agent does, and returns the item with the members of a list of evidence. */
function made({ source_type, text, reading, index, prev_event_hash, context, key = AGENT }: Made) {
  const payload: JsonObject = JSON.parse(text);
  const payload_digest = digestOf(canonicalJson(payload));
  const shallow = digestOf(JSON.stringify(payload));
  const messages = {
    digest: utf8.encode(payload_digest),
    raw: hexToBytes(payload_digest),
    shallow: utf8.encode(shallow),
  };
  const event = {
    subject_commitment: subjectCommitment(nativePrimitives, key.public_key, context),
    source_type,
    payload_digest,
    prev_event_hash,
  };
  return {
    subject_commitment: event.subject_commitment,
    public_key: key.public_key,
    ...(context === undefined ? {} : { context }),
    index,
    event_commitment_hash: eventHash(nativePrimitives, event),
    prev_event_hash,
    source_type,
    payload_digest,
    outcome: 'success',
    reading,
    created_at: `2026-05-01T12:00:0${index}.000Z`,
    signature: bytesToHex(signEd25519(key.privateKey, messages[reading])),
    payload,
  };
}

export type Item = ReturnType<typeof made>;

export const first = made({
  source_type: 'github_commit_payload',
  text: TEXTS.first,
  reading: 'digest',
  index: 0,
  prev_event_hash: null,
});
export const second = made({
  source_type: 'task_deliverable',
  text: TEXTS.second,
  reading: 'raw',
  index: 1,
  prev_event_hash: first.event_commitment_hash,
});
export const third = made({
  source_type: 'otel_genai_trace',
  text: TEXTS.third,
  reading: 'shallow',
  index: 2,
  prev_event_hash: second.event_commitment_hash,
});
const ofIssue = { source_type: 'github_issue_event', text: TEXTS.context, reading: 'digest' } as const;
export const withContext = made({ ...ofIssue, index: 0, prev_event_hash: null, context: 'clinic-7' });
export const ofOther = made({ ...ofIssue, index: 0, prev_event_hash: null, key: OTHER });

const entryOf = ({
  subject_commitment,
  source_type,
  payload_digest,
  prev_event_hash,
  ...item
}: Item): string =>
  evidenceEntryText({
    ...{ subject_commitment, source_type, payload_digest, prev_event_hash },
    index: item.index,
    event_commitment_hash: item.event_commitment_hash,
    anchored_at: item.created_at,
  });
export const entries = [first, second, third, withContext].map(entryOf);
export const log = smallLog('receipts.example/evidence', entries, [LOG]);

/** Returns the bundle of an item, with the proof of a public manifest; null for none. */
export function bundleOf(item: Item, manifest: JsonObject | null): JsonObject {
  const { reading: _, signature: __, payload: ___, ...shown } = item;
  const proof = manifest?.inclusion_path;
  return {
    type: 'evidence-bundle',
    item: shown,
    proof: proof === undefined ? null : { ...Object(proof), cosigned: false },
  };
}

const hexLines = (hex: string): string => hex.replace(/.{1,64}/g, '$&\n');
const bytesOf = (text: string): string => hexLines(bytesToHex(utf8.encode(text)));

/** Returns the blocks of docs/verification/evidence.md by their names. */
export function evidenceBlocks(): ReadonlyMap<string, string> {
  const { subject_commitment, source_type, payload_digest, prev_event_hash, signature } = second;
  const agent = `agent-id:${AGENT.public_key}:passport-v1`;
  const event = canonicalJson({ subject_commitment, source_type, payload_digest, prev_event_hash });
  return new Map([
    ['evidence-agent', `${agent}\n`],
    ['evidence-commitment', `${subject_commitment}\n`],
    ['evidence-payload', `${TEXTS.first}\n`],
    ['evidence-payload-bytes', bytesOf(TEXTS.first)],
    ['evidence-payload-digest', `${first.payload_digest}\n`],
    ['evidence-message', bytesOf(first.payload_digest)],
    ['evidence-signature', hexLines(first.signature)],
    ['evidence-raw-payload', `${TEXTS.second}\n`],
    ['evidence-raw-message', `${payload_digest}\n`],
    ['evidence-raw-signature', hexLines(signature)],
    ['evidence-shallow-payload', `${JSON.stringify(third.payload)}\n`],
    ['evidence-shallow-message', bytesOf(digestOf(JSON.stringify(third.payload)))],
    ['evidence-shallow-signature', hexLines(third.signature)],
    ['evidence-event', `${event}\n`],
    ['evidence-event-bytes', bytesOf(event)],
    ['evidence-event-hash', `${second.event_commitment_hash}\n`],
    ['evidence-leaf', `${entries[1]}\n`],
  ]);
}
