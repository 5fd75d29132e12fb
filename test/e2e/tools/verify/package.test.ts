import { afterAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_CASES } from '../../../../scripts/vectors/package-cases.ts';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { formatVerifierKey, keyIdOf, SIGNATURE_TYPES } from '../../../../src/proof/log/note.ts';
import {
  GENERATED_AT,
  ORIGIN,
  packageKeys,
  signedPackage,
  unsignedPackage,
} from '../../../support/compliance-package.ts';
import { run, scratch } from '../../../support/process.ts';
import { hasPython, runPython } from '../../../support/python.ts';
import { testKey, verifierOf } from '../../../support/small-log.ts';
import { VECTORS } from '../../../support/vectors.ts';

const directory = scratch();
const file = (name: string): string => join(directory.path, name);
const save = (name: string, content: unknown): string => {
  writeFileSync(file(name), typeof content === 'string' ? content : JSON.stringify(content));
  return file(name);
};
afterAll(() => directory.dispose());

const audit = save('audit.json', signedPackage(unsignedPackage('audit')));
const keys = save('keys.json', packageKeys);
const logKey = (seed: number): string => formatVerifierKey(verifierOf(testKey(seed), `${ORIGIN}/evidence`));
const { publicKey } = verifierOf(testKey(10), 'north.example');
const cosignature = SIGNATURE_TYPES.cosignature;
const witness = formatVerifierKey({
  name: 'north.example',
  type: cosignature,
  publicKey,
  keyId: keyIdOf(nativePrimitives, 'north.example', cosignature, publicKey),
});
const policy = save('policy', `witness north ${witness}\nquorum north\n`);
const lenient = save('lenient', 'quorum none\n');

describe('verify of a compliance package', () => {
  test('says in words what a genuine package is about, and prints the result as JSON', async () => {
    const { code, stdout, stderr } = await run(['verify', audit, '--keys', keys]);
    expect(code).toBe(0);
    expect(stderr.split('\n')).toEqual([
      'valid: The package is authentic and unchanged, and its sampled references are in the logs; its sampled receipts are those of its subject. Not checked: whether others see the same log (--policy, --log).',
      expect.stringMatching(/^ {2}signer: did:key:\w+, key \S+; log of keys: receipts\.example\/keys$/),
      '  log: receipts.example/evidence has 8 entries, signed without a time',
      expect.stringMatching(
        /^ {2}SOC2_TYPE2 of agent [0-9a-f]{64}, 2026-03-01.*: 1 satisfied, 0 partial, 0 reported, 1 not assessed$/,
      ),
      '  5 of 5 references were sampled and checked',
      '',
    ]);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ verdict: 'valid', authentic: true, problems: [] });
    expect(result.package).toMatchObject({
      kind: 'audit',
      generated_at: GENERATED_AT,
      reference_sets: [{ name: 'evidence', count: 5, sampled: 5 }],
    });
  });

  test('reads a package in one line, in many lines, and from standard input', async () => {
    for (const name of ['assessment', 'audit', 'datacenter']) {
      const vector = join(VECTORS, 'package', `${name}.json`);
      const { code, stdout, stderr } = await run([
        ...['verify', vector, '--keys', join(VECTORS, 'package', 'keys.json')],
      ]);
      expect([name, code, JSON.parse(stdout).package.kind]).toEqual([name, 0, name]);
      // Of the set of receipts 20, and of the set of all 16.
      expect(stderr.includes('not shown: that 36 of the sampled entries are of the agent')).toBe(
        name === 'assessment',
      );
    }
    const sponsor = join(VECTORS, 'package', 'sponsor.json');
    const { stdout, stderr } = await run(['verify', sponsor, '--keys', keys]);
    expect(stderr).toStartWith(
      'valid: The package is authentic and unchanged, and its sampled references are in the logs; its sampled receipts are those of its subject. Not checked: ',
    );
    expect(stderr).toContain(
      '  shown: that 36 of the sampled entries of receipts are of the agent, by its receipts from op_cus_',
    );
    expect(JSON.parse(stdout).package.sampled_receipts).toMatchObject({ sampled: 36, shown: 36 });
    const text = JSON.stringify(signedPackage(unsignedPackage('audit')));
    for (const stdin of [text, `${text}\n`]) {
      const { code } = await run(['verify', '-', '--keys', keys], { stdin });
      expect(code).toBe(0);
    }
  });

  test('names what is wrong, and does not describe a package that is not authentic', async () => {
    const wrong = PACKAGE_CASES.find(({ name }) => name === 'another entry in the sample');
    const { code, stdout, stderr } = await run(['verify', save('wrong', wrong?.document), '--keys', keys]);
    expect([code, JSON.parse(stdout).package]).toEqual([1, null]);
    expect(stderr).toStartWith('bad_signature: ');
    expect(stderr).toContain('\n  reference_sets[0].sample[0].path does not lead ');
  });

  test('quotes nothing that a terminal would obey', async () => {
    const framework_edition = '2017\u001b[2J\nvalid: yes';
    const document = signedPackage({
      ...unsignedPackage('audit'),
      framework_edition,
      generated_at: '9999-01-01T00:00:00.000Z',
    });
    const { stdout, stderr } = await run(['verify', save('hostile', document), '--keys', keys]);
    expect(stdout + stderr).not.toContain('\u001b');
    expect(stderr.split('\n').filter((line) => line.startsWith('valid'))).toEqual([]);
  });

  describe('ends as src/tools/python/verify.py does:', () => {
    const cases: [code: number, ...args: string[]][] = [
      [0, audit, '--keys', keys],
      [1, audit, '--keys', keys, '--log-key', logKey(7)],
      [1, audit, '--keys', keys, '--policy', policy],
      [0, audit, '--keys', keys, '--policy', lenient],
      [2, audit, '--keys', keys, '--proof', keys],
      [2, audit, '--keys', keys, '--status', keys],
      [2, audit, '--keys', keys, '--at', 'today'],
    ];
    for (const [code, ...args] of cases) {
      const said = args.map((arg) => arg.replace(`${directory.path}/`, '').slice(0, 40)).join(' ');
      test.skipIf(!hasPython)(`${code}: ${said}`, async () => {
        const ours = await run(['verify', ...args]);
        const theirs = runPython(...args);
        expect([ours.code, theirs.code, ours.stderr]).toEqual([code, code, expect.any(String)]);
        expect(theirs.stderr).not.toContain('Traceback');
      });
    }
  });

  for (const [option, value] of [
    ['--proof', 'proof'],
    ['--status', 'status'],
    ['--revocations', 'https://trust.example'],
    ['--domain', 'CODE_GENERATION'],
  ] as const) {
    test(`refuses ${option}, which is for receipts`, async () => {
      const { code, stderr } = await run(['verify', audit, '--keys', keys, option, value]);
      expect(code).toBe(2);
      expect(stderr).toContain(`${option} is for receipts, but this is a compliance package`);
    });
  }

  test('among many receipts counts as malformed', async () => {
    const text = JSON.stringify(signedPackage(unsignedPackage('audit')));
    const { code, stdout } = await run(['verify', '-', '--keys', keys], { stdin: `${text}\n${text}\n` });
    expect([code, JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')]).toMatchObject([
      1,
      { checked: 2, valid: 0, verdicts: { malformed: 2 }, revocation: 'not_checked' },
    ]);
  });
});
