import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { objectReading } from '../../proof/agent/agent-signature.ts';
import { hexToBytes } from '../../proof/encoding/hex.ts';
import { commonErrors } from '../http/errors.ts';
import type { Principal } from '../operators/auth/authenticate.ts';
import { SignerAuthority } from '../operators/quotas/authorities.ts';
import type { Quotas } from '../operators/quotas/quotas.ts';
import { type AuthorizationContext, type RequestLine, verifyAgentAuthIn } from './agent-auth.ts';
import type { AgentCache } from './agent-cache.ts';
import type { PresentationCache } from './agent-records.ts';
import { actsForAgent, requireEnrolledAgentIn } from './agents.ts';
import { agentsErrors } from './errors.ts';
import { agentPayer } from './payer.ts';
import { type Presentation, presentationIn } from './presentation.ts';
import type { PresentationRequest } from './schema.ts';
import { type AgentRow, insertPresentation, type PhotoColumns, wasPresented } from './store.ts';

/** All three members, or null for each where the agent clears its photo. */
type PresentationOrNone = Presentation | { [Member in keyof Presentation]: null };

/**
 * Sets or clears an agent's photo; the agent's signature authorizes it. To return to an earlier photo, or to
 * none, the caller needs a key that acts for the agent, or `agent_auth`. A stranger may have recorded the
 * earlier signature.
 * @param line method, path and query string that `agent_auth` signs
 * @throws ApiError agent_not_enrolled, validation_error, invalid_proof, nonce_reused, conflict
 */
export async function setPresentation(
  trust: AuthorizationContext & {
    store: Store;
    quotas: Quotas;
    agentCache: AgentCache;
    avatars: PresentationCache;
  },
  principal: Principal | null,
  commitment: string,
  line: RequestLine,
  { agent_auth: auth, ...request }: PresentationRequest,
) {
  const { store, clock } = trust;
  const agent = await trust.agentCache.enrolled(commitment);
  const presentation = requestedPhotoOf(request);
  const reading = objectReading(
    nativePrimitives,
    hexToBytes(request.signature),
    { subject_commitment: commitment, ...presentation },
    hexToBytes(agent.publicKey),
  );
  if (reading === null) throw agentsErrors.invalid_proof();
  const authority = new SignerAuthority(trust.quotas, principal?.authority ?? null);
  return store.write(authority, async (tx) => {
    const currentAgent = await requireEnrolledAgentIn(tx, commitment);
    if (auth !== undefined) await verifyAgentAuthIn(tx, trust, commitment, { ...line, body: request }, auth);
    const mayRepeat = auth !== undefined || (principal !== null && actsForAgent(principal, currentAgent));
    const isNew = !(await isPresentedIn(tx, currentAgent, presentation));
    if (isNew && !mayRepeat) await refuseReplayIn(tx, currentAgent, presentation);
    // A replayed signature writes nothing, so it must not use up the quota of the agent or its sponsor.
    if (isNew || auth !== undefined) await authority.paidByIn(tx, () => agentPayer(tx, currentAgent));
    if (isNew) {
      await insertPresentation(tx, {
        agentSeq: currentAgent.agentSeq,
        ...columnsOf(presentation),
        signature: request.signature,
        reading,
        createdAt: timestamp(clock),
      });
      trust.avatars.changedIn(tx, commitment);
    }
    return { subject_commitment: commitment, presentation: await presentationIn(tx, currentAgent.agentSeq) };
  });
}

async function isPresentedIn(
  tx: Transaction,
  { agentSeq }: AgentRow,
  presentation: PresentationOrNone,
): Promise<boolean> {
  const current = await presentationIn(tx, agentSeq);
  return (
    (current?.photo_url ?? null) === presentation.photo_url &&
    (current?.photo_content_sha256 ?? null) === presentation.photo_content_sha256 &&
    (current?.photo_mime_type ?? null) === presentation.photo_mime_type
  );
}

/** @throws ApiError conflict */
async function refuseReplayIn(
  tx: Transaction,
  { agentSeq }: AgentRow,
  presentation: PresentationOrNone,
): Promise<void> {
  if (!(await wasPresented(tx, agentSeq, columnsOf(presentation)))) return;
  throw commonErrors.conflict({
    message:
      "The agent presented exactly this before and replaced it. To set it again, send agent_auth, or use the agent's holder key or its sponsor's key.",
  });
}

function columnsOf({ photo_url, photo_content_sha256, photo_mime_type }: PresentationOrNone): PhotoColumns {
  return { photoUrl: photo_url, photoSha256: photo_content_sha256, photoMimeType: photo_mime_type };
}

/**
 * Returns the requested photo.
 * @throws ApiError validation_error if members are missing, or the URL is not a safe redirect target
 */
function requestedPhotoOf(request: Omit<PresentationRequest, 'agent_auth'>): PresentationOrNone {
  const { photo_url, photo_content_sha256 = null, photo_mime_type = null } = request;
  if (photo_url === null) {
    const extraMembers = Object.entries({ photo_content_sha256, photo_mime_type }).filter(
      ([, value]) => value !== null,
    );
    if (extraMembers.length === 0) return { photo_url, photo_content_sha256: null, photo_mime_type: null };
    const issues = Object.fromEntries(
      extraMembers.map(([name]) => [name, ['must be null or absent when photo_url is null']]),
    );
    throw commonErrors.validation_error({ issues });
  }
  const issues: Record<string, string[]> = {};
  if (!isPhotoUrl(photo_url)) {
    issues.photo_url = ['must be an https URL without user name, password and white space'];
  }
  if (photo_content_sha256 !== null && photo_mime_type !== null && Object.keys(issues).length === 0) {
    return { photo_url, photo_content_sha256, photo_mime_type };
  }
  if (photo_content_sha256 === null) issues.photo_content_sha256 = ['is required with a photo_url'];
  if (photo_mime_type === null) issues.photo_mime_type = ['is required with a photo_url'];
  throw commonErrors.validation_error({ issues });
}

/**
 * Returns whether a URL is safe as a redirect target: the service never fetches it, it only redirects to it.
 */
function isPhotoUrl(text: string): boolean {
  return (
    /^https:\/\/[^\s/?#@\\]+(?:[/?#][^\s\\]*)?$/i.test(text) && !/\p{C}/u.test(text) && URL.canParse(text)
  );
}
