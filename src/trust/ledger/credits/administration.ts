import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { requireAgentIn, requireEnrolledAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import { firstOperator, type OperatorRow, operatorById, operatorBySeq } from '../../operators/status.ts';
import { UNCLAIMED } from '../accounts.ts';
import { creditFigures, creditsIn } from '../figures.ts';
import type { Portions } from '../portions.ts';
import type { WalletsPolicy } from '../wallets/evm-policy.ts';
import { currentTier } from './balances.ts';
import { journalPage } from './journal.ts';
import type { GrantRequest, TransferRequest } from './schema.ts';
import { newestOverride } from './store.ts';
import { claimIn, grantIn, requireTwoAgents, transferIn } from './transfers.ts';

/** The parts of the service that the administrator's commands on credits use. */
type Administration = { store: Store; clock: Clock; ids: Ids; policy: OperatorsPolicy & WalletsPolicy };

/**
 * Grants credits from an operator's pool as the administrator. @param operatorId the first operator for null
 * @throws ApiError not_found for an unknown operator, agent_not_enrolled, insufficient_credits, conflict
 */
export async function grantAsAdministrator(
  trust: Administration,
  operatorId: string | null,
  request: GrantRequest,
) {
  return trust.store.writeAsService(async (tx) => {
    const operator = await operatorFor(tx, operatorId);
    const agent = await requireEnrolledAgentIn(tx, request.subject_commitment);
    return grantIn(tx, trust, operator, agent, request);
  });
}

/**
 * Transfers credits of an agent without a sponsor, or from `unclaimed`, as an admin key may.
 * @throws ApiError validation_error, agent_not_enrolled, insufficient_credits, conflict; forbidden for an agent with a sponsor
 */
export async function transferAsAdministrator(trust: Administration, request: TransferRequest) {
  return trust.store.writeAsService(async (tx) => {
    if (request.from_commitment === UNCLAIMED.name)
      return claimIn(tx, trust, await requireEnrolledAgentIn(tx, request.to_commitment), request);
    requireTwoAgents(request);
    const payer = await requireEnrolledAgentIn(tx, request.from_commitment);
    if (payer.sponsorSeq !== null) {
      throw commonErrors.forbidden({
        message:
          'The agent that pays has a sponsor. Use a key of the sponsor and POST /api/v1/passport/credits/transfers, or let the agent sign the request.',
      });
    }
    const payee = await requireEnrolledAgentIn(tx, request.to_commitment);
    return transferIn(tx, trust, { payer, payee }, request);
  });
}

/** Returns the credits of revoked agents that had no sponsor, by class. */
export async function showUnclaimed({ store }: { store: Store }): Promise<Portions> {
  return store.read((snapshot) => creditsIn(snapshot, UNCLAIMED));
}

/** Returns an agent's figures of each class, its tier and the newest override with its reason. @throws ApiError not_found */
export async function showCredits(
  { store, policy }: { store: Store; policy: OperatorsPolicy & WalletsPolicy },
  commitment: string,
) {
  return store.read(async (snapshot) => {
    const agent = await requireAgentIn(snapshot, commitment);
    const { agentSeq, sponsorSeq, subjectCommitment, name, state } = agent;
    const sponsor = sponsorSeq === null ? undefined : await operatorBySeq(snapshot, sponsorSeq);
    const override = await newestOverride(snapshot, agentSeq);
    const by = override === undefined ? undefined : await operatorBySeq(snapshot, override.operatorSeq);
    return {
      subject_commitment: subjectCommitment,
      name,
      state,
      sponsor: sponsor?.operatorId ?? null,
      credits: await creditFigures(snapshot, agentSeq),
      ...(await currentTier(snapshot, { policy }, agent)),
      newest_override:
        override === undefined
          ? null
          : {
              tier: override.tier,
              reason: override.reason,
              operator_id: by?.operatorId ?? null,
              created_at: override.createdAt,
            },
    };
  });
}

/** Returns a page of an agent's journal, newest first, with what only the parties see. @throws ApiError not_found, validation_error */
export async function fullJournal(
  { store, cursors }: { store: Store; cursors: Cursors },
  commitment: string,
  cursor: string | null,
) {
  return store.read(async (snapshot) => {
    const agent = await requireAgentIn(snapshot, commitment);
    const query = { limit: '100', ...(cursor === null ? {} : { cursor }) };
    return journalPage(snapshot, { cursors }, agent, query, true);
  });
}

/** @throws ApiError not_found */
async function operatorFor(snapshot: Snapshot, operatorId: string | null): Promise<OperatorRow> {
  const operator =
    operatorId === null ? await firstOperator(snapshot) : await operatorById(snapshot, operatorId);
  if (operator !== undefined) return operator;
  throw commonErrors.not_found({
    message: `There is no operator ${operatorId ?? 'yet'}. See countersign operators list.`,
  });
}
