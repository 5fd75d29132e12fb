import type { KeyPair } from '../../platform/crypto/key-files.ts';
import { Failure } from '../../platform/failure.ts';
import { isHex } from '../../proof/encoding/hex.ts';
import { isJsonObject, type JsonObject } from '../../proof/encoding/json.ts';
import type { SignedType } from '../../proof/keys/signed-types.ts';
import { signedObject } from './sign.ts';

const CONSENT_TYPE = 'arbiter-consent' satisfies SignedType;

/**
 * Returns the request that delivers an engagement, signed by its worker for its terms.
 * @param engagement the engagement, as the API returns it
 * @param deliverable SHA-256 of the deliverable, hexadecimal
 * @param arbiter the commitment of the agent that decides a dispute; null for none
 * @throws Failure for another object, and for an arbiter that is no commitment
 */
export function signedDelivery(
  key: KeyPair,
  engagement: JsonObject,
  deliverable: string,
  arbiter: string | null,
) {
  if (arbiter !== null && !isHex(arbiter, 32)) {
    throw new Failure(
      `--arbiter ${arbiter} is no commitment`,
      'name the subject commitment of an agent: 64 lower-case hexadecimal characters',
      2,
    );
  }
  const payload = {
    ...termsIn(engagement),
    deliverable_digest: deliverable,
    ...(arbiter === null ? {} : { arbiter_commitment: arbiter }),
  };
  return { source_type: 'task_deliverable', payload, signature: signedObject(key, payload).signature };
}

/**
 * Returns the request by which an arbiter consents to decide about an engagement with its terms.
 * @param engagement the engagement, as the API returns it
 * @throws Failure for another object
 */
export function signedConsent(key: KeyPair, engagement: JsonObject) {
  const payload = { type: CONSENT_TYPE, ...termsIn(engagement) };
  return { payload, signature: signedObject(key, payload).signature };
}

/** @throws Failure for an object without a task_id and a terms_digest */
function termsIn(object: JsonObject): { task_id: string; terms_digest: string } {
  const { task_id, terms_digest } = isJsonObject(object.engagement) ? object.engagement : object;
  if (typeof task_id === 'string' && typeof terms_digest === 'string' && isHex(terms_digest, 32))
    return { task_id, terms_digest };
  throw new Failure(
    'the file has no engagement with a task_id and a terms_digest',
    'save what countersign engagements show TASK prints to a file, and name this file',
  );
}
