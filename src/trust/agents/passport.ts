import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { digest } from '../../proof/encoding/digest.ts';
import { hexToBytes } from '../../proof/encoding/hex.ts';
import { didKey } from '../../proof/keys/did-key.ts';
import type { SignedType } from '../../proof/keys/signed-types.ts';
import type { TrustContext } from '../context.ts';
import { issuerDid } from '../keys/signing/issuer.ts';
import { backdateCredentialsKey, refuseReadOnly, refuseWrongClock } from '../keys/signing/statements.ts';
import { mask } from '../operators/mask.ts';
import { operatorBySeq } from '../operators/status.ts';
import { chainHeadIn } from '../reputation/count.ts';
import { requireAgentIn } from './agents.ts';
import { presentationIn } from './management/presentation.ts';
import type { AgentRow } from './store.ts';

export type Passport = Awaited<ReturnType<typeof signedPassport>>;

/** The parts of the service that signing a passport uses. */
export type PassportContext = Pick<TrustContext, 'signer' | 'url' | 'clock' | 'clockWatch'>;

/** The lifetime of a passport. */
const VALIDITY_MS = 24 * 3600_000;

/** Returns an agent's passport as of now, in the transaction that changed the agent. @throws ApiError overloaded, as `signedPassport` */
export async function passportIn(
  tx: Transaction,
  trust: PassportContext,
  agent: AgentRow,
): Promise<Passport> {
  const { signer, clock } = trust;
  const passport = await signedPassport(tx, trust, agent, clock.now());
  await signer.backdateIn(tx, signer.activeKey('credentials').keySeq, passport.as_of);
  return passport;
}

/** Returns an agent's passport as of now. @throws ApiError not_found; overloaded, as `signedPassport`; ReadOnly */
export async function getPassport(
  trust: PassportContext & Pick<TrustContext, 'store' | 'readOnly'>,
  commitment: string,
): Promise<Passport> {
  refuseReadOnly(trust);
  // Before the snapshot is opened, so that the passport knows of everything that was stored until as_of.
  const now = trust.clock.now();
  const passport = await trust.store.read(async (snapshot) =>
    signedPassport(snapshot, trust, await requireAgentIn(snapshot, commitment), now),
  );
  await backdateCredentialsKey(trust, passport.as_of);
  return passport;
}

/**
 * Signs a passport by the key of purpose `credentials`: content_hash is the digest of the members before it, and the signature is over its
 * 64 characters. `evidence` commits to the whole chain of the agent.
 * @param now as_of, in milliseconds since 1970
 * @throws ApiError overloaded while the clock is wrong, unless the agent is revoked: a passport with a wrong date could outlast a
 * revocation, and no revocation is ever refused
 */
async function signedPassport(snapshot: Snapshot, trust: PassportContext, agent: AgentRow, now: number) {
  const { length, eventHash } = await chainHeadIn(snapshot, agent.agentSeq);
  const sponsor = await sponsorIn(snapshot, agent);
  const presentation = await presentationIn(snapshot, agent.agentSeq);
  const unsignedPassport = {
    type: 'passport' as const satisfies SignedType,
    passport_id: agent.passportId,
    subject_commitment: agent.subjectCommitment,
    public_key: agent.publicKey,
    did: didKey(hexToBytes(agent.publicKey)),
    context: agent.context,
    name: agent.name,
    state: agent.state,
    issued_at: agent.issuedAt,
    as_of: timestamp({ now: () => now }),
    valid_until: timestamp({ now: () => now + VALIDITY_MS }),
    issuer: issuerDid(trust),
    sponsor,
    presentation,
    evidence: { count: length, head: eventHash },
  };
  // Last, since the clock may have been set meanwhile.
  if (agent.state !== 'REVOKED') refuseWrongClock(trust);
  const content_hash = digest(nativePrimitives, unsignedPassport);
  const { signature, kid } = trust.signer.sign('credentials', Buffer.from(content_hash));
  return { ...unsignedPassport, content_hash, signature, kid };
}

/** Returns the sponsor's public id, masked as on receipts. */
async function sponsorIn(snapshot: Snapshot, { sponsorSeq }: AgentRow): Promise<string | null> {
  const operator = sponsorSeq === null ? undefined : await operatorBySeq(snapshot, sponsorSeq);
  return operator === undefined ? null : mask(operator.operatorId, 'op_cus_');
}
