import { isJsonObject, type JsonValue } from '../encoding/json.ts';
import type { KnownNotes } from '../log/known-notes.ts';
import { type LogProof, LogProofError, readProofObject } from '../log/log-proof.ts';
import type { Primitives } from '../primitives.ts';

const MEMBERS = ['log', 'leaf_index', 'tree_size', 'leaf_entry', 'leaf_hash', 'hashes', 'checkpoint'];
/** A path of a tree with at most 2^63 leaves has no more. */
const HASHES_MAX = 63;

/**
 * Reads a proof in a bundle. It has no other members: nothing would sign them, and a reader could take them
 * for verified.
 * @param name of the proof in messages
 * @param problems gets one sentence about anything else
 * @param notes the checkpoints that were parsed before
 * @returns null for anything else
 */
export function readBundledProof(
  primitives: Primitives,
  value: JsonValue,
  name: string,
  problems: string[],
  notes?: KnownNotes,
): LogProof | null {
  if (!hasForm(value)) {
    problems.push(`${name} has not the members of a proof, or more than ${HASHES_MAX} hashes`);
    return null;
  }
  try {
    return readProofObject(primitives, value, name, notes);
  } catch (error) {
    if (!(error instanceof LogProofError)) throw error;
    problems.push(error.message);
    return null;
  }
}

/** Checks what no member of a proof says: that there are no others, and not too many hashes. */
function hasForm(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  // What the service says of its own policy; nothing signs it, and a verifier looks at the cosignatures.
  const { cosigned = true, hashes } = value;
  const ofService = Object.hasOwn(value, 'cosigned') ? 1 : 0;
  return (
    typeof cosigned === 'boolean' &&
    Object.keys(value).length === MEMBERS.length + ofService &&
    MEMBERS.every((name) => Object.hasOwn(value, name)) &&
    Array.isArray(hashes) &&
    hashes.length <= HASHES_MAX
  );
}
