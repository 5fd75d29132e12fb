/** The verdicts on a credential with their descriptions. The first one that applies is the result. */
export const CREDENTIAL_VERDICTS = {
  malformed: 'This is not a well-formed credential of a type that this service issues.',
  issuer_unknown: 'The issuer of the credential is not the trusted service.',
  key_unknown: 'The key that the proof names is not among the trusted keys for credentials.',
  key_compromised: 'The key that signed the credential has been reported as compromised.',
  bad_proof: 'The credential was changed after it was signed, or this key did not sign it.',
  key_retired: 'The credential is dated after the key that signed it was retired.',
  inconsistent: 'The credential counts more than the log that it cites has entries.',
  misdated: 'The proof of the credential is dated more than 60 s before the credential.',
  not_yet_valid: 'The credential is not valid yet.',
  expired: 'The credential has expired.',
  revoked: 'The credential has been revoked.',
  status_unknown: 'It is unknown whether the credential has been revoked.',
  valid: 'The credential is authentic, unchanged and not expired.',
} as const;

export type CredentialVerdict = keyof typeof CREDENTIAL_VERDICTS;
