import { describe, expect, test } from 'bun:test';
import { PACKAGE_CASES } from '../../../../scripts/vectors/package-cases.ts';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../src/proof/encoding/json.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { judgePackage } from '../../../../src/proof/package/verdict.ts';
import { tamperings } from '../../../support/changed-document.ts';
import {
  GENERATED_AT,
  packageKeys,
  signedPackage,
  unsignedPackage,
} from '../../../support/compliance-package.ts';
import { hasPython, packagesJudgedByPython } from '../../../support/python.ts';

const now = Date.parse(GENERATED_AT);

interface Case {
  name: string;
  document: Uint8Array;
  keys: JsonObject;
}

const caseOf = (name: string, document: JsonValue | string, keys = packageKeys): Case => ({
  name,
  document: Buffer.from(typeof document === 'string' ? document : JSON.stringify(document)),
  keys,
});

/**
 * Compares what src/tools/python/verify.py and the program say of every case.
 * @returns how often each verdict was given
 */
async function agree(cases: readonly Case[]): Promise<Map<string, number>> {
  const said = await packagesJudgedByPython(cases.map((one) => ({ ...one, now: now / 1000 })));
  const given = new Map<string, number>();
  const differences: unknown[] = [];
  for (const [index, { name, document, keys }] of cases.entries()) {
    const { verdict, checks } = judgePackage(nativePrimitives, document, {
      keys: readTrustedKeys(nativePrimitives, keys),
      logKeys: readLogKeys(nativePrimitives, keys).trusted,
      now,
    });
    const answer = said[index];
    const { problems, ...theirs } = isJsonObject(answer) ? answer : {};
    const isNamed =
      Array.isArray(problems) &&
      (problems.length > 0 || !/^(malformed|inconsistent|bad_sample)$/.test(verdict));
    if (!isNamed || !Bun.deepEquals(theirs, { verdict, checks }))
      differences.push([name, { verdict, checks }, answer]);
    given.set(verdict, (given.get(verdict) ?? 0) + 1);
  }
  expect(differences.slice(0, 5)).toEqual([]);
  return given;
}

describe.skipIf(!hasPython)('src/tools/python/verify.py agrees about', () => {
  test('the public vectors', async () => {
    const given = await agree(PACKAGE_CASES.map(({ name, document, keys }) => caseOf(name, document, keys)));
    expect([...given.keys()].sort()).toEqual([
      'bad_checkpoint',
      'bad_sample',
      'bad_signature',
      'future',
      'hash_mismatch',
      'inconsistent',
      'key_compromised',
      'key_retired',
      'key_unknown',
      'log_not_named',
      'malformed',
      'valid',
      'wrong_log',
    ]);
  });

  for (const kind of ['audit', 'datacenter'] as const) {
    test(`every change of a package of kind ${kind}`, async () => {
      const unsigned = unsignedPackage(kind);
      const after = tamperings(signedPackage(unsigned), 2);
      const before = tamperings(unsigned, 2).map((one) => ({
        ...one,
        document: signedPackage(one.document),
      }));
      const given = await agree([
        ...after.map(({ path, how, document }) => caseOf(`${path} ${how}`, document)),
        ...before.map(({ path, how, document }) => caseOf(`${path} ${how}, signed`, document)),
      ]);
      expect(given.get('valid') ?? 0).toBeGreaterThan(10);
      expect(given.get('malformed') ?? 0).toBeGreaterThan(100);
    }, 60_000);
  }

  test('numbers and names in every notation', async () => {
    const numbers = [
      0, -0, 1, -1, 0.1, 1e-6, 1.5e-6, 1e-7, 1.25e-7, 1e21, 1.5e21, 5e-324, 1.7976931348623157e308, 4.35,
      0.30000000000000004, 9007199254740991, 9007199254740992, 1e20, 100, 333333333.3333333,
    ];
    const names = [
      'a',
      'B',
      '1',
      '10',
      '9',
      'é',
      'ö',
      '€',
      '\ud83d\ude00',
      '\ufb33',
      '\u2028',
      '\u007f',
      '\u0001',
      '"',
      '\\',
      '/',
      '__proto__',
    ];
    const sections = {
      numbers,
      names: Object.fromEntries(names.map((name, index) => [name, [name, index]])),
      none: null,
      yes: true,
      no: false,
    };
    const given = await agree([
      caseOf('sections', signedPackage({ ...unsignedPackage('datacenter'), sections })),
      caseOf(
        'another notation',
        JSON.stringify(signedPackage(unsignedPackage('datacenter'))).replace('1.0825', '10825e-4'),
      ),
      caseOf(
        'another number',
        JSON.stringify(signedPackage(unsignedPackage('datacenter'))).replace('1.0825', '1.08250000000001'),
      ),
    ]);
    expect([...given]).toEqual([
      ['valid', 2],
      ['hash_mismatch', 1],
    ]);
  });

  test('text that is no package', async () => {
    const text = JSON.stringify(signedPackage(unsignedPackage('audit')));
    const given = await agree([
      caseOf('nothing', ''),
      caseOf('an array', `[${text}]`),
      caseOf('a byte order mark', `\ufeff${text}`),
      caseOf('a member twice', text.replace('{', '{"kid":"x",')),
      caseOf('half of a character', text.replace('{', '{"x":"\\ud800",')),
      caseOf('half of a character in a name', text.replace('{', '{"\\ud800":1,')),
      caseOf('a number that is too large', text.replace('{', '{"x":1e400,')),
      caseOf('an integer that no double holds', text.replace('{', '{"x":9007199254740993,')),
      caseOf('deep nesting', text.replace('{', `{"x":${'['.repeat(64)}${']'.repeat(64)},`)),
      caseOf('a text of half of a character', text.replace('What CC7.1', '\\udc00What CC7.1')),
    ]);
    expect([...given]).toEqual([['malformed', 10]]);
  });
});
