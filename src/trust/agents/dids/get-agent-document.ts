import type { Store } from '../../../platform/store/store.ts';
import { hexToBytes } from '../../../proof/encoding/hex.ts';
import { didKey } from '../../../proof/keys/did-key.ts';
import { publicKeyMultibase } from '../../../proof/keys/kid.ts';
import { webDidOf } from '../../log/keys/signing/issuer.ts';
import { type AgentRow, requireAgentIn } from '../agents.ts';
import { DID_CONTEXTS, multikeyMethod } from './multikey.ts';

export type AgentDocumentContext = { store: Store; url: string | null };

/** The name of a document: by the agent's key, or by its URL at this service. */
export type DidForm = 'key' | 'web';

/**
 * Returns the DID document of an agent. Both forms have the same key, and each names the other in
 * alsoKnownAs. A service without did:web has none for its agents either: then both forms are did:key.
 * @throws ApiError not_found for an agent that never enrolled
 */
export async function agentDocument(
  { store, url }: AgentDocumentContext,
  commitment: string,
  form: DidForm,
): Promise<ReturnType<typeof documentOf>> {
  return documentOf(await store.read((snapshot) => requireAgentIn(snapshot, commitment)), url, form);
}

/**
 * Returns the did:web of an agent: its document is at `/api/v1/anp/agents/<commitment>/did.json`. Null if the
 * service has no did:web.
 */
function agentWebDid(url: string | null, commitment: string): string | null {
  const web = webDidOf(url);
  return web === null ? null : `${web}:api:v1:anp:agents:${commitment}`;
}

function documentOf(agent: AgentRow, url: string | null, form: DidForm) {
  const { publicKey, subjectCommitment } = agent;
  const byKey = didKey(hexToBytes(publicKey));
  const byUrl = agentWebDid(url, subjectCommitment);
  const id = form === 'web' && byUrl !== null ? byUrl : byKey;
  const method = `${id}#${publicKeyMultibase(hexToBytes(publicKey))}`;
  // The key of a revoked agent still verifies what it signed before, and authorizes nothing.
  const methods = agent.state === 'REVOKED' ? [] : [method];
  const service = (name: string, type: string, path: string) => ({
    id: `${id}#${name}`,
    type,
    serviceEndpoint: `${url ?? ''}${path}`,
  });
  return {
    '@context': DID_CONTEXTS,
    id,
    alsoKnownAs: [byKey, byUrl].filter((did) => did !== null && did !== id).map(String),
    verificationMethod: [multikeyMethod(method, id, publicKey)],
    authentication: methods,
    assertionMethod: methods,
    capabilityInvocation: methods,
    service: [
      service('profile', 'AgentProfile', `/api/v1/profiles/${subjectCommitment}`),
      service('evidence', 'AgentEvidence', `/api/v1/passport/agents/${subjectCommitment}/evidence`),
      service('a2a', 'A2AService', '/.well-known/agent-card.json'),
      service('credential', 'AgentReputationCredential', `/api/v1/credentials/${subjectCommitment}`),
    ],
  };
}
