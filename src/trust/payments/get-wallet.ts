import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { actsForAgent, isActiveAgent, requireAgentIn } from '../agents/agents.ts';
import { commonErrors } from '../http/errors.ts';
import { creditsOf } from '../ledger/accounts.ts';
import { creditFigures } from '../ledger/balances.ts';
import { heldAmount, heldIn } from '../ledger/lots/held.ts';
import { touchedWallet } from '../ledger/wallets/wallets.ts';
import type { Principal } from '../operators/auth/authenticate.ts';
import { hasEnded } from '../operators/scope.ts';
import { operatorBySeq } from '../operators/status.ts';
import type { WalletResponse } from './schema.ts';

/** The parts of the service that reading a wallet uses. */
export type WalletContext = { store: Store; clock: Clock; masterKey: MasterKey; readOnly: boolean };

/**
 * Returns what an agent can spend and what is locked. The first call makes the custodial wallet to which the
 * agent's withdrawals are paid. It makes none for an inactive agent, a read-only service or an ended scope.
 * @throws ApiError not_found for an agent that never enrolled; forbidden for a key that may not act for it;
 * errors of the key's quota at the first call
 */
export async function getWallet(
  trust: WalletContext,
  principal: Principal,
  commitment: string,
): Promise<WalletResponse> {
  const { agentSeq, isActive, ...balances } = await trust.store.read(async (snapshot) => {
    const agent = await requireAgentIn(snapshot, commitment);
    if (!actsForAgent(principal, agent)) {
      throw commonErrors.forbidden({
        message:
          "Only a key of the agent's sponsor or its holder key can read this wallet (an admin key while it has no sponsor). Use one of " +
          'these keys.',
      });
    }
    const { promotional, paid, sandbox } = await creditFigures(snapshot, agent.agentSeq);
    const held = await heldIn(snapshot, creditsOf(agent), trust.clock.now());
    const hasSandbox = sandbox.granted > 0 || sandbox.earned > 0;
    return {
      agentSeq: agent.agentSeq,
      isActive: await isActiveAgent(agent, (seq) => operatorBySeq(snapshot, seq)),
      subject_commitment: agent.subjectCommitment,
      available: promotional.available + paid.available,
      locked: promotional.locked + paid.locked,
      withdrawable: paid.available - heldAmount(held),
      held,
      ...(hasSandbox ? { sandbox: { available: sandbox.available, locked: sandbox.locked } } : {}),
    };
  });
  if (isActive && !trust.readOnly && !hasEnded(principal.scope, trust.clock.now()))
    await touchedWallet(trust, principal.authority, { kind: 'agent', seq: agentSeq });
  return balances;
}
