import type { Scope, Tier } from '../../db/staffing/accounts-enums.ts';
import type { Authority } from '../platform/store/authority.ts';

/** Who calls: the partner that a key belongs to, and what the key may do. */
export interface Principal {
  partnerSeq: number;
  partnerId: string;
  tier: Tier;
  scopes: readonly Scope[];
  /** The key itself, as far as it is stored. */
  key: { keyId: string; last4: string; createdAt: string };
  /** On which the request writes. */
  authority: Authority;
}

/** What a route asks of a key: a scope, or any valid key. */
export type Access = Scope | 'any';

/** The operator of the service. */
export interface Admin {
  isAdmin: true;
}
