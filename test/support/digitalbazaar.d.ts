/** The parts of the packages of Digital Bazaar, which have no types, that the tests use. */

interface LoadedDocument {
  contextUrl: string | null;
  documentUrl: string;
  document: unknown;
}

type DocumentLoader = (url: string) => Promise<LoadedDocument>;

declare module '@digitalbazaar/vc' {
  interface VerifyResult {
    verified: boolean;
    error?: Error & { errors?: Error[] };
    statusResult?: { verified: boolean; error?: Error; results?: { status: boolean }[] };
  }
  export const defaultDocumentLoader: DocumentLoader;
  export function verifyCredential(options: {
    credential: unknown;
    suite: object;
    documentLoader: DocumentLoader;
    checkStatus?: unknown;
    now?: Date;
  }): Promise<VerifyResult>;
}

declare module '@digitalbazaar/data-integrity' {
  export class DataIntegrityProof {
    constructor(options: { cryptosuite: object });
  }
}

declare module '@digitalbazaar/eddsa-jcs-2022-cryptosuite' {
  export function createVerifyCryptosuite(): object;
}

declare module '@digitalbazaar/vc-bitstring-status-list' {
  export function checkStatus(options: object): Promise<unknown>;
}

declare module 'jsonld' {
  interface JsonLd {
    expand(
      document: unknown,
      options: { documentLoader: DocumentLoader; safe: true },
    ): Promise<Record<string, unknown>[]>;
  }
  const jsonld: JsonLd;
  export default jsonld;
}
