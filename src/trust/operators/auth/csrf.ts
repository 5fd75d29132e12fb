import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { MasterKey } from '../../../platform/crypto/master-key.ts';
import { lazy } from '../../../platform/lazy.ts';

/**
 * The field `csrf_token` of forms: what only pages of a session have, since pages of other sites cannot read
 * them.
 */
export class CsrfTokens {
  private readonly key: () => string;

  /**
   * @param masterKey null where nothing is written: the tokens are then those of this process, and no master
   * key is made for them
   */
  constructor(masterKey: Pick<MasterKey, 'derive'> | null) {
    this.key = lazy(() => masterKey?.derive('csrf_token') ?? randomBytes(32).toString('hex'));
  }

  /**
   * Returns the token of a session's forms: an HMAC-SHA256 of the session token, as 43 characters of
   * base64url.
   */
  tokenOf(sessionToken: string): string {
    return createHmac('sha256', this.key()).update(sessionToken, 'utf8').digest('base64url');
  }

  /** Returns whether a form field is the token of a session, in constant time for a field of its length. */
  isTokenOf(sessionToken: string, given: string): boolean {
    const expected = Buffer.from(this.tokenOf(sessionToken));
    const bytes = Buffer.from(given);
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  }
}
