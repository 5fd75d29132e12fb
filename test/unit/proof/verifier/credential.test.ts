import { expect, test } from 'bun:test';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import { judgeCredentialKind } from '../../../../src/proof/verifier/judge/credential.ts';
import { NO_KEYS } from '../../../../src/proof/verifier/trust.ts';

test('a credential that was asked for and is not JSON is malformed', () => {
  const context = { ...NO_KEYS, policy: undefined, at: 0, now: 0 };
  for (const [text, problem] of [
    ['{"type":', 'not JSON'],
    ['{"a":1,"a":1}', 'an object has the same member name twice'],
  ] as const) {
    const { isValid, result, kind } = judgeCredentialKind(
      noblePrimitives,
      new TextEncoder().encode(text),
      context,
    );
    expect([isValid, result.verdict, kind]).toEqual([false, 'malformed', 'credential']);
    expect(result.problems.join()).toContain(problem);
  }
});
