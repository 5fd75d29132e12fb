import { expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { acceptingAnyLog, readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { described } from '../../../../src/proof/verifier/judge/described.ts';
import { judgePackageDocument } from '../../../../src/proof/verifier/judge/package.ts';
import {
  GENERATED_AT,
  packageKeys,
  signedPackage,
  unsignedPackage,
} from '../../../support/compliance-package.ts';

const document = Buffer.from(JSON.stringify(signedPackage(unsignedPackage('assessment'))));
const { log: _, ...unnamed } = packageKeys;

/** Returns what is said of the package, by a list of keys. */
function said(keys: typeof packageKeys, anyLog = false) {
  const { trusted } = readLogKeys(nativePrimitives, keys);
  const now = Date.parse(GENERATED_AT);
  const context = {
    keys: readTrustedKeys(nativePrimitives, keys),
    logKeys: anyLog ? acceptingAnyLog(trusted) : trusted,
    policy: undefined,
    keyLog: null,
    at: now,
    now,
  };
  return described(judgePackageDocument(nativePrimitives, document, context), document, context);
}

test('the logs that a package cites are named, also those that count because any log does, and those that do not', () => {
  const { result, facts } = said(packageKeys);
  const named = facts.filter((fact) => fact.startsWith('log: '));
  expect(result).toMatchObject({ verdict: 'valid', trees: { length: named.length } });
  expect(named.length).toBeGreaterThan(0);
  for (const line of named)
    expect(line).toMatch(/^log: [a-z0-9.-]+\/[a-z]+ has \d+ (entry|entries), signed /);
  for (const [anyLog, verdict] of [
    [true, 'valid'],
    [false, 'log_not_named'],
  ] as const) {
    const other = said(unnamed, anyLog);
    expect(other.result.verdict).toBe(verdict);
    expect(other.facts.filter((fact) => fact.startsWith('log: '))).toEqual(named);
  }
});
