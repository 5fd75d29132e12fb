import { randomBytes } from 'node:crypto';
import { SCOPES } from '../../../db/staffing/accounts.ts';
import { type Clock, timestamp } from '../../platform/clock.ts';
import { sha256 } from '../../platform/crypto.ts';
import { newSecret } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import { createKeyIn, createSandboxIn } from './service.ts';
import { accountSql } from './store.ts';

/** What the one who started the service is told. Secrets are null when they exist already: only hashes are stored. */
export interface FirstStart {
  adminToken: string | null;
  /** The key of the account that was asked for, if one could be made. */
  apiKey: string | null;
}

export interface Started extends FirstStart {
  cursorKey: Uint8Array;
  adminTokenHash: Uint8Array;
}

/**
 * Makes what the service keeps for itself, once: the key of its cursors and the admin token. A configured token is put in
 * place at every start. `email`: a sandbox account that must be there, with a fresh key while it has fewer than two.
 */
export async function firstStart(
  store: Store,
  clock: Clock,
  given: { adminToken: string | null; email: string | null },
): Promise<Started> {
  const fresh = { cursorKey: randomBytes(32), adminToken: newSecret('adm_') };
  return store.writeAsService((tx) => {
    const sql = accountSql(tx);
    const former =
      given.adminToken === null ? sql.secret.get({ name: 'admin_token_hash' })?.value : undefined;
    const adminToken = given.adminToken ?? fresh.adminToken;
    const adminTokenHash = former ?? sha256(adminToken);
    if (former === undefined) sql.setSecret.run({ name: 'admin_token_hash', value: adminTokenHash });
    const kept = sql.secret.get({ name: 'cursor_key' })?.value;
    if (kept === undefined) sql.setSecret.run({ name: 'cursor_key', value: fresh.cursorKey });
    return {
      adminToken: former === undefined ? adminToken : null,
      adminTokenHash: new Uint8Array(adminTokenHash),
      cursorKey: new Uint8Array(kept ?? fresh.cursorKey),
      apiKey: given.email === null ? null : keyFor(given.email),
    };

    function keyFor(email: string): string | null {
      const partner = sql.partnerByEmail.get({ email });
      if (partner === undefined) return createSandboxIn(tx, clock, email, email).key.api_key;
      const { partnerSeq } = partner;
      const keys = sql.keys.all({ partnerSeq, tier: 'sandbox' });
      const active = keys.filter(({ revokedAt }) => revokedAt === null);
      const oldest = active.length >= 2 ? active.at(-1) : undefined;
      // Each start gives a key that works: of three the first start's would be the one that nobody has any more.
      if (oldest !== undefined) sql.revoke.run({ keyId: oldest.keyId, revokedAt: timestamp(clock) });
      return createKeyIn(tx, clock, partnerSeq, { tier: 'sandbox', scopes: SCOPES }).api_key;
    }
  });
}
