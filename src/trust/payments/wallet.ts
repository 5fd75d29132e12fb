import { actsForAgent, requireAgentIn } from '../agents/agents.ts';
import type { TrustContext } from '../context.ts';
import { trustError } from '../http/dialect.ts';
import { creditFigures } from '../ledger/figures.ts';
import type { Principal } from '../operators/auth/principals.ts';
import type { WalletResponse } from './schema.ts';

/** The parts of the service that reading a wallet uses. */
export type WalletContext = Pick<TrustContext, 'store'>;

/**
 * Returns what an agent can spend and what is locked.
 * @throws ApiError not_found for an agent that never enrolled; forbidden for a key that may not act for it
 */
export async function getWallet(
  { store }: WalletContext,
  principal: Principal,
  commitment: string,
): Promise<WalletResponse> {
  return store.read(async (snapshot) => {
    const agent = await requireAgentIn(snapshot, commitment);
    if (!actsForAgent(principal, agent)) {
      throw trustError('forbidden', {
        message:
          "Only a key of the agent's sponsor or its holder key can read this wallet (an admin key while it has no sponsor). Use one of " +
          'these keys.',
      });
    }
    const { promotional, paid, sandbox } = await creditFigures(snapshot, agent.agentSeq);
    const hasSandbox = sandbox.granted > 0 || sandbox.earned > 0;
    return {
      subject_commitment: agent.subjectCommitment,
      available: promotional.available + paid.available,
      locked: promotional.locked + paid.locked,
      withdrawable: paid.available,
      ...(hasSandbox ? { sandbox: { available: sandbox.available, locked: sandbox.locked } } : {}),
    };
  });
}
