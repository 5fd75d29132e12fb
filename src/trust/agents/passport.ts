import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { digest } from '../../proof/encoding/digest.ts';
import { hexToBytes } from '../../proof/encoding/hex.ts';
import { didKey } from '../../proof/keys/did-key.ts';
import type { SignedType } from '../../proof/keys/signed-types.ts';
import type { TrustContext } from '../context.ts';
import { issuerDid } from '../keys/signing/issuer.ts';
import { refuseReadOnly } from '../keys/signing/statements.ts';
import { mask } from '../operators/mask.ts';
import { operatorBySeq } from '../operators/status.ts';
import { requireAgentIn } from './agents.ts';
import { presentationIn } from './management/presentation.ts';
import type { AgentRow } from './store.ts';

export type Passport = Awaited<ReturnType<typeof passportIn>>;

/** The parts of the service that signing a passport uses. */
export type PassportContext = Pick<TrustContext, 'signer' | 'url'>;

/**
 * Returns an agent's current passport, signed by the key of purpose `credentials`: content_hash is the digest of the members
 * before it, and the signature is over its 64 characters. It is deterministic: the same state gives the same passport.
 */
export async function passportIn(snapshot: Snapshot, trust: PassportContext, agent: AgentRow) {
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
    issuer: issuerDid(trust),
    sponsor: await sponsorIn(snapshot, agent),
    presentation: await presentationIn(snapshot, agent.agentSeq),
  };
  const content_hash = digest(nativePrimitives, unsignedPassport);
  const { signature, kid } = trust.signer.sign('credentials', Buffer.from(content_hash));
  return { ...unsignedPassport, content_hash, signature, kid };
}

/** Returns the sponsor's public id, masked as on receipts. */
async function sponsorIn(snapshot: Snapshot, { sponsorSeq }: AgentRow): Promise<string | null> {
  const operator = sponsorSeq === null ? undefined : await operatorBySeq(snapshot, sponsorSeq);
  return operator === undefined ? null : mask(operator.operatorId, 'op_cus_');
}

/** Returns an agent's current passport. @throws ApiError not_found; ReadOnly */
export async function getPassport(
  trust: PassportContext & Pick<TrustContext, 'store' | 'readOnly'>,
  commitment: string,
): Promise<Passport> {
  refuseReadOnly(trust);
  return trust.store.read(async (snapshot) =>
    passportIn(snapshot, trust, await requireAgentIn(snapshot, commitment)),
  );
}
