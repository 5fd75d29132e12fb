import { sha256Hex } from '../../../platform/crypto/crypto.ts';
import { bearerToken } from '../../../platform/http/auth/keyed.ts';

export const SESSION_COOKIE = 'session_token';

const API_KEY = /^pp_[0-9a-f]{64}$/;
const SESSION_TOKEN = /^ses_[0-9a-f]{64}$/;

/** A key or a session's token, as its SHA-256 in lower-case hexadecimal. */
export interface Credential {
  hash: string;
  isSession: boolean;
}

/** Returns the credential of an API key; null if it is malformed. */
export function credentialOfKey(apiKey: string): Credential | null {
  return API_KEY.test(apiKey) ? { hash: sha256Hex(apiKey), isSession: false } : null;
}

/** Returns the credential of a request; null if it is missing or malformed. */
export function credentialOf(request: Request): Credential | null {
  if (request.headers.has('authorization')) {
    const key = bearerToken(request);
    return key === null ? null : credentialOfKey(key);
  }
  const token = sessionToken(request);
  return token === null ? null : { hash: sha256Hex(token), isSession: true };
}

/** Returns the session token in the request's cookie; null if it is missing or malformed. */
export function sessionToken(request: Request): string | null {
  const token = new Bun.CookieMap(request.headers.get('cookie') ?? '').get(SESSION_COOKIE);
  return token !== null && SESSION_TOKEN.test(token) ? token : null;
}
