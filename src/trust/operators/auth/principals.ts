import { sha256Hex } from '../../../platform/crypto/crypto.ts';
import { bearerToken } from '../../../platform/http/auth/keyed.ts';
import type { Authority } from '../../../platform/store/authority.ts';
import { GroupCache } from '../../../platform/store/cache/group-cache.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../../platform/time/clock.ts';
import { trustError } from '../../http/dialect.ts';
import { operatorPayer } from '../../quotas/authorities.ts';
import type { Quotas, Refusal } from '../../quotas/quotas.ts';
import {
  type KeyFacts,
  keyFacts,
  type OperatorRow,
  operatorBySeq,
  readAuthorityMark,
  sessionFacts,
  updateLastUsed,
} from '../store.ts';

/** Who calls: the operator that a key belongs to, and what the key may do. */
export interface Principal extends KeyFacts {
  /** On which the request writes. */
  authority: KeyAuthority;
}

/**
 * What a route asks of a key. `issuer`: holder keys are refused. `any`: holder keys too, for what is their agent's.
 * `gated`: any, and of a suspended account as well, since the gate answers for it. `session`: likewise, to look around.
 * `protective`: any, and of a suspended or closed account its issuer keys, for a write that only takes away.
 */
export type Access = 'issuer' | 'any' | 'gated' | 'session' | 'protective';

export const SESSION_COOKIE = 'session_token';

const API_KEY = /^pp_[0-9a-f]{64}$/;
const SESSION_TOKEN = /^ses_[0-9a-f]{64}$/;
/** Keys are few and looked up at every request; unknown ones are never kept, so guessing fills nothing. */
const MAX_CACHED_KEYS = 10_000;
/** last_used_at is written no more often than this for a key. */
const RECORD_USE_MS = 60_000;

/** Tells who calls, by `Authorization: Bearer pp_<64 hex>` or by a session's cookie. */
export class Principals {
  private readonly cache = new Map<string, KeyFacts>();
  /** Which sessions were admitted, and for what. */
  private readonly admitted = new GroupCache<true>();
  private readonly marks = new GroupCache<number>();
  /** Which keys were confirmed, and for what, and which operators were read within transactions that found this mark. */
  private mark: number | null = null;
  private readonly confirmed = new Set<string>();
  private readonly operators = new Map<number, MaybeOperator>();
  private readonly lastUses = new Map<string, number>();
  private generation = 0;

  /** `failed` hears of a last_used_at that could not be written: no request fails for it. */
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly quotas: Quotas,
    private readonly failed: (error: unknown) => void,
  ) {}

  /**
   * Keys and tokens are compared by their SHA-256, so the time that it takes tells nothing of them.
   *
   * @throws ApiError unauthorized for a missing, malformed or unknown key, which answer alike; forbidden when the key may not
   * do what the route does; agent_not_enrolled for writes by the holder key of a revoked agent
   */
  async authenticate(request: Request, access: Access): Promise<Principal> {
    const credential = credentialOf(request);
    const facts = credential === null ? null : await this.factsOf(credential);
    if (credential === null || facts === null) throw unauthorized();
    const writes = request.method !== 'GET' && request.method !== 'HEAD';
    if (writes && credential.isSession && !request.headers.has('x-requested-with')) {
      throw forbidden(
        'A write with a session cookie needs the header X-Requested-With. Send it with any value.',
      );
    }
    requireAccess(facts, access, writes);
    this.recordUse(facts.keyHash);
    return { ...facts, authority: new KeyAuthority(this, this.quotas, { credential, access, facts }) };
  }

  /**
   * Holds a credential against what is stored now, within the transaction that it is to write in. What an earlier transaction has
   * found of a key holds until the mark of the database changes.
   * @returns undefined where that is known, so that a known key waits for nothing. @throws ApiError as `authenticate`, or rejects with it
   */
  confirmIn(tx: Transaction, credential: Credential, access: Access): Promise<void> | undefined {
    const name = `${access} ${credential.hash}`;
    // Sessions end at a time.
    if (credential.isSession) {
      const admitted = this.admitted.get(tx, name, () => this.requireAccessIn(tx, credential, access));
      return admitted === true ? undefined : admitted.then(() => undefined);
    }
    const confirm = () =>
      this.confirmed.has(name) ? undefined : this.confirmNowIn(tx, name, credential, access);
    const following = this.checkMarkIn(tx);
    return following === undefined ? confirm() : following.then(confirm);
  }

  /** What an operator may do as of the transaction: at once where it is known. Its `credits` may be older. */
  operatorIn(tx: Transaction, operatorSeq: number): MaybeOperator | Promise<MaybeOperator> {
    const read = () =>
      this.operators.has(operatorSeq)
        ? this.operators.get(operatorSeq)
        : this.readOperatorIn(tx, operatorSeq);
    const following = this.checkMarkIn(tx);
    return following === undefined ? read() : following.then(read);
  }

  /** To be called by whatever changes a key, an account or the state of an agent: from then on everybody looks anew. */
  changedIn(tx: Pick<Transaction, 'afterCommit'>): void {
    // Units that follow in the same transaction see the change already.
    this.admitted.clear();
    this.marks.clear();
    tx.afterCommit(() => this.clearCache());
  }

  /** Forgets what was found under another mark than the transaction has. The first unit of a transaction reads it. */
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
    await this.requireAccessIn(tx, credential, access);
    // What was read under one mark must not be known under another.
    if (mark !== this.mark) return;
    if (this.confirmed.size >= MAX_CACHED_KEYS) this.confirmed.clear();
    this.confirmed.add(name);
  }

  private async readOperatorIn(tx: Transaction, operatorSeq: number): Promise<MaybeOperator> {
    const { mark } = this;
    const operator = await operatorBySeq(tx, operatorSeq);
    if (mark !== this.mark) return operator;
    if (this.operators.size >= MAX_CACHED_KEYS) this.operators.clear();
    this.operators.set(operatorSeq, operator);
    return operator;
  }

  /** @throws ApiError as `authenticate` of a write */
  private async requireAccessIn(tx: Transaction, credential: Credential, access: Access): Promise<true> {
    const facts = await this.factsIn(tx, credential);
    if (facts === null) throw unauthorized();
    requireAccess(facts, access, true);
    return true;
  }

  private clearCache(): void {
    this.generation += 1;
    this.cache.clear();
  }

  private async factsOf(credential: Credential): Promise<KeyFacts | null> {
    // Sessions end at a time, so they are looked up each time.
    if (credential.isSession) return this.store.read((snapshot) => this.factsIn(snapshot, credential));
    const cached = this.cache.get(credential.hash);
    if (cached !== undefined) return cached;
    const { generation } = this;
    const facts = await this.store.read((snapshot) => this.factsIn(snapshot, credential));
    // What was read before a change must not be remembered after it; and nothing is of unknown keys.
    if (facts === null || generation !== this.generation) return facts;
    if (this.cache.size >= MAX_CACHED_KEYS) this.cache.clear();
    this.cache.set(credential.hash, facts);
    return facts;
  }

  private async factsIn(snapshot: Snapshot, { hash, isSession }: Credential): Promise<KeyFacts | null> {
    if (!isSession) return keyFacts(snapshot, hash);
    const found = await sessionFacts(snapshot, hash);
    return found === null || found.expiresAt <= timestamp(this.clock) ? null : found.facts;
  }

  private recordUse(keyHash: string): void {
    const now = this.clock.now();
    if (now - (this.lastUses.get(keyHash) ?? 0) < RECORD_USE_MS) return;
    if (this.lastUses.size >= MAX_CACHED_KEYS) this.lastUses.clear();
    this.lastUses.set(keyHash, now);
    const lastUsedAt = timestamp(this.clock);
    this.store
      .writeAsService((tx) => updateLastUsed(tx, keyHash, lastUsedAt))
      .catch((error: unknown) => this.failed(error));
  }
}

/** A key or a session's token, by its SHA-256 in lower-case hexadecimal. */
interface Credential {
  hash: string;
  isSession: boolean;
}

/** The authority of a key, or of a session that stands for one: whoever uses it is asked for it again in the transaction, and its operator is charged. */
class KeyAuthority implements Authority {
  constructor(
    private readonly principals: Principals,
    private readonly quotas: Quotas,
    private readonly given: { credential: Credential; access: Access; facts: KeyFacts },
    private readonly refusal: Refusal = 'refusable',
  ) {}

  /** The same for what no quota refuses: deleting, ending, revoking, finalizing. It is charged all the same. */
  get protective(): KeyAuthority {
    return new KeyAuthority(this.principals, this.quotas, this.given, 'never refused');
  }

  admitIn(tx: Transaction): Promise<void> | undefined {
    const { credential, access, facts } = this.given;
    const admit = () => this.quotas.admitIn(tx, operatorPayer(facts), this.refusal);
    const confirming = this.principals.confirmIn(tx, credential, access);
    return confirming === undefined ? admit() : confirming.then(admit);
  }

  chargeIn(tx: Transaction, bytes: number): Promise<void> | undefined {
    return this.quotas.chargeIn(tx, operatorPayer(this.given.facts), bytes, this.refusal);
  }
}

/** An operator; undefined for one that there is not. */
type MaybeOperator = Omit<OperatorRow, 'credits'> | undefined;

/** What a request brings, well-formed or nothing. */
function credentialOf(request: Request): Credential | null {
  if (request.headers.has('authorization')) {
    const key = bearerToken(request);
    return key === null || !API_KEY.test(key) ? null : { hash: sha256Hex(key), isSession: false };
  }
  const token = sessionToken(request);
  return token === null ? null : { hash: sha256Hex(token), isSession: true };
}

/** @throws ApiError forbidden, agent_not_enrolled */
function requireAccess(facts: KeyFacts, access: Access, writes: boolean): void {
  if (access === 'issuer' && facts.role === 'holder') {
    throw forbidden('A holder key does not have permission for this operation. Use an issuer key.');
  }
  if (writes && facts.accountStatus !== 'ACTIVE' && !mayWriteSuspended(facts, access)) {
    throw forbidden(
      `The account is ${facts.accountStatus.toLowerCase()}, so it can only read. Its issuer keys can still delete keys, revoke receipts and end sessions.`,
    );
  }
  if (writes && facts.agentState === 'REVOKED' && access !== 'session') {
    throw trustError('agent_not_enrolled', {
      message: 'The agent of this key was revoked, so the key can only read. Use the key of another agent.',
    });
  }
}

/** The session's token in the request's cookie, or null. */
export function sessionToken(request: Request): string | null {
  const token = new Bun.CookieMap(request.headers.get('cookie') ?? '').get(SESSION_COOKIE);
  return token !== null && SESSION_TOKEN.test(token) ? token : null;
}

/** Whether a key of an account that is not active may write where `access` is asked for. */
function mayWriteSuspended({ role }: KeyFacts, access: Access): boolean {
  if (access === 'protective') return role === 'issuer';
  return access === 'gated' || access === 'session';
}

const CHALLENGE = { 'www-authenticate': 'Bearer realm="countersign"' };

/** The refusal of whoever has no good key. */
export function unauthorized() {
  return trustError('unauthorized', { headers: CHALLENGE });
}

/** The refusal of whoever needs the service token and has it not. */
export function serviceAuthFailed() {
  return trustError('service_auth_failed', { headers: CHALLENGE });
}

function forbidden(message: string) {
  return trustError('forbidden', { message });
}
