import type { JsonObject } from '../encoding/json.ts';

/**
 * The values of `type` in the JSON objects that the service or an agent signs. A signature over an object is
 * valid wherever that object is accepted, so an object of one of these types must not be accepted as anything
 * else. Add every new signed `type` here.
 */
export const SIGNED_TYPES = [
  'account-statement',
  'agent-attestation',
  'agent-auth',
  'agent-profile',
  'arbiter-consent',
  'artifact-attestation',
  'assessment',
  'compliance-package',
  'datacenter-scorecard',
  'gate-decision',
  'instrument-attestation',
  'key-event',
  'leaderboard',
  'meter',
  'passport',
  'receipt-status',
] as const;

export type SignedType = (typeof SIGNED_TYPES)[number];

/**
 * The members of the object that an agent signs to present itself. It has no `type`; its members identify it.
 */
export const PRESENTATION_MEMBERS = [
  'subject_commitment',
  'photo_url',
  'photo_content_sha256',
  'photo_mime_type',
] as const;

/**
 * Returns the kind of signed object that an object could be mistaken for; null for none: then an agent may
 * sign it as evidence.
 */
export function otherSignedObject(object: JsonObject): SignedType | 'presentation' | null {
  const known = SIGNED_TYPES.find((type) => type === object.type);
  if (known !== undefined) return known;
  return PRESENTATION_MEMBERS.every((member) => Object.hasOwn(object, member)) ? 'presentation' : null;
}
