import { Type } from '@sinclair/typebox';
import type { CookieOptions } from 'elysia';
import { type Cursors, type PageCursors, positionNumber } from '../../platform/http/pagination/cursor.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { SESSION_COOKIE } from '../accounts/keys/session-cookie.ts';

/** Lifetime of a session: a working day. */
export const SESSION_SECONDS = 8 * 60 * 60;

/** What a session is: the SHA-256 of its key, and when it ends, in Unix seconds. */
const SESSIONS = {
  name: 'sessions of pages',
  position: Type.Tuple([Type.String({ pattern: '^[0-9a-f]{64}$' }), positionNumber]),
};

/**
 * The sessions of pages. A session is only a cookie, encrypted and authenticated as cursors are: it reveals
 * nothing, and nobody can make or change one. It names a key, which is checked again at each request, so a
 * revoked key ends its sessions. No cursor is a session, and no session a cursor.
 */
export class Sessions {
  private readonly tokens: PageCursors<[string, number]>;

  constructor(
    { cursors, clock }: { cursors: Cursors; clock: Clock },
    private readonly secure: boolean,
  ) {
    this.tokens = cursors.of(SESSIONS, []);
    this.clock = clock;
  }

  private readonly clock: Clock;

  /** Returns the cookie of a new session of a key, or without a key the one that ends a session. */
  cookieOf(keyHash: string | null): CookieOptions & { value: string } {
    const value =
      keyHash === null
        ? ''
        : this.tokens.write([keyHash, Math.floor(this.clock.now() / 1000) + SESSION_SECONDS]);
    const maxAge = keyHash === null ? 0 : SESSION_SECONDS;
    return { value, maxAge, httpOnly: true, sameSite: 'strict', secure: this.secure, path: '/' };
  }

  /**
   * Returns the SHA-256 of the key whose session a request has; `ended` for a cookie of no session, null
   * without a cookie.
   */
  keyHashOf({ headers }: Request): string | 'ended' | null {
    const token = new Bun.CookieMap(headers.get('cookie') ?? '').get(SESSION_COOKIE);
    if (token === null || token === '') return null;
    const session = this.tokens.read(token);
    if (session === null) return 'ended';
    const [keyHash, endsAt] = session;
    return endsAt * 1000 <= this.clock.now() ? 'ended' : keyHash;
  }
}
