import type { JsonObject } from '../encoding/json.ts';

/**
 * The `type` of every JSON object that is signed for a purpose of its own, by the service or by an agent. One signature over an
 * object is good wherever that object is taken, so none of these is taken as anything else. Whatever is signed under a new
 * `type` is added here.
 */
export const SIGNED_TYPES = [
  'agent-attestation',
  'agent-auth',
  'artifact-attestation',
  'key-event',
  'passport',
  'receipt-status',
] as const;

export type SignedType = (typeof SIGNED_TYPES)[number];

/** What an agent signs to present itself. The object has no `type`, so that its members tell it. */
export const PRESENTATION_MEMBERS = [
  'subject_commitment',
  'photo_url',
  'photo_content_sha256',
  'photo_mime_type',
] as const;

/** Which other signed object an object could pass for; null for none, and then an agent may sign it as evidence. */
export function otherSignedObject(object: JsonObject): SignedType | 'presentation' | null {
  const known = SIGNED_TYPES.find((type) => type === object.type);
  if (known !== undefined) return known;
  return PRESENTATION_MEMBERS.every((member) => Object.hasOwn(object, member)) ? 'presentation' : null;
}
