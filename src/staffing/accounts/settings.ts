import { integer, text } from '../../platform/config/setting.ts';

const MOST = 1_000_000;

/** The settings of accounts and what they may ask for. */
export const accountsSettings = {
  bootstrapEmail: text<null>('bootstrap_email', {
    argument: '<address>',
    description: 'a sandbox account for this address, made if there is none; its key is in the ready file',
    fallback: null,
  }),
  sandboxRequests: integer('limits.sandbox', 1, MOST, {
    description: 'requests of a partner a minute with sandbox keys',
    fallback: 60,
  }),
  liveRequests: integer('limits.live', 1, MOST, {
    description: 'requests of a partner a minute with live keys',
    fallback: 600,
  }),
  newAccounts: integer('limits.sandbox_keys', 1, MOST, {
    description: 'requests for a sandbox account of one client address an hour',
    fallback: 20,
  }),
  smtpUrl: text<null>('smtp.url', {
    description: 'smtps://user:password@host:port; sandbox keys then go by mail alone',
    fallback: null,
    secret: true,
  }),
  smtpFrom: text<null>('smtp.from', {
    argument: '<address>',
    description: 'the sender of those mails; needed with smtp.url',
    fallback: null,
  }),
};
