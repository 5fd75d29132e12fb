import type { JsonObject, JsonValue } from '../../src/proof/encoding/json.ts';
import { formatVerifierKey } from '../../src/proof/log/note.ts';
import { type Operation, patchOf } from '../../test/support/json-patch.ts';
import { POLICY } from '../../test/support/made-account.ts';
import { verifierOf } from '../../test/support/small-log.ts';
import { bundleOf, COMMON, KEYS, linkedOf, RECEIPTS } from './receipt-bundle-parts.ts';

const AT = '2026-06-01T12:01:00.000Z';
export const A_YEAR_LATER = '2027-06-01T12:01:00.000Z';
export const BEYOND = 'receipts.example-2';
const { final, pending, blind, revoked } = RECEIPTS;
export const TWO = ['one', 'two'];

/** The genuine bundles, by the names of their files. */
export const BUNDLES: Readonly<Record<string, JsonObject>> = {
  final: bundleOf(final),
  pending: bundleOf(pending),
  blind: bundleOf(blind),
  revoked: bundleOf(revoked, { linked: linkedOf(['issued', 'finalized', 'revoked']) }),
  linked: bundleOf(final, { linked: linkedOf(['issued', 'finalized']) }),
  witnessed: bundleOf(
    final,
    { linked: linkedOf(['issued', 'finalized'], { witnesses: TWO }) },
    { witnesses: TWO },
  ),
  // The key of the receipt was reported later.
  compromised: bundleOf(final, {}, { story: 'compromised' }),
  'compromised-before': bundleOf(final, {}, { story: 'compromised-before' }),
};
const logLine = (name: 'receipts' | 'keys' | 'accounts'): string => {
  const key = { receipts: KEYS.receiptsLog, keys: KEYS.keysLog, accounts: KEYS.accountsLog }[name];
  return `log ${formatVerifierKey(verifierOf(key, `${COMMON}/${name}`))}\n`;
};
export const POLICIES = {
  two: POLICY,
  logs: `${logLine('receipts')}${logLine('keys')}${logLine('accounts')}${POLICY}`,
  none: 'quorum none\n',
};

interface Given {
  at?: string;
  policy?: keyof typeof POLICIES;
  keys_patch?: Operation[];
  fresh?: true;
  no_keys?: true;
  any_log?: true;
}

interface Expected {
  verdict?: string;
  checks?: Record<string, string>;
  revocation?: string;
  problem?: string | null;
}

type File = keyof typeof BUNDLES & string;

/** Returns a case of a genuine bundle. */
export const genuine = (name: string, file: File, expected: Expected = {}, given: Given = {}) => {
  const { verdict = 'valid', checks = {}, revocation = 'ok', problem = null } = expected;
  const { policy, ...others } = { at: AT, ...given };
  return {
    ...{ name, file: `${file}.json`, ...others, ...(policy !== undefined && { policy: `${policy}.txt` }) },
    ...{ verdict, checks, revocation, problem },
  };
};

/** Returns a case of a bundle with other members. */
export const changed = (
  name: string,
  file: File,
  changes: { [member: string]: JsonValue | undefined },
  expected: Expected,
  given: Given = {},
) => {
  const bundle = BUNDLES[file] ?? {};
  const whole: JsonObject = JSON.parse(JSON.stringify({ ...bundle, ...changes }));
  return { ...genuine(name, file, expected, given), patch: patchOf(bundle, whole) };
};

export const malformed = (problem: string): Expected => ({
  verdict: 'malformed',
  checks: { hash: 'unchecked', status: 'unchecked' },
  revocation: 'not_checked',
  problem,
});
export const failed = (checks: Record<string, string>, others: Expected = {}): Expected => {
  const [[name, check] = ['', '']] = Object.entries(checks).filter(([, found]) => found !== 'ok');
  const isOfReceipt = name === 'key' || others.verdict !== undefined;
  return {
    problem: isOfReceipt || check === 'none' ? null : `${name}: `,
    revocation: checks.status !== undefined && checks.status !== 'ok' ? 'not_checked' : 'ok',
    checks,
    ...others,
  };
};
