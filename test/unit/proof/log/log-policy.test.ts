import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nativePrimitives as p } from '../../../../src/platform/crypto/crypto.ts';
import {
  type LogPolicy,
  LogPolicyError,
  meetsQuorum,
  parseLogPolicy,
} from '../../../../src/proof/log/log-policy.ts';
import { formatVerifierKey, keyIdOf, SIGNATURE_TYPES } from '../../../../src/proof/log/note.ts';
import { COLLIDING_SEEDS, newNoteSigner } from './signed-notes.ts';

const log = newNoteSigner('log.example', 'ed25519').key;
const LOG = formatVerifierKey(log);
const WITNESSES = Array.from(
  { length: 6 },
  (_, index) => newNoteSigner(`w${index}.example`, 'cosignature').key,
);
const [W = log] = WITNESSES;
const VKEY = formatVerifierKey(W);
/** The same public key under another type, and so another id. */
const retyped = (name: string, type: number): string =>
  formatVerifierKey({ ...W, name, type, keyId: keyIdOf(p, name, type, W.publicKey) });

/** The example of C2SP tlog-policy. */
const EXAMPLE = `log ${LOG}

${WITNESSES.map((key, index) => `witness ${'XY'[Math.floor(index / 3)]}${(index % 3) + 1} ${formatVerifierKey(key)}`).join('\n')}
group X-witnesses 2 X1 X2 X3
group Y-witnesses any Y1 Y2 Y3
group X-and-Y all X-witnesses Y-witnesses
quorum X-and-Y
`;

describe('a policy', () => {
  const parse = (text: string): LogPolicy => parseLogPolicy(p, text);

  test('is read as the example of C2SP says', () => {
    const policy = parse(EXAMPLE);
    expect(policy.logs).toEqual([{ key: log, url: null }]);
    expect(policy.witnesses.map(({ name }) => name)).toEqual(['X1', 'X2', 'X3', 'Y1', 'Y2', 'Y3']);
    expect(policy.witnesses.map(({ key }) => key)).toEqual(WITNESSES);
    const met = (...names: string[]): boolean => meetsQuorum(policy, new Set(names));
    expect(met('X1', 'X3', 'Y2')).toBe(true);
    expect(met('X1', 'X2', 'X3', 'Y1', 'Y2', 'Y3')).toBe(true);
    expect(met('X1', 'Y1', 'Y2', 'Y3')).toBe(false);
    expect(met('X1', 'X2', 'X3')).toBe(false);
    expect(met('X1', 'X3', 'Y4', 'Y-witnesses')).toBe(false);
    expect(met()).toBe(false);
  });

  test('may ask for no witness, or for one', () => {
    const none = parse('quorum none\n');
    expect(none).toEqual({ logs: [], witnesses: [], quorum: null });
    expect(meetsQuorum(none, new Set())).toBe(true);
    const one = parse(`witness w ${VKEY}\nquorum w\n`);
    expect(meetsQuorum(one, new Set(['w']))).toBe(true);
    expect(meetsQuorum(one, new Set(['v']))).toBe(false);
  });

  test('may have comments, tabs, empty lines, URLs, names of any script and lines after the quorum', () => {
    const pq = newNoteSigner('log.example', 'mlDsa44').key;
    const text = `# é\n\t #x\n  \n\tlog \t ${LOG}\thttps://log.example/ \nwitness свидетель ${VKEY} https://w.example\n quorum свидетель\nlog ${formatVerifierKey(pq)}\n`;
    expect(parse(text)).toEqual({
      logs: [
        { key: log, url: 'https://log.example/' },
        { key: pq, url: null },
      ],
      witnesses: [{ name: 'свидетель', key: W, url: 'https://w.example' }],
      quorum: { witness: 'свидетель' },
    });
  });

  const two = `witness a ${VKEY}\nwitness b ${formatVerifierKey(WITNESSES[1] ?? W)}\n`;
  test.each<[string, string, string]>([
    ['nothing', '', 'line 0: the policy ends without a quorum'],
    ['no quorum', two, 'line 2: the policy ends without a quorum'],
    ['no last newline', 'quorum none', 'line 1: the line does not end with a newline'],
    ['a carriage return', 'quorum none\r\n', 'line 1: the line has a control character'],
    ['a delete character', '# \x7f\nquorum none\n', 'line 1: the line has a control character'],
    [
      'another keyword',
      '\nlogs x\nquorum none\n',
      'line 2: the line does not begin with log, witness, group or quorum',
    ],
    [
      'a keyword in upper case',
      'Quorum none\n',
      'the line does not begin with log, witness, group or quorum',
    ],
    ['a log without a key', 'log\n', 'line 1: the line is not "log <vkey> [<url>]"'],
    ['a log with two URLs', `log ${LOG} a b\n`, 'is not "log'],
    ['a log with no key', 'log x\n', 'a verifier key must be'],
    ['a log by a cosigner', `log ${VKEY}\n`, 'a key of type 4 is not allowed here'],
    [
      'a log twice',
      `log ${LOG}\nlog ${LOG} url\n`,
      'line 2: the public key is the same as in a previous line',
    ],
    ['a witness without a key', 'witness w\n', 'is not "witness'],
    ['a witness without anything', 'witness\n', 'is not "witness'],
    ['a witness with two URLs', `witness w ${VKEY} a b\n`, 'is not "witness'],
    ['a witness with a key for plain notes', `witness w ${LOG}\n`, 'a key of type 1 is not allowed here'],
    ['a witness of one key twice', `${two}witness c ${retyped('c', 4)}\n`, 'line 3: the public key'],
    ['a witness called none', `witness none ${VKEY}\n`, 'the name none is already used'],
    ['a name twice', `${two}group a any b\n`, 'line 3: the name a is already used'],
    ['a group called none', `${two}group none any b\n`, 'the name none is already used'],
    ['a group of nobody', `${two}group g all\n`, 'is not "group'],
    ['a group without a rule', `${two}group g\n`, 'is not "group'],
    ['a group of none', `${two}group g any none\n`, 'witness or group none'],
    ['a group of itself', `${two}group g any g\n`, 'witness or group g'],
    ['a group of what comes later', `${two}group g any h\ngroup h any a\n`, 'line 3: no previous line'],
    ['a member twice', `${two}group g any a a\n`, 'a is already a member of a group'],
    ['a member of two groups', `${two}group g any a\ngroup h any b a\n`, 'line 4: a is already a member'],
    ['a threshold of 0', `${two}group g 0 a b\n`, '0 is not all, any or a number from 1 to 2'],
    ['a threshold beyond the members', `${two}group g 3 a b\n`, '3 is not all'],
    ['a threshold with a leading zero', `${two}group g 01 a b\n`, '01 is not all'],
    ['a threshold that is none', `${two}group g most a b\n`, 'most is not all'],
    ['an unknown quorum', `${two}quorum c\n`, 'no previous line defines a witness or group c'],
    ['a quorum of what comes later', `quorum a\n${two}`, 'line 1: no previous line'],
    ['two quorums', 'quorum none\nquorum none\n', 'line 2: the policy has a second quorum'],
    ['a quorum of two', `${two}quorum a b\n`, 'the line is not "quorum <name>"'],
    ['a quorum of nothing', 'quorum\n', 'the line is not "quorum <name>"'],
  ])('with %s is refused', (_, text, message) => {
    expect(() => parse(text)).toThrow(LogPolicyError);
    expect(() => parse(text)).toThrow(message);
  });

  test('nests groups as deep as it has lines for, which are not without end', () => {
    const group = (index: number): string => `group g${index} all ${index === 0 ? 'w' : `g${index - 1}`}\n`;
    const nested = (count: number): string =>
      `witness w ${VKEY}\n${Array.from({ length: count }, (_, index) => group(index)).join('')}quorum g${count - 1}\n`;
    expect(meetsQuorum(parse(nested(1023)), new Set(['w']))).toBe(true);
    expect(() => parse(nested(1024))).toThrow('line 1025: more than 1024 definitions');
  });

  test('counts thresholds as they are defined', () => {
    const names = WITNESSES.map((_, index) => `w${index}`);
    const lines = WITNESSES.map((key, index) => `witness w${index} ${formatVerifierKey(key)}\n`).join('');
    const property = fc.property(
      fc.integer({ min: 1, max: 6 }),
      fc.subarray(names),
      (threshold, cosigned) => {
        const policy = parse(`${lines}group g ${threshold} ${names.join(' ')}\nquorum g\n`);
        expect(meetsQuorum(policy, new Set(cosigned))).toBe(cosigned.length >= threshold);
      },
    );
    fc.assert(property);
  });

  test('is refused by a LogPolicyError alone, which names the line', () => {
    const word = fc.constantFrom(
      'log',
      'witness',
      'group',
      'quorum',
      'none',
      'a',
      'b',
      'any',
      '1',
      LOG,
      VKEY,
      '#',
    );
    const line = fc.oneof(
      fc.array(word).map((words) => words.join(' ')),
      fc.string({ unit: 'binary' }),
    );
    const property = fc.property(fc.array(line), (lines) => {
      try {
        parse(`${lines.join('\n')}\n`);
      } catch (error) {
        expect(error).toBeInstanceOf(LogPolicyError);
        if (error instanceof LogPolicyError) expect(error.message).toStartWith(`line ${error.line}: `);
      }
    });
    fc.assert(property, { numRuns: 500 });
  });

  test('refuses logs of several names with the same key', () => {
    const { key } = newNoteSigner('a.example/receipts', 'ed25519');
    const named = (name: string): string =>
      `log ${formatVerifierKey({ ...key, name, keyId: keyIdOf(p, name, key.type, key.publicKey) })}\n`;
    const shared = `${named('a.example/receipts')}${named('a.example/keys')}`;
    expect(() => parse(`${shared}quorum none\n`)).toThrow(/line 2: the public key/);
  });

  test('refuses two keys whose signature lines cannot be told apart', () => {
    const [one, other] = COLLIDING_SEEDS.map((seed) => newNoteSigner('w.example', 'cosignature', seed));
    if (one === undefined || other === undefined) throw new Error('there are two seeds');
    expect([one.key.keyId, one.key.publicKey.length]).toEqual([other.key.keyId, 32]);
    expect(one.key.publicKey).not.toEqual(other.key.publicKey);
    const lines = [one, other].map(({ key }, index) => `witness w${index} ${formatVerifierKey(key)}\n`);
    expect(() => parse(`${lines.join('')}group g all w0 w1\nquorum g\n`)).toThrow(
      'line 2: another key in a previous line has the same name and key id',
    );
    expect(parse(`${lines[1]}quorum w1\n`).witnesses.length).toBe(1);
  });

  test('takes ML-DSA-44 from logs and witnesses', () => {
    const pq = formatVerifierKey(newNoteSigner('pq.example', 'mlDsa44').key);
    const policy = parse(`log ${pq}\nwitness w ${pq}\nquorum w\n`);
    expect([policy.logs[0]?.key.type, policy.witnesses[0]?.key.type]).toEqual([
      SIGNATURE_TYPES.mlDsa44,
      SIGNATURE_TYPES.mlDsa44,
    ]);
  });
});
