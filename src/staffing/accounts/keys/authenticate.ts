import { sha256Hex } from '../../../platform/crypto/crypto.ts';
import { bearerToken } from '../../../platform/http/auth/keyed.ts';
import type { ErrorFactory } from '../../../platform/http/errors/define-errors.ts';
import { GroupCache } from '../../../platform/store/cache/group-cache.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import { KnownPayers, type Payer } from '../../../platform/turns/payers.ts';
import { commonErrors } from '../../http/errors.ts';
import type { Access, Principal } from '../../http/principal.ts';
import { type KeyRow, keyByHash } from '../store.ts';
import { isPartnerKey } from './key-format.ts';
import type { Meter } from './meter.ts';
import { SESSION_COOKIE } from './session-cookie.ts';

/** The stored data of a key and its partner. */
interface KeyFacts extends Omit<Principal, 'authority' | 'isActive'> {
  key: KeyRow;
}

/**
 * The size of the cache. Every request looks up its key; unknown keys are not cached, so that guessing cannot
 * fill it.
 */
const KEYS_CACHED = 10_000;

/** Authenticates partners by `Authorization: Bearer mpk_…`. */
export class Principals {
  /** Whose keys requests had, for their turns. */
  readonly payers = new KnownPayers(SESSION_COOKIE);
  private readonly known = new Map<string, KeyFacts>();
  /** The keys confirmed in the current transaction, by their hashes. */
  private readonly admitted = new GroupCache<true>();
  private generation = 0;

  constructor(private readonly store: Pick<Store, 'read'>) {}

  /**
   * Checks in this order: key present, key type, key valid, rate limit, scope. Adds the rate-limit headers to
   * `headers`.
   * @throws ApiError MISSING_KEY, WRONG_KEY_TYPE, INVALID_KEY, KEY_REVOKED, RATE_LIMITED, SCOPE_MISSING
   */
  async authenticate(
    request: Request,
    access: Access,
    meter: Meter,
    headers: Record<string, string | number>,
  ): Promise<Principal> {
    return this.admit(await this.payingFactsOf(request), access, meter, headers);
  }

  /**
   * Authenticates the session of a key: the key must still be active. @param meter null for a request that
   * does not count
   * @param token the cookie of the session
   * @throws ApiError as `authenticate`
   */
  async authenticateSession(
    token: string | null,
    keyHash: string,
    access: Access,
    meter: Meter | null,
    headers: Record<string, string | number>,
  ): Promise<Principal> {
    const facts = mustBeActive(await this.byHash(keyHash));
    this.payers.accepted(token, payerOf(facts));
    return this.admit(facts, access, meter, headers);
  }

  /**
   * Checks a key that somebody entered into a form, without counting a request. @returns its SHA-256 in
   * hexadecimal, for a session
   * @throws ApiError WRONG_KEY_TYPE, INVALID_KEY, KEY_REVOKED, SCOPE_MISSING
   */
  async hashOfEntered(apiKey: string, access: Access): Promise<{ keyHash: string }> {
    const { key } = await this.admit(await this.factsOfKey(apiKey), access, null, {});
    return { keyHash: key.keyHash };
  }

  private async admit(
    facts: KeyFacts,
    access: Access,
    meter: Meter | null,
    headers: Record<string, string | number>,
  ): Promise<KeyFacts & Principal> {
    if (meter !== null) {
      const metered = await meter.count(facts);
      Object.assign(headers, metered.headers);
      if (metered.isRefused) throw commonErrors.RATE_LIMITED();
    }
    if (access !== 'any' && !facts.scopes.includes(access)) {
      throw commonErrors.SCOPE_MISSING({
        message: `This key does not have the scope ${access}. Use a key with this scope.`,
      });
    }
    const { keyHash } = facts.key;
    return {
      ...facts,
      authority: { admitIn: async (tx) => void (await this.confirmIn(tx, keyHash)) },
      isActive: async () => (await this.byHash(keyHash))?.key.revokedAt === null,
    };
  }

  /**
   * Checks within the write transaction that a key is still active; once for all writes that share the
   * transaction.
   * @throws ApiError INVALID_KEY, KEY_REVOKED
   */
  private confirmIn(tx: Transaction, keyHash: string): true | Promise<true> {
    return this.admitted.get(tx, keyHash, async () => {
      mustBeActive(await factsIn(tx, keyHash));
      return true;
    });
  }

  /** Clears the cache after the commit. Call it in every transaction that changes a key. */
  changedIn(tx: Pick<Transaction, 'afterCommit'>): void {
    // Later writes in the same transaction already see the change.
    this.admitted.clear();
    tx.afterCommit(() => this.forget());
  }

  private forget(): void {
    this.generation += 1;
    this.known.clear();
  }

  /** Verifies the key of a request only to know who pays for it. @throws ApiError as `authenticate` */
  async verifyPayer(request: Request): Promise<void> {
    await this.payingFactsOf(request);
  }

  private async payingFactsOf(request: Request): Promise<KeyFacts> {
    try {
      const facts = await this.factsOf(request);
      this.payers.accepted(this.payers.credentialOf(request), payerOf(facts));
      return facts;
    } catch (error) {
      this.payers.refused(this.payers.credentialOf(request));
      throw error;
    }
  }

  private async factsOf(request: Request): Promise<KeyFacts> {
    if (!request.headers.has('authorization')) throw unauthorized(commonErrors.MISSING_KEY);
    const token = bearerToken(request);
    if (token === null) throw unauthorized(commonErrors.INVALID_KEY);
    return this.factsOfKey(token);
  }

  private async factsOfKey(token: string): Promise<KeyFacts> {
    if (token.startsWith('sk_')) throw unauthorized(commonErrors.WRONG_KEY_TYPE);
    if (!isPartnerKey(token)) throw unauthorized(commonErrors.INVALID_KEY);
    return mustBeActive(await this.byHash(sha256Hex(token)));
  }

  private async byHash(keyHash: string): Promise<KeyFacts | null> {
    const cached = this.known.get(keyHash);
    if (cached !== undefined) return cached;
    const { generation } = this;
    const facts = await this.store.read((snapshot) => factsIn(snapshot, keyHash));
    // A row read before a change must not be cached after it. Unknown keys are never cached.
    if (facts === null || generation !== this.generation) return facts;
    if (this.known.size >= KEYS_CACHED) this.known.clear();
    this.known.set(keyHash, facts);
    return facts;
  }
}

/** Returns who pays for requests with a key. Keys of the sandbox cost nothing. */
function payerOf({ partnerSeq, tier, key }: KeyFacts): Payer {
  return { id: `partner ${partnerSeq} ${tier}`, key: key.keyId, isFree: tier === 'sandbox' };
}

async function factsIn(snapshot: Snapshot, keyHash: string): Promise<KeyFacts | null> {
  const row = await keyByHash(snapshot, keyHash);
  if (row === null) return null;
  const { key, partnerId } = row;
  return { partnerSeq: key.partnerSeq, partnerId, tier: key.tier, scopes: key.scopes, key };
}

/** Returns the key's data if it is active. @throws ApiError INVALID_KEY, KEY_REVOKED */
function mustBeActive(facts: KeyFacts | null): KeyFacts {
  if (facts === null) throw unauthorized(commonErrors.INVALID_KEY);
  if (facts.key.revokedAt !== null) throw unauthorized(commonErrors.KEY_REVOKED);
  return facts;
}

function unauthorized(error: ErrorFactory) {
  return error({ headers: { 'www-authenticate': 'Bearer realm="countersign staffing"' } });
}
