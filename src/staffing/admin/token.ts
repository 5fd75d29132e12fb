import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../platform/crypto/crypto.ts';
import { bearerToken } from '../../platform/http/auth/keyed.ts';
import { type ErrorCode, staffingError } from '../http/dialect.ts';
import type { Admin } from '../principal.ts';

/** Tells the operator by `Authorization: Bearer adm_…`, of which the SHA-256 is given. @throws ApiError WRONG_KEY_TYPE, INVALID_ADMIN_TOKEN */
export function authenticateAdmin(adminTokenHash: Uint8Array, request: Request): Admin {
  const token = bearerToken(request) ?? '';
  if (token.startsWith('sk_')) throw unauthorized('WRONG_KEY_TYPE');
  // Compared by SHA-256, so the time that it takes tells nothing of the token.
  if (!timingSafeEqual(sha256(token), adminTokenHash)) {
    throw unauthorized('INVALID_ADMIN_TOKEN');
  }
  return { isAdmin: true };
}

function unauthorized(code: ErrorCode) {
  return staffingError(code, {
    headers: { 'www-authenticate': 'Bearer realm="countersign staffing admin"' },
  });
}
