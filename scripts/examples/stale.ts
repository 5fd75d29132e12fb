import type { OperationExamples } from '../../src/platform/http/openapi/openapi.ts';
import type { JsonValue } from '../../src/proof/encoding/json.ts';

/**
 * Keys, hashes and signatures, in any encoding. Those of ML-DSA, and what depends on them, differ each time.
 */
const RANDOM = /[\w+/=-]{40,}/g;

/** Counted in pages of the database, which depend on the writes that happen to share a transaction. */
const STORED_BYTES = /(?<="stored_bytes":\{"used":)\d+/g;

/**
 * Returns the operations whose recorded examples differ from the stored ones by more than keys,
 * hashes, signatures and stored bytes.
 */
export function staleOperations(recorded: OperationExamples, stored: OperationExamples): string[] {
  const operations = new Set([...Object.keys(recorded), ...Object.keys(stored)]);
  return [...operations].filter((one) => comparable(recorded[one]) !== comparable(stored[one]));
}

function comparable(examples: JsonValue | undefined): string {
  return JSON.stringify(examples ?? null)
    .replaceAll(RANDOM, '…')
    .replaceAll(STORED_BYTES, '0');
}
