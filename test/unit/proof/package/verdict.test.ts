import { describe, expect, test } from 'bun:test';
import { PACKAGE_CASES } from '../../../../scripts/vectors/package-cases.ts';
import { CROWDED_SETS } from '../../../../scripts/vectors/package-samples.ts';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { digest } from '../../../../src/proof/encoding/digest.ts';
import type { JsonObject, JsonValue } from '../../../../src/proof/encoding/json.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import { PACKAGE_KINDS } from '../../../../src/proof/package/format.ts';
import {
  isPackageAsAsked,
  judgePackage,
  type PackageOptions,
  type PackageResult,
} from '../../../../src/proof/package/verdict.ts';
import { tamperings } from '../../../support/changed-document.ts';
import {
  GENERATED_AT,
  packageKeys,
  referenceSet,
  SPONSOR,
  signedPackage,
  sponsorPackage,
  unsignedPackage,
} from '../../../support/compliance-package.ts';

const bytes = (value: JsonValue): Uint8Array => Buffer.from(JSON.stringify(value));
const now = Date.parse(GENERATED_AT);

function judged(document: JsonValue, changes: Partial<PackageOptions> = {}): PackageResult {
  return judgePackage(nativePrimitives, bytes(document), {
    keys: readTrustedKeys(nativePrimitives, packageKeys),
    logKeys: readLogKeys(nativePrimitives, packageKeys).trusted,
    now,
    ...changes,
  });
}

const genuine = signedPackage(unsignedPackage('assessment'));

describe('a genuine compliance package', () => {
  for (const kind of PACKAGE_KINDS) {
    test(`of kind ${kind} is valid, and all of its checks are ok`, () => {
      const result = judged(signedPackage(unsignedPackage(kind)));
      expect(result.problems).toEqual([]);
      expect([result.verdict, result.authentic, isPackageAsAsked(result)]).toEqual(['valid', true, true]);
      const { attribution, rules, ...checks } = result.checks;
      expect(rules).toBe(kind === 'audit' ? 'ok' : 'unknown');
      expect(new Set(Object.values(checks))).toEqual(new Set(['ok', 'trusted']));
      // Evidence names the agent. Receipts name nobody.
      expect(attribution).toBe(kind === 'audit' ? 'ok' : 'not_shown');
      expect(result.read?.kind).toBe(kind);
    });
  }

  test('is valid by the second implementation of the primitives too', () => {
    const options = {
      keys: readTrustedKeys(nativePrimitives, packageKeys),
      logKeys: readLogKeys(nativePrimitives, packageKeys).trusted,
      now,
    };
    expect(judgePackage(noblePrimitives, bytes(genuine), options)).toEqual(judged(genuine));
  });

  test('is valid with white space, and with its members in another order', () => {
    const { type, ...others } = genuine;
    const text = JSON.stringify({ ...others, type }, null, 2);
    expect(judged(JSON.parse(text)).verdict).toBe('valid');
  });
});

describe('the receipts of a compliance package', () => {
  test('show whose the sampled entries are, each once for every entry that is of it', () => {
    const { verdict, checks, attribution } = judged(sponsorPackage());
    expect([verdict, checks.attribution]).toEqual(['valid', 'ok']);
    expect(attribution).toEqual({ sampled: 36, shown: 36, operators: [SPONSOR] });
    expect(judged(genuine).attribution).toEqual({ sampled: 36, shown: 0, operators: [] });
  });

  test('are not signed: without them, the package is valid and shows less', () => {
    const { sampled_receipts: _, ...document } = sponsorPackage();
    expect(judged(document)).toMatchObject({ verdict: 'valid', checks: { attribution: 'not_shown' } });
  });

  test('are no part of what the content_hash of an earlier version is the digest of', () => {
    const { signature: _signature, kid: _kid, sampled_receipts: _receipts, ...content } = sponsorPackage();
    const earlier = { ...sponsorPackage(), content_hash: digest(nativePrimitives, content) };
    expect(judged(earlier)).toMatchObject({ verdict: 'valid', checks: { hash: 'ok', attribution: 'ok' } });
    expect(judged({ ...earlier, content_hash: 'ab'.repeat(32) })).toMatchObject({
      ...{ verdict: 'hash_mismatch', authentic: false, read: null },
    });
  });

  test('count in the package that everybody gets too, if the sponsor adds them', () => {
    const { sampled_receipts } = sponsorPackage();
    const document = { ...genuine, sampled_receipts: sampled_receipts ?? null };
    expect(judged(document)).toMatchObject({ verdict: 'valid', checks: { attribution: 'ok' } });
  });

  test('do not make up for a sample that is wrong', () => {
    const wrong = sponsorPackage({ checkpoints: [] });
    expect(judged(wrong).verdict).toBe('bad_sample');
  });
});

describe('the issuer of a compliance package', () => {
  const web = signedPackage({ ...unsignedPackage('audit'), issuer: 'did:web:trust.example' });
  const verdictOf = (document: JsonValue, did: string, isOnly: boolean) =>
    judged(document, { issuer: { did, isOnly } }).verdict;

  test('is that of the list of keys, or the did:key of the key that signed', () => {
    expect(verdictOf(web, 'did:web:trust.example', false)).toBe('valid');
    expect(verdictOf(web, 'did:web:bank.example', false)).toBe('issuer_unknown');
    expect(verdictOf(genuine, 'did:web:trust.example', false)).toBe('valid');
  });

  test('is that of --issuer and no other', () => {
    expect(verdictOf(web, 'did:web:trust.example', true)).toBe('valid');
    expect(verdictOf(genuine, 'did:web:trust.example', true)).toBe('issuer_unknown');
    expect(verdictOf(genuine, String(genuine.issuer), true)).toBe('valid');
  });

  test('makes a package of another one no authentic package', () => {
    const result = judged(web, { issuer: { did: 'did:web:bank.example', isOnly: true } });
    expect([result.authentic, result.read]).toEqual([false, null]);
    expect(result.problems).toContain(
      'issuer is did:web:trust.example, but the trusted issuer is did:web:bank.example',
    );
  });
});

test.each([...CROWDED_SETS])('a compliance package with $name breaks no other rule', ({ name, problem }) => {
  const found = PACKAGE_CASES.find((one) => one.name === name);
  expect(judged(found?.document ?? null).problems).toEqual([expect.stringContaining(problem)]);
});

/**
 * The members that nothing else in a package confirms: only the signature does. No sampled entry is of the
 * log of checkpoints[1]. The rules of version 1 know less, so that a package of version 2 can also be one.
 */
const FREE =
  /^(package_id|framework(_edition)?|issuer|view|controls|reference_sets|checkpoints\[1\]|generated_at|period\..*|subject\.(name|operator|sponsors.*|did|state)|coverage.*|records.*|assessors.*|v|limits.*|sections.*|controls\[\d+\]\.(id|title|statement|not_shown|to_add|counts.*|attested_by.*)|reference_sets\[\d+\]\.description)$/;

describe('a compliance package that its issuer signed with something wrong in it', () => {
  for (const kind of PACKAGE_KINDS) {
    const unsigned = unsignedPackage(kind);
    const changes = tamperings(unsigned).map((one) => ({
      ...one,
      ...judged(signedPackage(one.document)),
    }));

    test(`is accepted only where nothing else in a package of kind ${kind} confirms what was changed`, () => {
      const accepted = changes.filter(({ verdict }) => verdict === 'valid');
      const additions = accepted.filter(({ how }) => how === 'with another member');
      expect(additions.length).toBeGreaterThan(5);
      const others = accepted.filter(({ how }) => how !== 'with another member');
      expect(others.filter(({ path }) => !FREE.test(path)).map(({ path, how }) => `${path} ${how}`)).toEqual(
        [],
      );
    });

    test(`is refused with the path of what was changed in a package of kind ${kind}`, () => {
      const unnamed = changes
        .filter(({ verdict }) => verdict !== 'valid')
        .filter(({ path, problems }) => !problems.some((problem) => isAbout(problem, path)))
        .map(({ path, how, problems }) => `${path} ${how}: ${problems.join('; ')}`);
      expect(unnamed).toEqual([]);
    });
  }
});

/** Returns whether a problem names what was changed: its path, the path of what contains it, or its list. */
function isAbout(problem: string, path: string): boolean {
  const parent = path.replace(/(\.\w+|\[\d+\])$/, '');
  // The status of a control follows from its counts, and from the period.
  const [control = path] = /^controls\[\d+\]/.exec(path) ?? [];
  if (path.startsWith('period.') || path.includes('.counts.'))
    return /^controls\[\d+\]\.(status|attested_by)/.test(problem) || problem.includes(control);
  return problem.includes(parent) || problem.includes(parent.replace(/\[\d+\]$/, ''));
}

describe('the limits of a compliance package', () => {
  const audit = unsignedPackage('audit');
  const verdictOf = (document: JsonObject, changes: Partial<PackageOptions> = {}) =>
    judged(signedPackage(document), changes).verdict;
  const many = (count: number, of: (index: number) => JsonValue): JsonValue[] =>
    Array.from({ length: count }, (_, index) => of(index));

  test.each<[string, (count: number) => JsonObject, number]>([
    ['limits', (count) => ({ limits: many(count, () => 'x') }), 256],
    [
      'controls',
      (count) => ({
        controls: many(count, (index) => ({
          ...{ id: `${index}`, title: 'x', status: 'not_assessed', statement: 'x', not_shown: 'x' },
          ...{ attested_by: [], to_add: null },
          counts: {
            ...{ reports: 0, pass: 0, fail: 0, not_applicable: 0 },
            ...{ assessor_pass: 0, assessor_fail: 0, assessor_days: 0 },
          },
          ...{ references: null, assessments: null },
        })),
        summary: { satisfied: 0, partial: 0, reported: 0, not_assessed: count },
      }),
      1024,
    ],
    [
      'reference_sets',
      (count) => ({
        reference_sets: many(count, (index) => ({
          ...(Array.isArray(audit.reference_sets) ? Object(audit.reference_sets[0]) : {}),
          name: index === 0 ? 'evidence' : `${index}`,
        })),
      }),
      256,
    ],
  ])('permit so many %s and not one more', (_, members, most) => {
    expect(verdictOf({ ...audit, ...members(most) })).toBe('valid');
    expect(verdictOf({ ...audit, ...members(most + 1) })).toBe('malformed');
  });

  test('permit a date 60 s ahead, and the first moment of the period', () => {
    const ahead = (ms: number) => ({ ...audit, generated_at: new Date(now + ms).toISOString() });
    expect([verdictOf(ahead(60_000)), verdictOf(ahead(60_001))]).toEqual(['valid', 'future']);
    const to = '2026-06-01T00:00:00.000Z';
    expect(verdictOf({ ...audit, period: { from: '2026-03-01T12:00:00.000Z', to } })).toBe('valid');
    expect(verdictOf({ ...audit, period: { from: to, to } })).toBe('inconsistent');
  });

  test('permit no checkpoint of another log, and none of two installations', () => {
    const [cited] = Array.isArray(audit.checkpoints) ? audit.checkpoints : [];
    const withOrigin = (log: string, origin: string): JsonValue => ({ ...Object(cited), log, origin });
    const problemsOf = (...checkpoints: JsonValue[]): string[] =>
      judged(signedPackage({ ...audit, checkpoints })).problems;
    expect(problemsOf(withOrigin('evidence', 'receipts.example/receipts'))).toContain(
      'checkpoints[0].origin is not that of a log of evidence',
    );
    expect(
      problemsOf(withOrigin('receipts', 'a.example/receipts'), withOrigin('evidence', 'b.example/evidence')),
    ).toContain('checkpoints[1].origin is of another installation than that of checkpoints[0]');
  });

  test('let no key count that one of two lists calls compromised, even if another calls it retired', () => {
    const keys = readTrustedKeys(nativePrimitives, packageKeys);
    const twice = [
      ...keys.map((key) => ({ ...key, status: 'retired' as const, valid_until: '2026-01-01T00:00:00.000Z' })),
      ...keys.map((key) => ({ ...key, status: 'compromised' as const })),
    ];
    const result = judged(signedPackage(audit), { keys: twice });
    expect([result.verdict, result.authentic, result.read]).toEqual(['key_compromised', false, null]);
  });

  test('let no package name the revocation of another agent as that of its own', () => {
    const revocation = [['revocations', 1]] as const;
    const other = '00'.repeat(32);
    const package_ = unsignedPackage('audit', [referenceSet('revocations', revocation)], revocation);
    expect(verdictOf(package_)).toBe('valid');
    const { subject } = package_;
    const foreign = { ...package_, subject: { ...Object(subject), subject_commitment: other } };
    expect(judged(signedPackage(foreign)).problems).toEqual([
      'reference_sets[0].sample[0].inclusion_path.leaf_entry is of another agent than subject.subject_commitment',
    ]);
  });
});
