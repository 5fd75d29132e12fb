import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { MasterKey } from '../../../platform/crypto/master-key.ts';
import { lazy } from '../../../platform/lazy.ts';

/** The field `csrf_token` of forms. Only pages of the session have it: no other site can read them. */
export class CsrfTokens {
  private readonly key: () => string;

  /**
   * @param masterKey null for a read-only service: it creates no master key, so the tokens are valid only
   * while this process runs
   */
  constructor(masterKey: Pick<MasterKey, 'derive'> | null) {
    this.key = lazy(() => masterKey?.derive('csrf_token') ?? randomBytes(32).toString('hex'));
  }

  /** Returns the token of a session's forms: an HMAC-SHA256 of the session token, in base64url. */
  tokenOf(sessionToken: string): string {
    return createHmac('sha256', this.key()).update(sessionToken, 'utf8').digest('base64url');
  }

  /** Returns whether a form field is the token of a session, in constant time for a field of its length. */
  isTokenOf(sessionToken: string, field: string): boolean {
    const expected = Buffer.from(this.tokenOf(sessionToken));
    const bytes = Buffer.from(field);
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  }
}
