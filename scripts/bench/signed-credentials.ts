import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { nativePrimitives, signEd25519 } from '../../src/platform/crypto/crypto.ts';
import { secure } from '../../src/proof/credential/data-integrity.ts';
import {
  type CredentialOptions,
  credentialKeys,
  type PublishedKey,
} from '../../src/proof/credential/verdict.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { kidOf } from '../../src/proof/keys/kid.ts';

const SERVICE = 'https://trust.example';
const ISSUER = 'did:web:trust.example';

/** Credentials as the service sends them, and what a verifier trusts. */
export interface SignedCredentials {
  texts: string[];
  options: CredentialOptions;
  key: KeyObject;
}

/**
 * Returns credentials of a service at a public host, each of another agent with other figures, signed by one
 * key and valid now.
 */
export function signedCredentials(count: number, now: number): SignedCredentials {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
  const kid = kidOf(nativePrimitives, raw);
  const created = new Date(now - 3_600_000).toISOString();
  const texts = Array.from({ length: count }, (_, index) => {
    const document = unsigned(index, created, new Date(now + 82_800_000).toISOString());
    const options = { verificationMethod: `${ISSUER}#${kid}`, created };
    return JSON.stringify(
      secure(nativePrimitives, document, options, (message) => signEd25519(privateKey, message)),
    );
  });
  const published: PublishedKey = {
    kid,
    public_key: bytesToHex(raw),
    purpose: 'credentials',
    status: 'active',
    valid_until: null,
  };
  return {
    texts,
    options: { keys: credentialKeys([published]), issuers: [ISSUER], baseUrl: SERVICE, now },
    key: publicKey,
  };
}

function unsigned(index: number, validFrom: string, validUntil: string): JsonObject {
  const hex = index.toString(16).padStart(12, '0');
  const list = `${SERVICE}/api/v1/credentials/status/1`;
  const digest = nativePrimitives.sha256(new TextEncoder().encode(hex));
  const checkpoint = (origin: string): JsonObject => ({
    origin: `trust.example/${origin}`,
    tree_size: 100_000 + index,
    root_hash: bytesToHex(digest),
  });
  return {
    '@context': ['https://www.w3.org/ns/credentials/v2', `${SERVICE}/contexts/reputation/v1`],
    id: `urn:uuid:0197284f-7a2b-7c3d-8e9f-${hex}`,
    type: ['VerifiableCredential', 'AgentReputationCredential'],
    issuer: ISSUER,
    validFrom,
    validUntil,
    credentialStatus: {
      id: `${list}#${index}`,
      type: 'BitstringStatusListEntry',
      statusPurpose: 'revocation',
      statusListIndex: String(index),
      statusListCredential: list,
    },
    credentialSubject: {
      id: `did:key:z6Mk${bytesToHex(digest).slice(0, 44)}`,
      agent_commitment_hash: bytesToHex(digest),
      totals: { evidence_count: 100 + index, artifact_count: index % 7, failure_count: index % 11 },
      rolling_30d: { success_rate: 1 - (index % 11) / 100, failure_rate: (index % 11) / 100 },
      score: index % 1000,
      sample_size: 100,
      first_observed_at: validFrom,
      last_observed_at: validFrom,
      measured_at: validFrom,
      receipts_count: index,
      checkpoint: { evidence: checkpoint('evidence'), receipts: checkpoint('receipts') },
    },
  };
}
