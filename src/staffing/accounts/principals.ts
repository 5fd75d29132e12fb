import type { Scope, Tier } from '../../../db/staffing/accounts.ts';
import { sha256Hex } from '../../platform/crypto.ts';
import { bearerToken } from '../../platform/http/keyed.ts';
import type { Store } from '../../platform/store/store.ts';
import { type ErrorCode, staffingError } from '../dialect.ts';
import { isPartnerKey } from './key-format.ts';
import type { Meter } from './meter.ts';
import { accountSql, type KeyRow } from './store.ts';

/** Who calls: the partner that a key belongs to, and what the key may do. */
export interface Principal {
  partnerSeq: number;
  partnerId: string;
  tier: Tier;
  scopes: readonly Scope[];
  key: KeyRow;
}

/** What a route asks of a key: a scope, or any valid key. */
export type Access = Scope | 'any';

/** Keys are few and looked up at every request; unknown ones are never kept, so guessing fills nothing. */
const REMEMBERED = 10_000;

/** Tells who calls, by `Authorization: Bearer mpk_…`. */
export class Principals {
  private readonly known = new Map<string, Principal>();
  private generation = 0;

  constructor(private readonly store: Store) {}

  /**
   * In the order of the decisions: key present, key type, key valid, rate, scope. `headers` get those of the allowance.
   * @throws ApiError MISSING_KEY, WRONG_KEY_TYPE, INVALID_KEY, KEY_REVOKED, RATE_LIMITED, SCOPE_MISSING
   */
  async authenticate(
    request: Request,
    access: Access,
    meter: Meter,
    headers: Record<string, string | number>,
  ): Promise<Principal> {
    const principal = await this.principalOf(request);
    const metered = await meter.count(principal);
    Object.assign(headers, metered.headers);
    if (metered.isRefused) throw staffingError('RATE_LIMITED');
    if (access !== 'any' && !principal.scopes.includes(access)) {
      throw staffingError('SCOPE_MISSING', { message: `This key does not have the scope ${access}.` });
    }
    return principal;
  }

  /** Looks everything up anew: for the moment after a key has changed. */
  forget(): void {
    this.generation += 1;
    this.known.clear();
  }

  private async principalOf(request: Request): Promise<Principal> {
    if (!request.headers.has('authorization')) throw unauthorized('MISSING_KEY');
    const token = bearerToken(request);
    if (token === null) throw unauthorized('INVALID_KEY');
    if (token.startsWith('sk_')) throw unauthorized('WRONG_KEY_TYPE');
    if (!isPartnerKey(token)) throw unauthorized('INVALID_KEY');
    const principal = await this.byHash(sha256Hex(token));
    if (principal === null) throw unauthorized('INVALID_KEY');
    if (principal.key.revokedAt !== null) throw unauthorized('KEY_REVOKED');
    return principal;
  }

  private async byHash(keyHash: string): Promise<Principal | null> {
    const remembered = this.known.get(keyHash);
    if (remembered !== undefined) return remembered;
    const { generation } = this;
    const found = await this.store.read((snapshot) => accountSql(snapshot).principal.get({ keyHash }));
    if (found === undefined) return null;
    const { key, partnerId } = found;
    const principal = { partnerSeq: key.partnerSeq, partnerId, tier: key.tier, scopes: key.scopes, key };
    // What was read before a change must not be remembered after it.
    if (generation !== this.generation) return principal;
    if (this.known.size >= REMEMBERED) this.known.clear();
    this.known.set(keyHash, principal);
    return principal;
  }
}

function unauthorized(code: ErrorCode) {
  return staffingError(code, { headers: { 'www-authenticate': 'Bearer realm="countersign staffing"' } });
}
