import type { Scope } from '../../../db/trust/operators.ts';
import { type Clock, timestamp } from '../../platform/clock.ts';
import { sha256Hex } from '../../platform/crypto.ts';
import { bearerToken } from '../../platform/http/keyed.ts';
import type { Store } from '../../platform/store/store.ts';
import { trustError } from '../dialect.ts';
import { operatorSql } from './store.ts';

/** Who calls: the operator that a key belongs to, and what the key may do. */
export interface Principal {
  /** SHA-256 of the key, lower-case hexadecimal. */
  keyHash: string;
  operatorSeq: number;
  operatorId: string;
  accountStatus: 'ACTIVE' | 'SUSPENDED' | 'CLOSED';
  role: 'issuer' | 'holder';
  admin: boolean;
  /** Of a holder key: the agent that it stands for. */
  subjectCommitment: string | null;
  scope: Scope | null;
  /** Of a holder key: how its agent stands; null for one that has not enrolled. */
  agentState: 'ISSUED' | 'REVOKED' | null;
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
const REMEMBERED = 10_000;
/** last_used_at is written no more often than this for a key. */
const TOUCH_MS = 60_000;

/** Tells who calls, by `Authorization: Bearer pp_<64 hex>` or by a session's cookie. */
export class Principals {
  private readonly known = new Map<string, Principal>();
  private readonly touched = new Map<string, number>();
  private generation = 0;

  /** `failed` hears of a last_used_at that could not be written: no request fails for it. */
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly failed: (error: unknown) => void,
  ) {}

  /**
   * Keys and tokens are compared by their SHA-256, so the time that it takes tells nothing of them.
   *
   * @throws ApiError unauthorized for a missing, malformed or unknown key, which answer alike; forbidden when the key may not
   * do what the route does; agent_not_enrolled for writes by the holder key of a revoked agent
   */
  async authenticate(request: Request, access: Access): Promise<Principal> {
    const principal = request.headers.has('authorization')
      ? await this.byKey(bearerToken(request))
      : await this.bySession(request);
    if (principal === null) throw unauthorized();
    const writes = request.method !== 'GET' && request.method !== 'HEAD';
    if (access === 'issuer' && principal.role === 'holder') {
      throw forbidden('A holder key may not do that: it stands for its own agent alone.');
    }
    if (writes && principal.accountStatus !== 'ACTIVE' && !mayWriteSuspended(principal, access)) {
      throw forbidden(
        `The account is ${principal.accountStatus.toLowerCase()}: it reads. Its issuer keys can still delete keys, revoke receipts and end sessions.`,
      );
    }
    if (writes && principal.agentState === 'REVOKED' && access !== 'session') {
      throw trustError('agent_not_enrolled', {
        message: 'The agent of this key was revoked: the key reads, and writes nothing.',
      });
    }
    this.touch(principal.keyHash);
    return principal;
  }

  /** Looks everything up anew: for the moment after a key or an account has changed. */
  forget(): void {
    this.generation += 1;
    this.known.clear();
  }

  private async byKey(token: string | null): Promise<Principal | null> {
    if (token === null || !API_KEY.test(token)) return null;
    const keyHash = sha256Hex(token);
    const remembered = this.known.get(keyHash);
    if (remembered !== undefined) return remembered;
    const { generation } = this;
    const principal = await this.store.read((snapshot) =>
      operatorSql(snapshot).principalByKeyHash.get({ keyHash }),
    );
    if (principal === undefined) return null;
    // What was read before a change must not be remembered after it.
    if (generation !== this.generation) return principal;
    if (this.known.size >= REMEMBERED) this.known.clear();
    this.known.set(keyHash, principal);
    return principal;
  }

  private async bySession(request: Request): Promise<Principal | null> {
    const token = sessionToken(request);
    if (token === null) return null;
    const found = await this.store.read((snapshot) =>
      operatorSql(snapshot).principalBySession.get({ tokenHash: sha256Hex(token) }),
    );
    if (found === undefined) return null;
    const { expiresAt, ...principal } = found;
    if (expiresAt <= timestamp(this.clock)) return null;
    const writes = request.method !== 'GET' && request.method !== 'HEAD';
    if (writes && !request.headers.has('x-requested-with')) {
      throw forbidden(
        'A write by session cookie needs the header X-Requested-With, which no other site can send.',
      );
    }
    return principal;
  }

  private touch(keyHash: string): void {
    const now = this.clock.now();
    if (now - (this.touched.get(keyHash) ?? 0) < TOUCH_MS) return;
    if (this.touched.size >= REMEMBERED) this.touched.clear();
    this.touched.set(keyHash, now);
    const lastUsedAt = timestamp(this.clock);
    this.store
      .write((tx) => void operatorSql(tx).touchKey.run({ keyHash, lastUsedAt }))
      .catch((error: unknown) => this.failed(error));
  }
}

/** The session's token in the request's cookie, or null. */
export function sessionToken(request: Request): string | null {
  const token = new Bun.CookieMap(request.headers.get('cookie') ?? '').get(SESSION_COOKIE);
  return token !== null && SESSION_TOKEN.test(token) ? token : null;
}

/** Whether a key of an account that is not active may write where `access` is asked for. */
function mayWriteSuspended({ role }: Principal, access: Access): boolean {
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
