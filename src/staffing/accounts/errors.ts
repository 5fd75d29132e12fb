import { defineErrors } from '../../platform/http/errors/define-errors.ts';
/** The errors of accounts and their keys. */
export const accountsErrors = defineErrors({
  WORK_EMAIL_REQUIRED: {
    status: 400,
    message: 'The e-mail address belongs to a free provider.',
    remedy: 'Use the e-mail address that your firm gave you.',
  },
  ACCOUNT_EXISTS: {
    status: 409,
    message: 'This address already has an account.',
    remedy: 'Use the key of the account. If it is lost, ask the administrator of the service for another.',
  },
  KEY_LIMIT_REACHED: {
    status: 409,
    message: 'The tier already has two active keys, which is its limit.',
    remedy: 'Revoke one of them first.',
  },
  LAST_KEY: {
    status: 409,
    message: 'The last active key of a tier cannot be revoked.',
    remedy: 'Create another key first.',
  },
});
