import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../platform/crypto/crypto.ts';
import { bearerToken } from '../../platform/http/auth/keyed.ts';
import type { ErrorFactory } from '../../platform/http/errors/define-errors.ts';
import { commonErrors } from '../http/errors.ts';
import type { Admin } from '../http/principal.ts';

/**
 * Authenticates the administrator by `Authorization: Bearer adm_…`. `adminTokenHash`: SHA-256. @throws
 * ApiError WRONG_KEY_TYPE, INVALID_ADMIN_TOKEN
 */
export function authenticateAdmin(adminTokenHash: Uint8Array, request: Request): Admin {
  const token = bearerToken(request) ?? '';
  if (token.startsWith('sk_')) throw unauthorized(commonErrors.WRONG_KEY_TYPE);
  // Compares hashes in constant time, so that the duration reveals nothing about the token.
  if (!timingSafeEqual(sha256(token), adminTokenHash)) {
    throw unauthorized(commonErrors.INVALID_ADMIN_TOKEN);
  }
  return { isAdmin: true };
}

function unauthorized(error: ErrorFactory) {
  return error({
    headers: { 'www-authenticate': 'Bearer realm="countersign staffing admin"' },
  });
}
