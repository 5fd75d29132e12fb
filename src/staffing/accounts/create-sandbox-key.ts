import { SCOPES } from '../../../db/staffing/accounts-enums.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { commonErrors } from '../http/errors.ts';
import { createKeyIn } from './create-key.ts';
import { accountsErrors } from './errors.ts';
import { newPartnerKey } from './keys/key-format.ts';
import { emailOf } from './mail/email.ts';
import { keyMail, type Mailer, refusalMail } from './mail/mail.ts';
import { createPartnerIn } from './partners/create-partner.ts';
import type { Accounts, Naming } from './services.ts';
import { activeKeysOf, partnerByEmail } from './store.ts';

/** The parts of the service that creating sandbox keys uses. */
type SandboxContext = Naming & Pick<Accounts, 'store' | 'dailyKeys'>;

/** What the caller sent, and the client address as the rate limits see it. */
interface Applicant {
  email: string;
  company: string;
  address: string;
}

/**
 * Creates a sandbox account with its first key.
 * @throws ApiError VALIDATION_FAILED, WORK_EMAIL_REQUIRED, ACCOUNT_EXISTS, RATE_LIMITED
 */
export async function createSandbox(accounts: SandboxContext, given: Applicant) {
  const email = await workEmail(given.email);
  return accounts.store.writeAsService(async (tx) => {
    if ((await partnerByEmail(tx, email)) !== null) throw accountsErrors.ACCOUNT_EXISTS();
    await countKeyIn(tx, accounts, given.address);
    return createSandboxIn(tx, accounts, email, given.company);
  });
}

/** Serializes concurrent mails to the same address, so that the second sees the result of the first. */
const mailing = new Map<string, Promise<void>>();

/**
 * Creates a sandbox key and sends it by mail. The account is created if it does not exist; only the reader of
 * the mail learns whether it existed. The mail is sent before the key is stored: an active key that was never
 * received would be worse than a key that does not work.
 *
 * @throws ApiError VALIDATION_FAILED, WORK_EMAIL_REQUIRED, RATE_LIMITED, STORAGE_UNAVAILABLE when the mail is
 * not accepted
 */
export async function mailSandboxKey(
  accounts: SandboxContext,
  mailer: Mailer,
  given: Applicant,
): Promise<void> {
  const email = await workEmail(given.email);
  // Each mail counts before it is sent, whatever becomes of it: the limit also protects its recipient.
  await accounts.store.writeAsService((tx) => countKeyIn(tx, accounts, given.address));
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
    // If the account was closed or got another key meanwhile, the key in the mail is not stored and does not
    // work.
    if ((await addressStatus(tx, email)) !== 'open') return;
    const partner =
      (await partnerByEmail(tx, email)) ?? (await createPartnerIn(tx, accounts, email, company));
    await createKeyIn(tx, accounts, partner.partnerSeq, { tier: 'sandbox', scopes: SCOPES }, apiKey);
  });
}

/**
 * Returns whether an address can get a sandbox key (`open`), has two active keys (`full`) or a closed
 * account.
 */
async function addressStatus(snapshot: Snapshot, email: string): Promise<'open' | 'full' | 'closed'> {
  const partner = await partnerByEmail(snapshot, email);
  if (partner === null) return 'open';
  if (partner.closedAt !== null) return 'closed';
  const active = await activeKeysOf(snapshot, { partnerSeq: partner.partnerSeq, tier: 'sandbox' });
  return active.length >= 2 ? 'full' : 'open';
}

/** Counts a sandbox key for a client address. @throws ApiError RATE_LIMITED */
async function countKeyIn(
  tx: Transaction,
  { dailyKeys }: Pick<Accounts, 'dailyKeys'>,
  address: string,
): Promise<void> {
  const wait = await dailyKeys.countIn(tx, address);
  if (wait === null) return;
  throw commonErrors.RATE_LIMITED({
    message: `At most ${dailyKeys.limit} sandbox keys per day are made for one address.`,
    headers: { 'retry-after': String(wait) },
  });
}

/** Creates a sandbox account with its first key within a transaction. The address must have no account. */
export async function createSandboxIn(tx: Transaction, naming: Naming, email: string, name: string) {
  const partner = await createPartnerIn(tx, naming, email, name);
  const key = await createKeyIn(tx, naming, partner.partnerSeq, { tier: 'sandbox', scopes: SCOPES });
  return { partner, key };
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
