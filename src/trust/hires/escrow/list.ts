import type { EscrowStatus } from '../../../../db/trust/escrow-enums.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { AgentRow } from '../../agents/agents.ts';
import { escrowOfSponsorBefore } from './operator-store.ts';
import {
  allEscrowBefore,
  disputesBefore,
  type EscrowRole,
  type EscrowState,
  escrowOfAgentBefore,
} from './store.ts';

const NEWEST = Number.MAX_SAFE_INTEGER;

/** Returns an agent's newest `limit` rows before a number, newest first. */
export function escrowsOfAgent(
  snapshot: Snapshot,
  { agentSeq }: AgentRow,
  filter: { roles: readonly EscrowRole[]; statuses: readonly EscrowStatus[] },
  before: number | undefined,
  limit: number,
): Promise<EscrowState[]> {
  return escrowOfAgentBefore(snapshot, agentSeq, filter, before ?? NEWEST, limit);
}

/** Returns the newest `limit` rows before a number that agents of a sponsor are a party of, newest first. */
export function escrowsOfSponsor(
  snapshot: Snapshot,
  sponsorSeq: number,
  statuses: readonly EscrowStatus[],
  before: number | undefined,
  limit: number,
): Promise<EscrowState[]> {
  return escrowOfSponsorBefore(snapshot, sponsorSeq, statuses, before ?? NEWEST, limit);
}

/** Returns the newest `limit` disputes of all agents before a number, newest first. */
export function disputes(
  snapshot: Snapshot,
  before: number | undefined,
  limit: number,
): Promise<EscrowState[]> {
  return disputesBefore(snapshot, { before: before ?? NEWEST, limit });
}

/** Returns the newest `limit` rows of all agents before a number, newest first. */
export function allEscrows(
  snapshot: Snapshot,
  before: number | undefined,
  limit: number,
): Promise<EscrowState[]> {
  return allEscrowBefore(snapshot, { before: before ?? NEWEST, limit });
}
