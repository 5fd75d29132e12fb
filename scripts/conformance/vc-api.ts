import { generateKeyPairSync } from 'node:crypto';
import { nativePrimitives, signEd25519 } from '../../src/platform/crypto/crypto.ts';
import { secure, verifyProof } from '../../src/proof/credential/data-integrity.ts';
import { didKeyMethod, publicKeyOfDidKey } from '../../src/proof/credential/multikey.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../src/proof/encoding/json.ts';
import { inOneGo } from '../../src/proof/encoding/steps.ts';
import { didKey } from '../../src/proof/keys/did-key.ts';
import type { Service } from './service.ts';

/** A response of the VC API. The suites look at its status and, of an issued credential, at its body. */
interface Reply {
  status: number;
  body: JsonValue;
}

/** What the VC API asks of an implementation (W3C CCG VC API). */
export interface Implementation {
  name: string;
  /** The DID that the suites write into a document as its issuer. */
  issuer: string;
  /** Secures a document. Returns the bare credential, or 400 for a document that it does not sign. */
  issue(document: JsonValue): Promise<Reply>;
  /** Verifies a credential. Returns 200 when it is valid. */
  verify(credential: JsonValue): Promise<Reply>;
}

const VC2 = 'https://www.w3.org/ns/credentials/v2';

/**
 * Returns the service as an implementation. It issues what it measured of one agent, so a document that asks
 * for anything but a plain credential is refused with 400: the service never signs what others wrote.
 */
export async function serviceImplementation({
  url,
  worker,
}: Pick<Service, 'url' | 'worker'>): Promise<Implementation> {
  const issue = async (): Promise<Reply> => replyOf(await fetch(`${url}/api/v1/credentials/${worker}`));
  const { body } = await issue();
  if (!isJsonObject(body) || typeof body.issuer !== 'string') {
    throw new Error(`no credential: ${JSON.stringify(body)}`);
  }
  const issuer = body.issuer;
  return {
    name: 'Countersign service',
    issuer,
    issue: async (document) =>
      isPlain(document, issuer) ? issue() : refusal('The service signs only what it measured.'),
    verify: async (verifiableCredential) =>
      replyOf(
        await fetch(`${url}/api/v1/credentials/verify`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ verifiableCredential }),
        }),
      ),
  };
}

/**
 * Returns the cryptosuite of `src/proof/credential` as an implementation: it signs any object, and trusts
 * every did:key.
 */
export function engineImplementation(): Implementation {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const issuer = didKey(new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)));
  return {
    name: 'Countersign engine',
    issuer,
    async issue(document) {
      if (!isJsonObject(document)) return refusal('The document is not an object.');
      const options = { verificationMethod: didKeyMethod(issuer), created: new Date().toISOString() };
      const sign = (message: Uint8Array) => signEd25519(privateKey, message);
      return { status: 201, body: secure(nativePrimitives, document, options, sign) };
    },
    async verify(credential) {
      const key = isJsonObject(credential) ? keyOf(credential) : null;
      const verified =
        isJsonObject(credential) && key !== null && inOneGo(verifyProof(nativePrimitives, credential, key));
      return { status: verified ? 200 : 422, body: { verified } };
    },
  };
}

/**
 * Serves implementations on a free port of loopback, each below its number. @returns the URL of an
 * implementation, and the end
 */
export function serveVcApi(implementations: readonly Implementation[]) {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const [, number = '', ...rest] = new URL(request.url).pathname.split('/');
      const implementation = implementations[Number(number)];
      const operation = rest.join('/');
      const body = parseJson(await request.text());
      if (implementation === undefined || !isJsonObject(body)) return Response.json(null, { status: 404 });
      const reply = await replyTo(implementation, operation, body);
      return Response.json(reply.body, { status: reply.status });
    },
  });
  return {
    urlOf: (implementation: Implementation) =>
      `http://127.0.0.1:${server.port}/${implementations.indexOf(implementation)}`,
    stop: () => server.stop(true),
  };
}

async function replyTo(implementation: Implementation, operation: string, body: JsonObject): Promise<Reply> {
  if (operation === 'credentials/issue') return implementation.issue(body.credential ?? null);
  if (operation === 'credentials/verify') return implementation.verify(body.verifiableCredential ?? null);
  return { status: 501, body: { errors: ['Countersign verifies no presentations.'] } };
}

/**
 * Returns whether a document asks for nothing but a credential of this issuer: no other context, type, date,
 * status or policy.
 */
function isPlain(document: JsonValue, issuer: string): boolean {
  if (!isJsonObject(document)) return false;
  const { '@context': contexts, id = '', type, issuer: named, credentialSubject, ...others } = document;
  return (
    Bun.deepEquals(contexts, [VC2]) &&
    Bun.deepEquals(type, ['VerifiableCredential']) &&
    typeof id === 'string' &&
    named === issuer &&
    isJsonObject(credentialSubject) &&
    typeof credentialSubject.id === 'string' &&
    Object.keys(others).length === 0
  );
}

/** Returns the key of the did:key that the proof of a document names; null for any other method. */
function keyOf({ proof }: JsonObject): Uint8Array | null {
  if (!isJsonObject(proof) || typeof proof.verificationMethod !== 'string') return null;
  const [did = ''] = proof.verificationMethod.split('#');
  return didKeyMethod(did) === proof.verificationMethod ? publicKeyOfDidKey(did) : null;
}

async function replyOf(response: Response): Promise<Reply> {
  return { status: response.status, body: parseJson(await response.text()) };
}

function refusal(sentence: string): Reply {
  return { status: 400, body: { errors: [sentence] } };
}
