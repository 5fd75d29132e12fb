import { defineErrors } from '../../../platform/http/errors/define-errors.ts';
import { CREDENTIAL_VERDICTS, type CredentialVerdict } from '../../../proof/credential/verdicts.ts';

const GET_ANOTHER = 'Ask the holder for a new credential, or get one from the service.';

/** The errors of credentials that are not valid: a code for each verdict. */
export const verificationErrors = defineErrors({
  credential_malformed: refusal('malformed', 'Send the credential exactly as the service issued it.'),
  credential_issuer_unknown: refusal('issuer_unknown', 'Ask the issuer that the credential names.'),
  credential_key_unknown: refusal('key_unknown', 'Do not trust the credential.'),
  credential_key_compromised: refusal('key_compromised', GET_ANOTHER),
  credential_bad_proof: refusal('bad_proof', 'Send the credential exactly as the service issued it.'),
  credential_key_retired: refusal('key_retired', GET_ANOTHER),
  credential_inconsistent: refusal('inconsistent', 'Do not trust the credential.'),
  credential_misdated: refusal('misdated', 'Do not trust the credential.'),
  credential_not_yet_valid: refusal('not_yet_valid', 'Wait for its validFrom.'),
  credential_expired: refusal('expired', GET_ANOTHER),
  credential_revoked: refusal('revoked', 'Do not rely on the credential.'),
  credential_status_unknown: {
    ...refusal('status_unknown', GET_ANOTHER),
    note: 'The service has no record of a credential that it issued after the backup from which its database was restored.',
  },
});

/** Returns the error of a verdict. */
export function errorOf(verdict: Exclude<CredentialVerdict, 'valid'>) {
  return verificationErrors[`credential_${verdict}`];
}

function refusal(verdict: CredentialVerdict, remedy: string) {
  return { status: 422, message: CREDENTIAL_VERDICTS[verdict], remedy } as const;
}
