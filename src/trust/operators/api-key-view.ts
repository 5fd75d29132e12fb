import type { ApiKeyRow } from './store.ts';

/** A key, as the API shows it. */
export type KeyView = ReturnType<typeof keyView>;

export function keyView({
  keyHash,
  name,
  role,
  admin,
  subjectCommitment,
  scope,
  createdAt,
  lastUsedAt,
}: ApiKeyRow) {
  return {
    keyHash,
    name,
    role,
    admin,
    subject_commitment: subjectCommitment,
    scope,
    created_at: createdAt,
    last_used_at: lastUsedAt,
  };
}
