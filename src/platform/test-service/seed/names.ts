import { Type } from '@sinclair/typebox';
import { sha256Hex } from '../../crypto/crypto.ts';

/** The name by which a seed refers to one of its things. */
export const LABEL = '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$';

/** The schema of a name. */
export const Label = Type.String({
  pattern: LABEL,
  'x-message': 'must be 1 to 64 letters, digits, - and _',
});

/**
 * Returns 64 hexadecimal characters that follow from the name of a thing, so that ids and keys are the same
 * at every start. They are public: a test service is for this machine only.
 */
export function derivedHex(kind: string, label: string): string {
  return sha256Hex(`countersign seed: ${kind} ${label}`);
}
