import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { judgeAccountStatement } from '../../src/proof/verifier/judge/account-statement.ts';
import { trustOf, verifierKeysIn } from '../../src/proof/verifier/trust.ts';
import type { TrustApp } from './trust-app.ts';

/**
 * Judges a statement of a month with a journal and the keys of a service, as `countersign verify` does.
 * @param now milliseconds since 1970
 */
export async function judgedStatement(
  { anyone }: Pick<TrustApp, 'anyone'>,
  statement: object,
  journal: Uint8Array,
  now: number,
) {
  const { body } = await anyone.get('/api/v1/transparency/keys');
  const context = {
    ...trustOf(verifierKeysIn(nativePrimitives, Object(body)), undefined, undefined),
    ...{ at: now, now, additional: { journal } },
  };
  const document = Buffer.from(JSON.stringify(statement));
  const { isValid, result } = judgeAccountStatement(nativePrimitives, document, context);
  return { isValid, journal: Object(result.checks).journal, problems: result.problems };
}
