import type { Scope, Tier } from '../../../db/staffing/accounts-enums.ts';
import type { Authority } from '../../platform/store/authority.ts';

/** The authenticated caller: the partner of a key, and the key's scopes. */
export interface Principal {
  partnerSeq: number;
  partnerId: string;
  tier: Tier;
  scopes: readonly Scope[];
  /** The stored data of the key. */
  key: { keyId: string; last4: string; createdAt: string };
  /** The authority for the request's writes. */
  authority: Authority;
  /** Returns whether the key is still active, for a response that takes long. */
  isActive(): Promise<boolean>;
}

/** The key that a route requires: one with a scope, or any valid key. */
export type Access = Scope | 'any';

/** The administrator of the service. */
export interface Admin {
  isAdmin: true;
}
