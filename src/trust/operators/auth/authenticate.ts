import { sha256Hex } from '../../../platform/crypto/crypto.ts';
import { ApiError } from '../../../platform/http/errors/errors.ts';
import type { Authority } from '../../../platform/store/authority.ts';
import { GroupCache } from '../../../platform/store/cache/group-cache.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../../platform/time/clock.ts';
import { KnownPayers, type Payer } from '../../../platform/turns/payers.ts';
import { commonErrors } from '../../http/errors.ts';
import { operatorsErrors } from '../errors.ts';
import { operatorPayer } from '../quotas/authorities.ts';
import type { QuotaEnforcement, Quotas } from '../quotas/quotas.ts';
import { scopeEnd } from '../scope.ts';
import {
  type KeyFacts,
  keyFacts,
  type OperatorRow,
  operatorBySeq,
  readAuthorityMark,
  sessionFacts,
  updateLastUsed,
} from '../store.ts';
import { type Access, mayOutliveScope, requireAccess } from './access.ts';
import {
  type Credential,
  credentialOf,
  credentialOfKey,
  SESSION_COOKIE,
  sessionToken,
} from './credential.ts';
import type { CsrfTokens } from './csrf.ts';

export type { Access } from './access.ts';

/** The authenticated caller: a key's operator and rights. */
export interface Principal extends KeyFacts {
  /** Checks and charges the request's writes. */
  authority: KeyAuthority;
}

/** Limit of cached keys. Unknown keys are never cached, so guessing cannot fill the cache. */
const MAX_CACHED_KEYS = 10_000;
/** Shortest time between two updates of a key's last_used_at. */
const RECORD_USE_MS = 60_000;

/** Authenticates callers by `Authorization: Bearer pp_<64 hex>` or by the cookie of a session. */
export class Principals {
  /** Whose credentials requests had, for their turns. */
  readonly payers = new KnownPayers(SESSION_COOKIE);
  private readonly cache = new Map<string, KeyFacts>();
  /** Sessions and accesses that were admitted in a shared transaction. */
  private readonly admitted = new GroupCache<KeyFacts>();
  private readonly marks = new GroupCache<number>();
  /** `confirmed` and `operators` are valid while the database has this authority mark. */
  private mark: number | null = null;
  /** Until when keys have accesses, in milliseconds since 1970: no mark changes when a scope ends. */
  private readonly confirmed = new Map<string, number>();
  private readonly operators = new Map<number, OperatorRow>();
  private readonly lastUses = new Map<string, number>();
  private readonly listeners = new Set<() => void>();
  private generation = 0;
  /** Keys that a restored database has, and that were deleted after its backup. */
  private refused: ReadonlySet<string> = new Set();

  /**
   * @param failed called with the error when last_used_at cannot be written: the request does not fail for it
   */
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly quotas: Quotas,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Refuses keys, and their sessions, as if they were not stored. Call it before the first request. */
  refuse(keyHashes: ReadonlySet<string>): void {
    this.refused = keyHashes;
  }

  /**
   * Authenticates the caller of a request. Keys and tokens are looked up by their SHA-256, so timing reveals
   * nothing about them.
   *
   * @throws ApiError unauthorized for a missing, malformed or unknown key, without saying which; forbidden
   * for a key without the access; scope_ended for writes by a key whose scope has ended; agent_not_enrolled
   * for writes by the holder key of a revoked agent
   */
  async authenticate(request: Request, access: Access): Promise<Principal> {
    const sent = this.payers.credentialOf(request);
    return this.admit(sent, credentialOf(request), access, writes(request), async () => {
      if (request.headers.has('x-requested-with')) return;
      throw forbidden(
        'A write with a session cookie needs the header X-Requested-With. Send it with any value.',
      );
    });
  }

  /**
   * Authenticates the sender of a page's form: by the cookie of a session, never by `Authorization`. A write
   * needs the form field `csrf_token`, which only pages of this session have, or the header X-Requested-With.
   *
   * @param readCsrfToken returns the field of the form. It is called only with a live session, so that no
   * form of a stranger is read
   * @throws ApiError as `authenticate`; forbidden without a valid token
   */
  async authenticateForm(
    request: Request,
    access: Access,
    csrfTokens: CsrfTokens,
    readCsrfToken: () => Promise<string>,
  ): Promise<Principal> {
    const token = sessionToken(request);
    const credential = token === null ? null : { hash: sha256Hex(token), isSession: true };
    return this.admit(token, credential, access, writes(request), async () => {
      const field = await readCsrfToken();
      if (request.headers.has('x-requested-with') || csrfTokens.isTokenOf(token ?? '', field)) return;
      throw forbidden('The form belongs to another session. Load the page again, and send the new form.');
    });
  }

  /** Verifies the credential of a request only to know who pays for it. */
  async verifyPayer(request: Request): Promise<void> {
    const credential = credentialOf(request);
    const facts = credential === null ? null : await this.factsOf(credential);
    if (facts !== null) this.payers.accepted(this.payers.credentialOf(request), payerOf(facts));
  }

  /** Authenticates an API key that was entered into a form. @throws ApiError as `authenticate` */
  async authenticateKey(apiKey: string, access: Access): Promise<Principal> {
    return this.admit(null, credentialOfKey(apiKey), access, true, async () => undefined);
  }

  /**
   * @param sent the credential as it was sent, to know whose it is; null if it was not sent as one
   * @param requireSameSite called for a write by cookie; rejects if another site could have sent it
   */
  private async admit(
    sent: string | null,
    credential: Credential | null,
    access: Access,
    isWrite: boolean,
    requireSameSite: () => Promise<void>,
  ): Promise<Principal> {
    const facts = credential === null ? null : await this.factsOf(credential);
    if (credential === null || facts === null) {
      this.payers.refused(sent);
      throw unauthorized();
    }
    this.payers.accepted(sent, payerOf(facts));
    if (isWrite && credential.isSession) await requireSameSite();
    requireAccess(facts, access, isWrite && access !== 'reading', this.clock.now());
    this.recordUse(facts.keyHash);
    return { ...facts, authority: new KeyAuthority(this, this.quotas, { credential, access, facts }) };
  }

  /**
   * Checks a credential again inside the transaction that writes. The result for a key is cached until the
   * database's authority mark changes or the key's scope ends.
   * @returns undefined if the result is cached, so that the caller need not wait
   * @throws ApiError as `authenticate`, or rejects with it
   */
  confirmIn(tx: Transaction, credential: Credential, access: Access): Promise<void> | undefined {
    const name = `${access} ${credential.hash}`;
    // Sessions expire, so they are not cached beyond the transaction.
    if (credential.isSession) {
      const admitted = this.admitted.get(tx, name, () => this.requireAccessIn(tx, credential, access));
      return admitted instanceof Promise ? admitted.then(() => undefined) : undefined;
    }
    const confirm = () => {
      const end = this.confirmed.get(name);
      const isConfirmed = end !== undefined && (end === Infinity || this.clock.now() < end);
      return isConfirmed ? undefined : this.confirmNowIn(tx, name, credential, access);
    };
    const following = this.checkMarkIn(tx);
    return following === undefined ? confirm() : following.then(confirm);
  }

  /**
   * Returns whether a credential may act: its key or session is there, its scope has not ended, its operator
   * is active, and its agent is not revoked.
   */
  async isActive(credential: Credential): Promise<boolean> {
    const facts = await this.factsOf(credential);
    if (facts === null) return false;
    try {
      requireAccess(facts, 'any', true, this.clock.now());
      return true;
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  }

  /** Calls a listener after each change of a key, an account or the state of an agent is committed. */
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Returns an operator as of the transaction, synchronously if it is cached; null if it does not exist. */
  operatorIn(tx: Transaction, operatorSeq: number): OperatorRow | Promise<OperatorRow | null> {
    const read = () => this.operators.get(operatorSeq) ?? this.readOperatorIn(tx, operatorSeq);
    const following = this.checkMarkIn(tx);
    return following === undefined ? read() : following.then(read);
  }

  /** Invalidates the caches. Every rule that changes a key, an account or an agent's state calls this. */
  changedIn(tx: Pick<Transaction, 'afterCommit'>): void {
    // Later units of work in the same transaction must see the change.
    this.admitted.clear();
    this.marks.clear();
    tx.afterCommit(() => this.clearCache());
  }

  /** Clears caches of another mark than the transaction's, whose first unit of work reads the mark. */
  private checkMarkIn(tx: Transaction): Promise<void> | undefined {
    const mark = this.marks.get(tx, '', () => readAuthorityMark(tx));
    if (typeof mark !== 'number') return mark.then((read) => this.resetTo(read));
    this.resetTo(mark);
    return undefined;
  }

  private resetTo(mark: number): void {
    if (mark === this.mark) return;
    this.mark = mark;
    this.confirmed.clear();
    this.operators.clear();
  }

  private async confirmNowIn(
    tx: Transaction,
    name: string,
    credential: Credential,
    access: Access,
  ): Promise<void> {
    const { mark } = this;
    const { scope } = await this.requireAccessIn(tx, credential, access);
    // A result that was read under one mark must not be cached under another.
    if (mark !== this.mark) return;
    if (this.confirmed.size >= MAX_CACHED_KEYS) this.confirmed.clear();
    this.confirmed.set(name, mayOutliveScope(access) ? Infinity : scopeEnd(scope));
  }

  private async readOperatorIn(tx: Transaction, operatorSeq: number): Promise<OperatorRow | null> {
    const { mark } = this;
    const operator = await operatorBySeq(tx, operatorSeq);
    // An operator that does not exist may be created later, under the same mark.
    if (operator === null) return null;
    // Not before the commit: an operator whose creation is rolled back leaves its number to the next one, and
    // the mark as it was.
    tx.afterCommit(() => {
      if (mark !== this.mark) return;
      if (this.operators.size >= MAX_CACHED_KEYS) this.operators.clear();
      this.operators.set(operatorSeq, operator);
    });
    return operator;
  }

  /** @throws ApiError as `authenticate` of a write */
  private async requireAccessIn(tx: Transaction, credential: Credential, access: Access): Promise<KeyFacts> {
    const facts = await this.factsIn(tx, credential);
    if (facts === null) throw unauthorized();
    requireAccess(facts, access, true, this.clock.now());
    return facts;
  }

  private clearCache(): void {
    this.generation += 1;
    this.cache.clear();
    for (const listener of this.listeners) listener();
  }

  private async factsOf(credential: Credential): Promise<KeyFacts | null> {
    // Sessions expire, so they are not cached.
    if (credential.isSession) return this.store.read((snapshot) => this.factsIn(snapshot, credential));
    const cached = this.cache.get(credential.hash);
    if (cached !== undefined) return cached;
    const { generation } = this;
    const facts = await this.store.read((snapshot) => this.factsIn(snapshot, credential));
    // A result that was read before a change must not be cached after it; unknown keys are never cached.
    if (facts === null || generation !== this.generation) return facts;
    if (this.cache.size >= MAX_CACHED_KEYS) this.cache.clear();
    this.cache.set(credential.hash, facts);
    return facts;
  }

  private async factsIn(snapshot: Snapshot, { hash, isSession }: Credential): Promise<KeyFacts | null> {
    if (!isSession) return this.refused.has(hash) ? null : keyFacts(snapshot, hash);
    const session = await sessionFacts(snapshot, hash);
    if (session === null || this.refused.has(session.facts.keyHash)) return null;
    return session.expiresAt <= timestamp(this.clock) ? null : session.facts;
  }

  private recordUse(keyHash: string): void {
    const now = this.clock.now();
    if (now - (this.lastUses.get(keyHash) ?? 0) < RECORD_USE_MS) return;
    if (this.lastUses.size >= MAX_CACHED_KEYS) this.lastUses.clear();
    this.lastUses.set(keyHash, now);
    const lastUsedAt = timestamp(this.clock);
    this.store
      .writeAsService((tx) => updateLastUsed(tx, { keyHash, lastUsedAt }))
      .catch((error: unknown) => this.failed(error));
  }
}

/** Returns who pays for requests with a key. */
function payerOf(facts: KeyFacts): Payer {
  const { isFree } = operatorPayer(facts);
  return { id: `operator ${facts.operatorSeq}`, key: String(facts.apiKeySeq), isFree };
}

/**
 * The authority of a key or of a session of a key. It checks the credential again in the transaction, and
 * charges the key's operator.
 */
class KeyAuthority implements Authority {
  constructor(
    private readonly principals: Principals,
    private readonly quotas: Quotas,
    private readonly caller: { credential: Credential; access: Access; facts: KeyFacts },
    private readonly enforcement: QuotaEnforcement = 'refusable',
  ) {}

  /** The authority for writes that are charged and never refused: to delete, end, revoke, finalize. */
  get neverRefused(): KeyAuthority {
    return new KeyAuthority(this.principals, this.quotas, this.caller, 'never refused');
  }

  /** Returns whether the credential still may act. For streams, which outlive their request. */
  isActive(): Promise<boolean> {
    return this.principals.isActive(this.caller.credential);
  }

  admitIn(tx: Transaction): Promise<void> | undefined {
    const { credential, access, facts } = this.caller;
    const admit = () => this.quotas.admitIn(tx, operatorPayer(facts), this.enforcement);
    const confirming = this.principals.confirmIn(tx, credential, access);
    return confirming === undefined ? admit() : confirming.then(admit);
  }

  chargeIn(tx: Transaction, bytes: number): Promise<void> | undefined {
    return this.quotas.chargeIn(tx, operatorPayer(this.caller.facts), bytes, this.enforcement);
  }
}

/** Returns whether a request may change something. */
export function writes({ method }: Request): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

const CHALLENGE = { 'www-authenticate': 'Bearer realm="countersign"' };

/** Returns the 401 for a request without a valid key. */
export function unauthorized() {
  return commonErrors.unauthorized({ headers: CHALLENGE });
}

/** Returns the 401 for a request that needs the service token. */
export function serviceAuthFailed() {
  return operatorsErrors.service_auth_failed({ headers: CHALLENGE });
}

function forbidden(message: string) {
  return commonErrors.forbidden({ message });
}
