import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { REPUTATION_CONTEXT_PATH, REPUTATION_TYPE } from '../../proof/credential/contexts.ts';
import { digest } from '../../proof/encoding/digest.ts';
import type { AgentRow } from '../agents/agents.ts';
import { baseUrl, type DocumentContext, identityOf } from './document.ts';
import { metricsOf } from './metrics.ts';

/** The content of an agent's credential at a time, and the key that signs it. */
export type RequestedContent = Awaited<ReturnType<typeof requestedContentIn>>;

/** Reads the content of an agent's credential. @param now milliseconds since 1970 */
export async function requestedContentIn(
  snapshot: Snapshot,
  trust: DocumentContext,
  agent: AgentRow,
  now: number,
) {
  const key = trust.signer.activeKey('credentials');
  const contexts = [`${baseUrl(trust)}${REPUTATION_CONTEXT_PATH}`];
  const metrics = await metricsOf(snapshot, agent, now);
  const contentDigest = digest(nativePrimitives, {
    type: REPUTATION_TYPE,
    contexts,
    issuer: identityOf(trust, key).did,
    kid: key.kid,
    // Digests are stored: another name would make all stored credentials stale.
    figures: metrics,
  });
  return { agent, key, now, contexts, metrics, contentDigest };
}
