import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import type { ClockWatch } from '../../platform/time/clock-watch.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { hexToBytes } from '../../proof/encoding/hex.ts';
import { didKey } from '../../proof/keys/did-key.ts';
import { signedObjectMessage } from '../../proof/keys/signed-object.ts';
import type { SignedType } from '../../proof/keys/signed-types.ts';
import { actTime, statementTime } from '../log/clock/dates.ts';
import { issuerDid } from '../log/keys/signing/issuer.ts';
import type { Signer } from '../log/keys/signing/signer.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import { mask } from '../operators/mask.ts';
import { operatorBySeq } from '../operators/status.ts';
import type { AgentRecords } from './agent-records.ts';
import { presentationIn } from './presentation.ts';
import type { AgentRow } from './store.ts';

export type Passport = Awaited<ReturnType<typeof signedPassport>>;

export type PassportContext = {
  signer: Signer;
  url: string | null;
  clockWatch: ClockWatch;
  log: TrustLog;
  agentRecords: AgentRecords;
};

/** The lifetime of a passport. */
const VALIDITY_MS = 24 * 3600_000;

/**
 * Returns an agent's passport as of now, in the transaction that changed the agent.
 * @throws ApiError clock_wrong, as `signedPassport`
 */
export async function passportIn(
  tx: Transaction,
  trust: PassportContext,
  agent: AgentRow,
): Promise<Passport> {
  const { signer } = trust;
  const passport = await signedPassport(tx, trust, agent, passportTime(trust, agent));
  await signer.backdateIn(tx, signer.activeKey('credentials').keySeq, passport.as_of);
  return passport;
}

/**
 * Returns as_of for the passport of an agent, in milliseconds since 1970. A passport with a wrong date could
 * outlast a revocation; one of a revoked agent cannot, and no revocation is ever refused.
 * @throws ApiError clock_wrong unless the agent is revoked
 */
export function passportTime(trust: PassportContext, { state, revokedAt }: AgentRow): number {
  if (state !== 'REVOKED') return statementTime(trust);
  return actTime(trust, revokedAt === null ? 0 : Date.parse(revokedAt));
}

/**
 * Signs a passport by the key of purpose `credentials`. `evidence` commits to the whole chain of the agent.
 * @param now as_of, in milliseconds since 1970
 */
export async function signedPassport(
  snapshot: Snapshot,
  trust: PassportContext,
  agent: AgentRow,
  now: number,
) {
  const { length, eventHash } = await trust.agentRecords.evidenceChainIn(snapshot, agent.agentSeq);
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
    as_of: timestampOf(now),
    valid_until: timestampOf(now + VALIDITY_MS),
    issuer: issuerDid(trust),
    sponsor,
    presentation,
    evidence: { count: length, head: eventHash },
  };
  const message = signedObjectMessage(nativePrimitives, unsignedPassport);
  const { signature, kid } = trust.signer.sign('credentials', message);
  return { ...unsignedPassport, signature, kid };
}

/** Returns the id of an agent's sponsor, masked as on receipts; null without one. */
export async function sponsorIn(snapshot: Snapshot, { sponsorSeq }: AgentRow): Promise<string | null> {
  const operator = sponsorSeq === null ? null : await operatorBySeq(snapshot, sponsorSeq);
  return operator === null ? null : mask(operator.operatorId, 'op_cus_');
}
