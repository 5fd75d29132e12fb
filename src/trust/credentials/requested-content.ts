import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { REPUTATION_CONTEXT_PATH, REPUTATION_TYPE } from '../../proof/credential/contexts.ts';
import { digest } from '../../proof/encoding/digest.ts';
import type { AgentRow } from '../agents/agents.ts';
import { baseUrl, type DocumentContext, identityOf } from './document.ts';
import { figuresOf } from './figures.ts';

/** What a credential of an agent says at a time, and the key that is to sign it. */
export type Wanted = Awaited<ReturnType<typeof wantedIn>>;

/** Reads what a credential of an agent says at a time, in milliseconds since 1970. */
export async function wantedIn(snapshot: Snapshot, trust: DocumentContext, agent: AgentRow, now: number) {
  const key = trust.signer.activeKey('credentials');
  const contexts = [`${baseUrl(trust)}${REPUTATION_CONTEXT_PATH}`];
  const figures = await figuresOf(snapshot, agent, now);
  const contentDigest = digest(nativePrimitives, {
    type: REPUTATION_TYPE,
    contexts,
    issuer: identityOf(trust, key).did,
    kid: key.kid,
    figures,
  });
  return { agent, key, now, contexts, figures, contentDigest };
}
