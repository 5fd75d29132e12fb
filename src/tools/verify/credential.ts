import { presentedCredential } from '../../proof/credential/credential-shape.ts';
import { credentialKeys, judgeCredential } from '../../proof/credential/verdict.ts';
import { CREDENTIAL_VERDICTS } from '../../proof/credential/verdicts.ts';
import { parseJsonBytes } from '../../proof/encoding/json.ts';
import type { Judge } from './judgement.ts';

/**
 * Judges a W3C credential, without its revocation: `credential verify` reads the status list too. The document is JSON, because otherwise
 * it is not recognised.
 */
export const judgeCredentialKind: Judge = (primitives, document, { keys, at }) => {
  const { verdict, checks, problem, credential } = judgeCredential(
    primitives,
    presentedCredential(parseJsonBytes(document)),
    { keys: credentialKeys(keys), issuers: null, baseUrl: null, now: at },
  );
  const result = {
    verdict,
    checks,
    problems: problem === null ? [] : [problem],
    id: credential?.id ?? null,
    type: credential?.type ?? null,
    issuer: credential?.issuer ?? null,
    subject: credential?.subject ?? null,
  };
  const isRevocable = credential !== null && credential.status !== null;
  return {
    isValid: verdict === 'valid',
    result,
    sentence: `${verdict}: ${CREDENTIAL_VERDICTS[verdict]}`,
    facts: isRevocable
      ? ['status: not checked; countersign credential verify --status checks that it is not revoked']
      : [],
  };
};
