import { sha256Hex } from '../../../platform/crypto/crypto.ts';
import type { ServiceDocumentContext } from './get-service-document.ts';

/** JSON text with its entity tag. */
interface TaggedText {
  json: string;
  etag: string;
}

/** Returns a function for the JSON text of a document about the signing keys, cached until they change. */
export function cachedByKeys(
  { signer }: Pick<ServiceDocumentContext, 'signer'>,
  make: () => object,
): () => TaggedText {
  let cached: (TaggedText & { keys: unknown }) | null = null;
  return () => {
    // A change of the keys replaces this array.
    const keys = signer.all();
    if (cached?.keys === keys) return cached;
    const json = JSON.stringify(make());
    cached = { keys, json, etag: `"${sha256Hex(json).slice(0, 32)}"` };
    return cached;
  };
}
