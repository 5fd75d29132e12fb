import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WITNESS_VECTORS } from '../../../../scripts/vectors/witness.ts';
import type { PolicyCase } from '../../../../scripts/vectors/witness-policies.ts';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { LogPolicyError, parseLogPolicy } from '../../../../src/proof/log/log-policy.ts';
import { hasPython, policiesReadByPython } from '../../../support/python.ts';

const policies: PolicyCase[] = JSON.parse(readFileSync(join(WITNESS_VECTORS, 'policies.json'), 'utf8'));

test('each policy is taken or refused as its vector says', () => {
  const isTaken = (policy: string): boolean => {
    try {
      parseLogPolicy(nativePrimitives, policy);
      return true;
    } catch (error) {
      if (!(error instanceof LogPolicyError)) throw error;
      return false;
    }
  };
  expect(policies.map(({ name, policy }) => [name, isTaken(policy)])).toEqual(
    policies.map(({ name, valid }) => [name, valid]),
  );
});

test.skipIf(!hasPython)('src/tools/python/verify.py takes and refuses the same policies', async () => {
  const said = await policiesReadByPython(policies.map(({ policy }) => policy));
  expect(policies.map(({ name }, index) => [name, said[index]])).toEqual(
    policies.map(({ name, valid }) => [name, valid]),
  );
});
