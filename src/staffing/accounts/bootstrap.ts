import { randomBytes } from 'node:crypto';
import { SCOPES } from '../../../db/staffing/accounts-enums.ts';
import { sha256 } from '../../platform/crypto/crypto.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../platform/time/clock.ts';
import { createKeyIn } from './create-key.ts';
import { createSandboxIn } from './create-sandbox-key.ts';
import { activeKeysOf, partnerByEmail, putSecret, secretNamed, setRevoked } from './store.ts';

/** The sources of times and ids for new rows. */
interface Naming {
  clock: Clock;
  ids: Ids;
}

/**
 * The secrets that a start prints for the administrator. A secret that already exists is null, because only
 * its hash is stored.
 */
export interface Bootstrap {
  adminToken: string | null;
  /** The key of the configured sandbox account; null without one. */
  apiKey: string | null;
}

export interface Started extends Bootstrap {
  cursorKey: Uint8Array;
  adminTokenHash: Uint8Array;
}

/**
 * Creates the service's secrets at the first start: the cursor key and the admin token. A configured admin
 * token replaces the stored one at every start. `email`: the address of a sandbox account that gets a new key
 * at every start; null for none.
 */
export async function bootstrap(
  store: Pick<Store, 'read' | 'writeAsService'>,
  naming: Naming,
  given: { adminToken: string | null; email: string | null },
): Promise<Started> {
  const known = given.adminToken === null && given.email === null ? await store.read(knownSecrets) : null;
  if (known !== null) return { ...known, adminToken: null, apiKey: null };
  const fresh = { cursorKey: randomBytes(32), adminToken: naming.ids.newSecret('adm_') };
  return store.writeAsService(async (tx) => {
    const storedHash = given.adminToken === null ? await secretNamed(tx, 'admin_token_hash') : null;
    const adminToken = given.adminToken ?? fresh.adminToken;
    const adminTokenHash = storedHash ?? sha256(adminToken);
    if (storedHash === null) await putSecret(tx, { name: 'admin_token_hash', value: adminTokenHash });
    const stored = await secretNamed(tx, 'cursor_key');
    if (stored === null) await putSecret(tx, { name: 'cursor_key', value: fresh.cursorKey });
    return {
      adminToken: storedHash === null ? adminToken : null,
      adminTokenHash,
      cursorKey: stored ?? fresh.cursorKey,
      apiKey: given.email === null ? null : await keyFor(tx, naming, given.email),
    };
  });
}

/**
 * Returns the cursor key, and creates it in a new database. For commands: they leave the admin token to the
 * first start of the service, which prints it.
 */
export async function cursorKeyOf(store: Pick<Store, 'read' | 'writeAsService'>): Promise<Uint8Array> {
  const stored = await store.read((snapshot) => secretNamed(snapshot, 'cursor_key'));
  return stored ?? store.writeAsService(createCursorKeyIn);
}

async function createCursorKeyIn(tx: Transaction): Promise<Uint8Array> {
  const value = randomBytes(32);
  await putSecret(tx, { name: 'cursor_key', value });
  return value;
}

/** Reads the secrets of an earlier start; null before the first. */
async function knownSecrets(
  snapshot: Snapshot,
): Promise<Pick<Started, 'cursorKey' | 'adminTokenHash'> | null> {
  const adminTokenHash = await secretNamed(snapshot, 'admin_token_hash');
  const cursorKey = await secretNamed(snapshot, 'cursor_key');
  return adminTokenHash === null || cursorKey === null ? null : { adminTokenHash, cursorKey };
}

/** Creates a sandbox key for an address, and the account if it does not exist. */
async function keyFor(tx: Transaction, naming: Naming, email: string): Promise<string> {
  const partner = await partnerByEmail(tx, email);
  if (partner === null) return (await createSandboxIn(tx, naming, email, email)).key.api_key;
  const { partnerSeq } = partner;
  const active = await activeKeysOf(tx, { partnerSeq, tier: 'sandbox' });
  const oldest = active.length >= 2 ? active.at(-1) : undefined;
  // Every start must return a working key, but only two may be active: the older one is revoked.
  if (oldest !== undefined) await setRevoked(tx, { keyId: oldest.keyId, revokedAt: timestamp(naming.clock) });
  return (await createKeyIn(tx, naming, partnerSeq, { tier: 'sandbox', scopes: SCOPES })).api_key;
}
