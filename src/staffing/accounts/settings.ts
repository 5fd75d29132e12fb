import type { Tier } from '../../../db/staffing/accounts-enums.ts';
import { type Config, integer, text } from '../../platform/config/setting.ts';
import type { RateLimit } from '../../platform/http/request/rate-limits.ts';

const MOST = 1_000_000;

/** The settings for accounts, their rate limits and mail. */
export const accountsSettings = {
  bootstrapEmail: text<null>('bootstrap_email', {
    argument: '<address>',
    description: 'create a sandbox account for this address unless it exists; its key is in the ready file',
    fallback: null,
  }),
  sandboxRequests: integer('limits.sandbox', 1, MOST, {
    description: 'requests per minute and partner with sandbox keys',
    fallback: 60,
  }),
  liveRequests: integer('limits.live', 1, MOST, {
    description: 'requests per minute and partner with live keys',
    fallback: 600,
  }),
  newAccounts: integer('limits.sandbox_keys', 1, MOST, {
    description: 'requests for a sandbox account per hour and client address',
    fallback: 20,
  }),
  newAccountsPerDay: integer('limits.sandbox_keys_per_day', 1, MOST, {
    description: 'sandbox keys for new accounts, and keys that are sent by mail, per day and client address',
    fallback: 20,
  }),
  smtpUrl: text<null>('smtp.url', {
    description: 'smtps://user:password@host:port; sandbox keys are then sent only by mail',
    fallback: null,
    secret: true,
  }),
  smtpFrom: text<null>('smtp.from', {
    argument: '<address>',
    description: 'the sender address of the mails with sandbox keys; required with smtp.url',
    fallback: null,
  }),
};

/** The rate limits of accounts. */
export interface AccountPolicy {
  /** The rate limit per partner, by tier. */
  requests: Readonly<Record<Tier, RateLimit>>;
  /** The rate limit per client address for creating accounts. */
  newAccounts: RateLimit;
  /** The sandbox keys per client address and day. */
  newAccountsPerDay: number;
}

/** Returns the rate limits of accounts from the settings. */
export function accountPolicy(config: Config): AccountPolicy {
  const { sandboxRequests, liveRequests, newAccounts, newAccountsPerDay } = accountsSettings;
  return {
    requests: {
      sandbox: { name: 'sandbox', requests: sandboxRequests.in(config), seconds: 60 },
      live: { name: 'live', requests: liveRequests.in(config), seconds: 60 },
    },
    newAccounts: { name: 'sandbox-keys', requests: newAccounts.in(config), seconds: 3600 },
    newAccountsPerDay: newAccountsPerDay.in(config),
  };
}
