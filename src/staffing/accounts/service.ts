import { Type } from '@sinclair/typebox';
import { SCOPES, type Scope, type Tier } from '../../../db/staffing/accounts-enums.ts';
import { sha256Hex } from '../../platform/crypto/crypto.ts';
import type { Once } from '../../platform/http/idempotency/once.ts';
import { type Cursors, positionTime } from '../../platform/http/pagination/cursor.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import { listResponse, pageRequest } from '../http/paging.ts';
import type { Principal } from '../http/principal.ts';
import { accountsErrors } from './errors.ts';
import { keyPrefix, newPartnerKey } from './keys/key-format.ts';
import type { Principals } from './keys/principals.ts';
import { emailOf } from './mail/email.ts';
import { keyMail, type Mailer, refusalMail } from './mail/mail.ts';
import {
  activeKeysOf,
  insertKey,
  insertPartner,
  type KeyRow,
  keyOf,
  keysAfter,
  type PartnerRow,
  partnerByEmail,
  partnerBySeq,
  setRevoked,
} from './store.ts';

/** The context of the account functions. */
export interface Accounts {
  store: Store;
  clock: Clock;
  ids: Ids;
  cursors: Cursors;
  principals: Principals;
}

/** The sources of times and ids for new rows. */
type Naming = Pick<Accounts, 'clock' | 'ids'>;

/** The cursor of a partner's key list: time and id. */
const KEYS = {
  name: 'keys',
  position: Type.Tuple([positionTime, Type.String({ pattern: '^key_[0-9a-f]{32}$' })]),
};

/** Returns the owner's view of a key, without the key itself. */
export function keyView({ keyId, tier, scopes, last4, createdAt, revokedAt }: KeyRow) {
  return {
    id: keyId,
    tier,
    prefix: keyPrefix(tier),
    last4,
    scopes,
    created_at: createdAt,
    revoked_at: revokedAt,
  };
}

/** Creates a key. @returns its view and the key itself, which is not stored. @throws ApiError KEY_LIMIT_REACHED */
export async function createKeyIn(
  tx: Transaction,
  { clock, ids }: Naming,
  partnerSeq: number,
  { tier, scopes }: { tier: Tier; scopes: readonly Scope[] },
  apiKey = newPartnerKey(ids, tier),
) {
  if ((await activeKeysOf(tx, { partnerSeq, tier })).length >= 2) throw accountsErrors.KEY_LIMIT_REACHED();
  const row: KeyRow = {
    keyId: ids.newId('key_'),
    keyHash: sha256Hex(apiKey),
    partnerSeq,
    tier,
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    last4: apiKey.slice(-4),
    createdAt: timestamp(clock),
    revokedAt: null,
  };
  await insertKey(tx, row);
  return { ...keyView(row), api_key: apiKey };
}

/**
 * Creates a sandbox account with its first key.
 * @throws ApiError VALIDATION_FAILED, WORK_EMAIL_REQUIRED, ACCOUNT_EXISTS
 */
export async function createSandbox(
  accounts: Naming & Pick<Accounts, 'store'>,
  given: { email: string; company: string },
) {
  const email = await workEmail(given.email);
  return accounts.store.writeAsService(async (tx) => {
    if ((await partnerByEmail(tx, email)) !== null) throw accountsErrors.ACCOUNT_EXISTS();
    return createSandboxIn(tx, accounts, email, given.company);
  });
}

/** Serializes concurrent mails to the same address, so that the second sees the result of the first. */
const mailing = new Map<string, Promise<void>>();

/**
 * Creates a sandbox key and sends it by mail. The account is created if it does not exist; only the reader of the mail learns whether
 * it existed. The mail is sent before the key is stored: an active key that was never received would be worse than a key that
 * does not work.
 *
 * @throws ApiError VALIDATION_FAILED, WORK_EMAIL_REQUIRED, STORAGE_UNAVAILABLE when the mail is not accepted
 */
export async function mailSandboxKey(
  accounts: Naming & Pick<Accounts, 'store'>,
  mailer: Mailer,
  given: { email: string; company: string },
): Promise<void> {
  const email = await workEmail(given.email);
  const turn = (mailing.get(email) ?? Promise.resolve()).then(() =>
    mailInTurn(accounts, mailer, email, given.company),
  );
  const settled = turn.catch(() => undefined);
  mailing.set(email, settled);
  await turn.finally(() => {
    if (mailing.get(email) === settled) mailing.delete(email);
  });
}

async function mailInTurn(
  accounts: Naming & Pick<Accounts, 'store'>,
  mailer: Mailer,
  email: string,
  company: string,
): Promise<void> {
  const status = await accounts.store.read((snapshot) => addressStatus(snapshot, email));
  const apiKey = status === 'open' ? newPartnerKey(accounts.ids, 'sandbox') : null;
  const { subject, text } = apiKey === null ? refusalMail(status === 'closed') : keyMail(apiKey);
  try {
    await mailer.send(email, subject, text);
  } catch {
    throw commonErrors.STORAGE_UNAVAILABLE({
      message: 'The mail with the key cannot be sent. Repeat the request later.',
    });
  }
  if (apiKey === null) return;
  await accounts.store.writeAsService(async (tx) => {
    // If the account was closed or got another key meanwhile, the key in the mail is not stored and does not work.
    if ((await addressStatus(tx, email)) !== 'open') return;
    const partner =
      (await partnerByEmail(tx, email)) ?? (await insertPartnerIn(tx, accounts, email, company));
    await createKeyIn(tx, accounts, partner.partnerSeq, { tier: 'sandbox', scopes: SCOPES }, apiKey);
  });
}

/** Returns whether an address can get a sandbox key (`open`), has two active keys (`full`) or a closed account. */
async function addressStatus(snapshot: Snapshot, email: string): Promise<'open' | 'full' | 'closed'> {
  const partner = await partnerByEmail(snapshot, email);
  if (partner === null) return 'open';
  if (partner.closedAt !== null) return 'closed';
  const active = await activeKeysOf(snapshot, { partnerSeq: partner.partnerSeq, tier: 'sandbox' });
  return active.length >= 2 ? 'full' : 'open';
}

/** Creates a sandbox account with its first key within a transaction. The address must have no account. */
export async function createSandboxIn(tx: Transaction, naming: Naming, email: string, name: string) {
  const partner = await insertPartnerIn(tx, naming, email, name);
  const key = await createKeyIn(tx, naming, partner.partnerSeq, { tier: 'sandbox', scopes: SCOPES });
  return { partner, key };
}

function insertPartnerIn(
  tx: Transaction,
  { clock, ids }: Naming,
  email: string,
  name: string,
): Promise<PartnerRow> {
  return insertPartner(tx, { partnerId: ids.newId('ptr_'), name, email, createdAt: timestamp(clock) });
}

/** Returns the normalized address. @throws ApiError VALIDATION_FAILED, WORK_EMAIL_REQUIRED */
export async function workEmail(text: string): Promise<string> {
  const email = emailOf(text);
  if (email === null) {
    throw commonErrors.VALIDATION_FAILED({ issues: { email: ['must be an e-mail address'] } });
  }
  // Loads the list of thousands of domains at the first use, to keep the start fast.
  const { isFreeMail } = await import('./mail/free-mail.ts');
  if (isFreeMail(email)) throw accountsErrors.WORK_EMAIL_REQUIRED();
  return email;
}

/** Returns a page of the partner's keys in the caller's tier, newest first. @throws ApiError INVALID_CURSOR */
export async function listKeys(
  { store, cursors }: Pick<Accounts, 'store' | 'cursors'>,
  { partnerSeq, tier }: Principal,
  query: { limit?: string; cursor?: string },
) {
  const request = pageRequest(query, cursors.of(KEYS, [partnerSeq, tier]));
  const { limit, after } = request;
  const position = after === undefined ? undefined : { createdAt: after[0], keyId: after[1] };
  const found = await store.read((snapshot) =>
    keysAfter(snapshot, { partnerSeq, tier }, position, limit + 1),
  );
  return listResponse(request, found, keyView, ({ createdAt, keyId }) => [createdAt, keyId]);
}

/** Creates a key in the caller's tier with the caller's scopes or fewer. @throws ApiError SCOPE_MISSING, KEY_LIMIT_REACHED */
export async function createKey(
  accounts: Naming & Pick<Accounts, 'store'>,
  { partnerSeq, tier, scopes, authority }: Principal,
  asked: readonly Scope[] | undefined,
  once: Once,
) {
  const wider = asked?.find((scope) => !scopes.includes(scope));
  if (wider !== undefined) {
    throw commonErrors.SCOPE_MISSING({
      message: `This key does not have the scope ${wider}, so it cannot create a key with it. Request fewer scopes.`,
    });
  }
  return accounts.store.write(authority, (tx) => {
    const act = (): Promise<ReturnType<typeof keyView> & { api_key: string | null }> =>
      createKeyIn(tx, accounts, partnerSeq, { tier, scopes: asked ?? scopes });
    return once(tx, act, (answer) => ({ ...answer, api_key: null }));
  });
}

/** Revokes a key in the caller's tier with immediate effect. @throws ApiError NOT_FOUND, SCOPE_MISSING, LAST_KEY */
export async function revokeKey(
  accounts: Pick<Accounts, 'store' | 'clock' | 'principals'>,
  { partnerSeq, tier, scopes, authority }: Principal,
  keyId: string,
) {
  return accounts.store.write(authority, async (tx) => {
    const key = await keyOf(tx, partnerSeq, keyId);
    if (key === null || key.tier !== tier)
      throw commonErrors.NOT_FOUND({
        message: 'You have no key with this id. List your keys with GET /keys.',
      });
    const wider = key.scopes.find((scope) => !scopes.includes(scope));
    if (wider !== undefined) {
      throw commonErrors.SCOPE_MISSING({
        message: `The other key has the scope ${wider}, which this key does not have. Use a key with all of its scopes.`,
      });
    }
    if (key.revokedAt !== null) return keyView(key);
    if ((await activeKeysOf(tx, { partnerSeq, tier })).length === 1) throw accountsErrors.LAST_KEY();
    return keyView(await revokeIn(tx, accounts, key));
  });
}

/** Stores the revocation of a key and clears the key cache. */
export async function revokeIn(
  tx: Transaction,
  { clock, principals }: Pick<Accounts, 'clock' | 'principals'>,
  key: KeyRow,
): Promise<KeyRow> {
  const revokedAt = timestamp(clock);
  await setRevoked(tx, key.keyId, revokedAt);
  principals.changedIn(tx);
  return { ...key, revokedAt };
}

/** Returns the owner's view of an account. */
function accountView({ partnerId, name, email, createdAt }: PartnerRow) {
  return { partner_id: partnerId, name, email, created_at: createdAt };
}

/** Returns the owner's view of the account of a principal. */
export async function accountIn(snapshot: Snapshot, { partnerSeq }: Pick<Principal, 'partnerSeq'>) {
  const partner = await partnerBySeq(snapshot, partnerSeq);
  if (partner === null) throw new Error('a key without its partner');
  return accountView(partner);
}

/** Returns the public id of a partner. */
export async function partnerIdIn(snapshot: Snapshot, partnerSeq: number): Promise<string> {
  const partner = await partnerBySeq(snapshot, partnerSeq);
  if (partner === null) throw new Error('a row without its partner');
  return partner.partnerId;
}
