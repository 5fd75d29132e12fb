import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../platform/crypto/crypto.ts';
import { bearerToken } from '../../platform/http/auth/keyed.ts';
import { type ErrorCode, staffingError } from '../http/dialect.ts';
import type { Admin } from '../principal.ts';

/** Authenticates the administrator by `Authorization: Bearer adm_…`. `adminTokenHash`: SHA-256. @throws ApiError WRONG_KEY_TYPE, INVALID_ADMIN_TOKEN */
export function authenticateAdmin(adminTokenHash: Uint8Array, request: Request): Admin {
  const token = bearerToken(request) ?? '';
  if (token.startsWith('sk_')) throw unauthorized('WRONG_KEY_TYPE');
  // Compares hashes in constant time, so that the duration reveals nothing about the token.
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
