import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { subjectCommitment } from '../../src/proof/agent/commitment.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/proof/encoding/json.ts';
import { replaced } from '../../test/support/changed-document.ts';
import { beyondOrder, NEUTRAL, SIGNATURE_OF_ALL } from '../../test/support/lax-signatures.ts';
import { signedByAgent } from '../../test/support/signed-statement.ts';
import { testKey } from '../../test/support/small-log.ts';
import { later, type Place, type StatementCase } from './statement-cases.ts';

/** Returns the cases of a kind of object that agents sign. */
export function agentCases(kind: string, genuine: ReadonlyMap<string, JsonObject>): StatementCase[] {
  const document = genuine.get('genuine') ?? {};
  const payload = isJsonObject(document.payload) ? document.payload : {};
  const isAuthorization = kind === 'agent-auth';
  const agent = isAuthorization ? 'commitment' : 'subject_commitment';
  const member = isAuthorization ? 'path' : 'photo_url';
  const at = isAuthorization ? later(payload.expires_at, -30_000) : '2026-06-01T12:00:01.000Z';
  const other = testKey(10);
  const one = (
    name: string,
    changes: Partial<StatementCase>,
    verdict: string,
    problem: string | null,
  ): StatementCase => ({ name, file: 'genuine', document, at, verdict, problem, ...changes });
  const signed = (place: Place, to: JsonValue | undefined) => ({
    document: signedByAgent(replaced(payload, place, to)),
  });
  return [
    one('genuine', {}, 'valid', null),
    one(
      'a member of the payload changed',
      { document: replaced(document, ['payload', member], '/x') },
      'bad_signature',
      'signature',
    ),
    one(
      'another signature',
      { document: { ...document, signature: '00'.repeat(64) } },
      'bad_signature',
      'signature',
    ),
    one(
      'signed by another agent',
      { document: signedByAgent(payload, other) },
      'inconsistent',
      'the commitment',
    ),
    one(
      'signed by another agent in the name of this one',
      { document: { ...signedByAgent(payload, other), public_key: document.public_key ?? null } },
      'bad_signature',
      'signature',
    ),
    one(
      'the commitment of another agent, signed',
      signed([agent], 'ab'.repeat(32)),
      'inconsistent',
      'the commitment',
    ),
    one('another context', { document: { ...document, context: 'other' } }, 'inconsistent', 'the commitment'),
    one(
      'the context that is meant without one',
      { document: { ...document, context: 'passport-v1' } },
      'valid',
      null,
    ),
    one(
      'a signature over the 32 bytes of the hash',
      { document: signedByAgent(payload, undefined, true) },
      isAuthorization ? 'bad_signature' : 'valid',
      isAuthorization ? 'signature' : null,
    ),
    one(
      'a member that nobody signed',
      { document: { ...document, note: 'x' } },
      'malformed',
      'an object has other members',
    ),
    one(
      'another member in the payload, signed',
      signed(['another'], 1),
      'malformed',
      'an object has other members',
    ),
    one(
      'a key of small order',
      { document: { ...document, public_key: '00'.repeat(32) } },
      'inconsistent',
      'the commitment',
    ),
    one(
      'an agent whose key is the neutral point, for which one signature is of every message',
      {
        document: {
          ...document,
          payload: { ...payload, [agent]: subjectCommitment(nativePrimitives, NEUTRAL) },
          signature: SIGNATURE_OF_ALL,
          public_key: NEUTRAL,
        },
      },
      'bad_signature',
      'signature',
    ),
    one(
      'a signature with the order added to S',
      { document: { ...document, signature: beyondOrder(String(document.signature)) } },
      'bad_signature',
      'signature',
    ),
    one(
      'no public key',
      { document: replaced(document, ['public_key'], undefined) },
      'malformed',
      'public_key is missing',
    ),
    one('the type of a statement, signed', signed(['type'], 'passport'), 'malformed', null),
    ...(isAuthorization
      ? [
          one('in its last millisecond', { at: later(payload.expires_at, -1) }, 'valid', null),
          one('at its end', { at: String(payload.expires_at) }, 'expired', 'payload.expires_at'),
          one('ten minutes before its end', { at: later(payload.expires_at, -600_000) }, 'valid', null),
          one(
            'more than ten minutes before its end',
            { at: later(payload.expires_at, -600_001) },
            'future',
            'payload.expires_at',
          ),
          one(
            'half of a character in the body',
            { document: replaced(document, ['payload', 'body'], { x: '\ud800' }) },
            'malformed',
            'payload has a number',
          ),
          one('a path with a query, signed', signed(['path'], '/x?y'), 'malformed', 'payload.path'),
          one('a short nonce, signed', signed(['nonce'], 'x'), 'malformed', 'payload.nonce'),
        ]
      : [
          one(
            'half of a photo, signed',
            signed(['photo_mime_type'], null),
            'malformed',
            'the members of the photo',
          ),
          one(
            'no photo, signed',
            {
              document: signedByAgent({
                ...payload,
                photo_url: null,
                photo_content_sha256: null,
                photo_mime_type: null,
              }),
            },
            'valid',
            null,
          ),
        ]),
  ];
}
