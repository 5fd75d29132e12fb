import { DataIntegrityProof } from '@digitalbazaar/data-integrity';
import { createVerifyCryptosuite } from '@digitalbazaar/eddsa-jcs-2022-cryptosuite';
import { defaultDocumentLoader, verifyCredential } from '@digitalbazaar/vc';
import { checkStatus } from '@digitalbazaar/vc-bitstring-status-list';
import jsonld from 'jsonld';

/** What a stranger's software says about a credential. `reason` is the first error; null for none. */
export interface Opinion {
  opinion: 'valid' | 'revoked' | 'invalid';
  reason: string | null;
}

/**
 * Returns a loader that finds the keys of a service in its DID document, and its contexts and status lists at
 * its URL.
 * @param address where this service listens, if clients know it by another URL
 */
export async function loaderOf(service: string, address = service): Promise<DocumentLoader> {
  const did = Object(await load(`${address}/.well-known/did.json`));
  const methods: { id: string }[] = did.verificationMethod;
  const known = new Map<string, unknown>([[did.id, did], ...methods.map((one) => [one.id, one] as const)]);
  return async (url) => {
    const isOfService = url.startsWith(`${service}/`);
    const document = known.get(url) ?? (isOfService ? await load(url.replace(service, address)) : undefined);
    if (document === undefined) return defaultDocumentLoader(url);
    return { contextUrl: null, documentUrl: url, document };
  };
}

/** Verifies a credential and its status by @digitalbazaar/vc, with the keys that the service publishes. */
export async function opinionOf(
  credential: unknown,
  documentLoader: DocumentLoader,
  now = new Date(),
): Promise<Opinion> {
  const suite = new DataIntegrityProof({ cryptosuite: createVerifyCryptosuite() });
  const result = await verifyCredential({ credential, suite, documentLoader, checkStatus, now });
  const { verified, error, statusResult } = result;
  const first = error?.errors?.[0] ?? error ?? statusResult?.error;
  if (!verified) return { opinion: 'invalid', reason: first?.message ?? 'no reason' };
  const isRevoked = statusResult?.results?.some(({ status }) => status) ?? false;
  return { opinion: isRevoked ? 'revoked' : 'valid', reason: null };
}

/** Expands a credential as JSON-LD. In safe mode, a word that its contexts do not define is an error. */
export async function expanded(credential: unknown, documentLoader: DocumentLoader) {
  const [found = {}] = await jsonld.expand(credential, { documentLoader, safe: true });
  return found;
}

async function load(url: string): Promise<unknown> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} returned status ${response.status}`);
  return response.json();
}
