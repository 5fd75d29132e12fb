import { describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import type { JsonObject, JsonValue } from '../../../../src/proof/encoding/json.ts';
import { packageShape } from '../../../../src/proof/package/shape.ts';
import { judgePackage } from '../../../../src/proof/package/verdict.ts';
import { replaced } from '../../../support/changed-document.ts';
import { GENERATED_AT, signedPackage, unsignedPackage } from '../../../support/compliance-package.ts';

const genuine = signedPackage(unsignedPackage('audit'));
const cluster = signedPackage(unsignedPackage('datacenter'));
const problemsOf = (document: JsonValue): string[] => {
  const shape = packageShape(document);
  return 'problems' in shape ? shape.problems : [];
};
type Place = (string | number)[];
const CASES: readonly [place: Place, value: JsonValue | undefined, problem: string][] = [
  [['package_id'], 'pkg_1', 'package_id is not pkg_ and 32 lower-case hexadecimal characters'],
  [['kind'], 'report', 'kind is not one of assessment, audit, datacenter'],
  [['framework'], 'soc2', 'framework is not 1 to 64 capital letters, digits and underscores'],
  [['framework_edition'], '', 'framework_edition is not 1 to 256 characters'],
  [['issuer'], 'https://example.com', 'issuer is not a DID'],
  [['period'], 'May', 'period is not a JSON object'],
  [['period', 'from'], '2026-04-01', 'period.from is not an RFC 3339 time in UTC with milliseconds'],
  [['generated_at'], '2026-06-01T12:00:00Z', 'generated_at is not an RFC 3339 time in UTC with milliseconds'],
  [['view'], 'all', 'view is not one of public, sponsor'],
  [['subject', 'state'], undefined, 'subject.state is missing'],
  [['checkpoints'], {}, 'checkpoints is not an array of at most 5 elements'],
  [['checkpoints', 0], null, 'checkpoints[0] is not a JSON object'],
  [
    ['checkpoints', 0, 'log'],
    'credits',
    'checkpoints[0].log is not one of receipts, keys, revocations, evidence, accounts',
  ],
  [['checkpoints', 0, 'tree_size'], -1, 'checkpoints[0].tree_size is not a whole number from 0 to 2^53 − 1'],
  [['checkpoints', 0, 'note'], '', 'checkpoints[0].note is not a text'],
  [['summary', 'partial'], undefined, 'summary.partial is missing'],
  [
    ['controls', 0, 'status'],
    'compliant',
    'controls[0].status is not one of satisfied, partial, reported, not_assessed',
  ],
  [
    ['controls', 0, 'counts', 'entries'],
    '5',
    'controls[0].counts.entries is not a whole number from 0 to 2^53 − 1',
  ],
  [['controls', 0, 'counts'], [], 'controls[0].counts is not a JSON object'],
  [['controls', 0, 'references'], undefined, 'controls[0].references is missing'],
  [['controls', 0, 'references', 'set'], undefined, 'controls[0].references.set is missing'],
  [
    ['reference_sets', 0, 'sample', 1, 'path', 0],
    'AA==',
    'reference_sets[0].sample[1].path[0] is not base64 of 32 bytes',
  ],
  [
    ['reference_sets', 0, 'sample', 1, 'inclusion_path'],
    undefined,
    'reference_sets[0].sample[1].inclusion_path is missing',
  ],
  [
    ['reference_sets', 0, 'sample', 1, 'inclusion_path', 'leaf_hash'],
    'AB'.repeat(32),
    'reference_sets[0].sample[1].inclusion_path.leaf_hash is not 64 lower-case hexadecimal characters',
  ],
  [['limits', 0], 7, 'limits[0] is not 1 to 4096 characters'],
  [['kid'], 'kid', 'kid is not 43 characters of base64url'],
];

describe('the form of a compliance package', () => {
  for (const [place, value, problem] of CASES) {
    test(`is wrong with ${JSON.stringify(value) ?? 'nothing'} at ${place.join('.')}`, () => {
      expect(problemsOf(replaced(genuine, place, value))).toEqual([problem]);
    });
  }

  test('is that of a cluster for a package of kind datacenter, and that of an agent for all others', () => {
    expect(problemsOf(replaced(genuine, ['kind'], 'datacenter'))).toEqual([
      'subject.type is not "cluster"',
      'subject.cluster_id is missing',
      'subject.id is missing',
    ]);
    expect(problemsOf(replaced(cluster, ['subject', 'id'], 'urn:countersign:cluster:hall-2'))).toEqual([
      'subject.id is not "urn:countersign:cluster:hall-1"',
    ]);
  });

  test('may have members that this version does not know', () => {
    expect(problemsOf({ ...genuine, later: { a: 1 } })).toEqual([]);
  });

  test('does not take what an object inherits for a member', () => {
    const { subject: _, ...others } = genuine;
    const document: JsonObject = Object.assign(Object.create({ subject: genuine.subject }), others);
    expect(problemsOf(document)).toEqual(['subject is missing']);
  });

  test('is wrong for anything but an object, and says so once', () => {
    for (const value of [null, [], 'text', 7])
      expect(problemsOf(value)).toEqual(['the document is not a JSON object']);
  });

  test('has at most 50 problems, however many there are', () => {
    const controls = Array.from({ length: 1000 }, () => ({}));
    expect(problemsOf({ ...genuine, controls })).toHaveLength(50);
  });

  test.each([
    ['no JSON', 'package', 'not JSON'],
    ['a byte order mark', `\ufeff${JSON.stringify(genuine)}`, 'not JSON'],
    ['a member twice', JSON.stringify(genuine).replace('{', '{"kid":"x",'), 'the same member name twice'],
    [
      'a number that no double holds',
      JSON.stringify(genuine).replace('{', '{"x":9007199254740993,'),
      'exactly',
    ],
    ['a number that is too large', JSON.stringify(genuine).replace('{', '{"x":1e400,'), 'cannot be signed'],
    ['half of a character', JSON.stringify(genuine).replace('{', '{"x":"\\ud800",'), 'cannot be signed'],
  ])('is wrong for text with %s', (_, text, problem) => {
    const options = { keys: [], logKeys: [], now: Date.parse(GENERATED_AT) };
    const result = judgePackage(nativePrimitives, Buffer.from(text), options);
    expect([result.verdict, result.read, result.kid]).toEqual(['malformed', null, null]);
    expect(result.problems.join()).toContain(problem);
  });
});
