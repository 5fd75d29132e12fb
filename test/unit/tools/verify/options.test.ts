import { describe, expect, test } from 'bun:test';
import { type CommandOptions, requireOptions } from '../../../../src/tools/verify/options/by-document.ts';
import { checkedOptions } from '../../../../src/tools/verify/options/combinations.ts';
import { OPERATOR } from '../../../support/made-account.ts';

const ACCOUNT = {
  complete: true,
  operator: OPERATOR,
  log: './log',
  policy: 'policy.txt',
  keys: 'keys.json',
};
const TRUST = { keys: 'keys.json', policy: 'policy.txt', logKey: undefined, anyLog: false };

test('completeness needs an operator, a log and a policy, and keys unless the log is of a service', () => {
  expect(checkedOptions('f', ACCOUNT)).toEqual({
    subject: 'account',
    operator: OPERATOR,
    log: './log',
    trust: TRUST,
    predecessors: [],
    from: null,
    allowsUnlinked: false,
  });
  const service = { ...ACCOUNT, log: 'https://trust.example/log', logKey: ['key'], allowUnlinked: true };
  expect(checkedOptions('f', { ...service, keys: undefined })).toMatchObject({
    trust: { keys: 'https://trust.example/', logKey: ['key'] },
    allowsUnlinked: true,
  });
  for (const option of ['operator', 'log', 'policy', 'keys'])
    expect(() => checkedOptions('f', { ...ACCOUNT, [option]: undefined })).toThrow(
      `--complete needs --${option}`,
    );
  for (const operator of ['', 'op_cus_short', `${OPERATOR}x`, OPERATOR.replace('op', 'OP')])
    expect(() => checkedOptions('f', { ...ACCOUNT, operator })).toThrow('is not the id of an operator');
});

test('completeness has no options of one receipt, and they are not for documents', () => {
  for (const option of ['proof', 'status', 'revocations', 'domain', 'at', 'linked', 'entry', 'issuer'])
    expect(() => checkedOptions('f', { ...ACCOUNT, [option]: 'x' })).toThrow(
      `--${option} makes no sense with --complete`,
    );
  expect(checkedOptions('f', { keys: 'keys.json', policy: 'policy.txt' })).toMatchObject({
    subject: 'input',
    trust: TRUST,
  });
  expect(() => checkedOptions('f', { operator: OPERATOR })).toThrow('--operator is for --complete');
  expect(() => checkedOptions('f', { linked: true, operator: OPERATOR })).toThrow(
    '--operator is for --complete',
  );
  expect(() => checkedOptions('f', { allowUnlinked: true })).toThrow('--allow-unlinked is for --complete');
  expect(() => checkedOptions('f', { from: 0 })).toThrow('--from is for --complete');
});

test('standard input is read once', () => {
  for (const option of ['keys', 'proof', 'status'])
    expect(() => checkedOptions('-', { [option]: '-' })).toThrow('standard input can be read once');
  expect(() => checkedOptions('f', { keys: '-', status: '-' })).toThrow('standard input can be read once');
});

describe('the options of a document', () => {
  const K: CommandOptions = { keys: 'keys.json' };
  const ROWS: [Parameters<typeof requireOptions>[0], string, CommandOptions, string | null][] = [
    ['receipt', 'receipt', K, null],
    ['receipt', 'receipt', {}, "required option '--keys <file|url>' not specified"],
    ['receipt', 'receipt', { ...K, at: 1, domain: 'd', proof: 'x', status: 'x', revocations: 'x' }, null],
    ['receipt', 'receipt', { ...K, proof: 'x', policy: 'x', logKey: ['x'], anyLog: true }, null],
    ['receipt', 'receipt', { ...K, revocations: 'x', policy: 'x' }, null],
    ['receipt', 'receipt', { ...K, status: 'x', policy: 'x' }, '--policy has nothing to verify'],
    ['receipt', 'receipt', { ...K, logKey: ['x'] }, '--log-key has nothing to verify'],
    ['receipt', 'receipt', { ...K, anyLog: true }, '--any-log has nothing to verify'],
    ['receipt', 'receipt', { ...K, log: 'x' }, '--log has nothing to compare'],
    ['receipt', 'receipt', { ...K, log: 'x', proof: 'x' }, null],
    ['evidence', 'item of evidence', { ...K, log: 'x' }, '--log has nothing to compare'],
    ['evidence', 'item of evidence', { ...K, log: 'x', proof: 'x' }, null],
    ['citesLogs', 'checkpoint', { ...K, log: 'x' }, null],
    [
      'statement',
      'passport',
      { ...K, log: 'x' },
      'a passport has no checkpoint that --log could be compared with',
    ],
    ['cose', 'COSE receipt', { ...K, log: 'x', entry: 'x' }, 'a COSE receipt has no checkpoint that --log'],
    ['receipt', 'receipt', { ...K, entry: 'x' }, '--entry is for COSE receipts'],
    ['receipt', 'receipt', { ...K, entry: 'x', proof: 'x' }, null],
    [
      'receipt',
      'receipt',
      { ...K, issuer: 'x' },
      '--issuer is for documents that name an issuer, but this is a receipt',
    ],
    ['receipt with a proof', 'receipt', { ...K, entry: 'x', proof: 'x' }, '--entry is for COSE receipts'],
    [
      ...(['receipt with a COSE receipt', 'receipt', { ...K, proof: 'x' }] as const),
      'a COSE receipt does not have the entry',
    ],
    [
      ...(['receipt with a COSE receipt', 'receipt', { ...K, proof: 'x', policy: 'x', entry: 'x' }] as const),
      'a COSE receipt has no cosignatures, which --policy demands',
    ],
    ['receipts', 'receipt', { ...K, ndjson: true, domain: 'd', revocations: 'x', policy: 'x' }, null],
    ['receipts', 'receipt', { ...K, proof: 'x' }, 'are of one receipt, but the input has many'],
    ['receipts', 'receipt', { ...K, status: 'x' }, 'are of one receipt, but the input has many'],
    ['receipts', 'receipt', { ...K, policy: 'x' }, '--policy has nothing to verify'],
    ['statement', 'letter', K, null],
    ['statement', 'letter', { ...K, proof: 'x' }, '--proof is for receipts, but this is a letter'],
    ['statement', 'letter', { ...K, status: 'x' }, '--status is for receipts, but this is a letter'],
    [
      'statement',
      'letter',
      { ...K, revocations: 'x' },
      '--revocations is for receipts, but this is a letter',
    ],
    ['statement', 'letter', { ...K, domain: 'x' }, '--domain is for receipts, but this is a letter'],
    ['statement', 'letter', { ...K, policy: 'x' }, 'a letter cites no log'],
    ['statement', 'letter', { ...K, logKey: ['x'] }, 'a letter cites no log'],
    ['statement', 'item', { ...K, anyLog: true }, 'an item cites no log'],
    ['selfContained', 'AGORA proposal', {}, null],
    ['selfContained', 'AGORA proposal', { policy: 'x' }, 'an AGORA proposal cites no log'],
    ['citesLogs', 'letter', { ...K, policy: 'x', logKey: ['x'], anyLog: true }, null],
    ['keyList', 'list of keys', { ...K, log: 'x', policy: 'x' }, null],
    ['keyList', 'list of keys', K, 'a list of keys cannot be verified by itself'],
    ['keyList', 'list of keys', {}, "required option '--keys"],
    ['cose', 'COSE receipt', { ...K, entry: 'x', logKey: ['x'] }, null],
    ['cose', 'COSE receipt', { ...K, entry: 'x', policy: 'x' }, 'a COSE receipt has no cosignatures'],
    ['cose', 'COSE receipt', K, 'a COSE receipt cannot be verified by itself'],
    ['credential', 'credential', { ...K, status: 'x', issuer: 'x', at: 1 }, null],
    ['credential', 'credential', { ...K, proof: 'x' }, '--proof is for receipts, but this is a credential'],
    ['status list', 'credential', { ...K, status: 'x' }, '--status is for credentials, but this is a status'],
    ['evidence', 'item of evidence', { ...K, proof: 'x', policy: 'x', logKey: ['x'] }, null],
    ['evidence', 'item of evidence', { ...K, policy: 'x' }, '--policy has nothing to verify'],
    ['evidence', 'item of evidence', { ...K, logKey: ['x'] }, '--log-key has nothing to verify'],
    [
      'evidence',
      'item of evidence',
      { ...K, status: 'x' },
      'is for receipts, but this is an item of evidence',
    ],
  ];

  test.each(ROWS)('%s, a %s with %j: %p', (row, name, given, message) => {
    const check = () => requireOptions(row, given, name);
    if (message === null) expect(check).not.toThrow();
    else expect(check).toThrow(message);
  });
});
