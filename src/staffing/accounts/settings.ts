import { integer, text } from '../../platform/config/setting.ts';

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
