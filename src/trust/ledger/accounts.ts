import type {
  ACCOUNT_KINDS,
  ASSETS,
  CREDIT_CLASSES,
  MOVEMENT_KINDS,
} from '../../../db/trust/ledger-enums.ts';

export type Asset = (typeof ASSETS)[number];
export type CreditClass = (typeof CREDIT_CLASSES)[number];
export type AccountKind = (typeof ACCOUNT_KINDS)[number];
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** An account of the ledger, with a balance in each asset. */
export interface Account {
  kind: AccountKind;
  /** operator_seq of a pool, stake or receivable, agent_seq of an agent's account, 0 of the service's. */
  ownerSeq: number;
  /** Its name in journals: an operator_id, an agent's commitment, or the kind. */
  name: string;
}

/** An account with a journal. */
export type JournalAccount = Account & { kind: 'agent' | 'pool' };

interface Operator {
  operatorSeq: number;
  operatorId: string;
}

interface Agent {
  agentSeq: number;
  subjectCommitment: string;
}

/** The source of credits and cents. Its balance is the negative sum of all other accounts. */
export const ISSUANCE: Account = { kind: 'issuance', ownerSeq: 0, name: 'issuance' };
/** What agents and operators paid to the service. */
export const REVENUE: Account = { kind: 'revenue', ownerSeq: 0, name: 'revenue' };
/** What was taken from stakes. */
export const SLASHED: Account = { kind: 'slashed', ownerSeq: 0, name: 'slashed' };
/** The credits of revoked agents that had no sponsor. An administrator transfers them to agents. */
export const UNCLAIMED: Account = { kind: 'unclaimed', ownerSeq: 0, name: 'unclaimed' };

/** Returns the credits that an operator can grant and spend. */
export function poolOf({ operatorSeq, operatorId }: Operator): JournalAccount {
  return { kind: 'pool', ownerSeq: operatorSeq, name: operatorId };
}

/** Returns an operator's stake, in cents. */
export function stakeOf({ operatorSeq, operatorId }: Operator): Account {
  return { kind: 'stake', ownerSeq: operatorSeq, name: operatorId };
}

/** Returns what an operator owes after refunds, by asset: the balance is below zero by the debt. */
export function receivableOf({ operatorSeq, operatorId }: Operator): Account {
  return { kind: 'receivable', ownerSeq: operatorSeq, name: accountName('receivable', operatorId) };
}

/** Returns an agent's available credits. */
export function creditsOf({ agentSeq, subjectCommitment }: Agent): JournalAccount {
  return { kind: 'agent', ownerSeq: agentSeq, name: subjectCommitment };
}

/** Returns an agent's locked credits: escrow and reserved withdrawals. */
export function lockedOf({ agentSeq, subjectCommitment }: Agent): Account {
  return { kind: 'locked', ownerSeq: agentSeq, name: subjectCommitment };
}

/**
 * Returns the name of an account in journals.
 * @param owner an operator_id or an agent's commitment; null for an account of the service
 */
export function accountName(kind: string, owner: string | null): string {
  if (owner === null) return kind;
  return kind === 'receivable' ? `receivable:${owner}` : owner;
}

/** Returns whether the balance of an account may be below zero: only for issuance, and for what is owed. */
export function mayBeNegative(kind: string): boolean {
  return kind === 'issuance' || kind === 'receivable';
}

/** Returns the class of credits that an asset is; null for cents. */
export function creditClassOf(asset: Asset): CreditClass | null {
  return asset === 'cents' || asset === 'sandbox_cents' ? null : asset;
}
