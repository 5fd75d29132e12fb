import { expect, test } from 'bun:test';
import { completeOptions } from '../../../../../src/tools/verify/complete/options.ts';
import { OPERATOR } from '../../../../support/made-account.ts';

const ASKED = { complete: true, operator: OPERATOR, log: './log', policy: 'policy.txt', keys: 'keys.json' };

test('completeness needs an operator, a log and a policy, and keys unless the log is of a service', () => {
  expect(completeOptions(ASKED)).toEqual({
    operator: OPERATOR,
    log: './log',
    policy: 'policy.txt',
    keys: 'keys.json',
  });
  const service = { ...ASKED, log: 'https://trust.example/log', logKey: ['key'], allowUnlinked: true };
  expect(completeOptions({ ...service, keys: undefined })).toMatchObject({
    keys: 'https://trust.example/',
    logKey: ['key'],
    allowUnlinked: true,
  });
  for (const option of ['operator', 'log', 'policy', 'keys'])
    expect(() => completeOptions({ ...ASKED, [option]: undefined })).toThrow(`--complete needs --${option}`);
  for (const operator of ['', 'op_cus_short', `${OPERATOR}x`, OPERATOR.replace('op', 'OP')])
    expect(() => completeOptions({ ...ASKED, operator })).toThrow('is not the id of an operator');
});

test('options that make no sense are refused', () => {
  for (const option of ['proof', 'status', 'revocations', 'domain', 'at', 'linked'])
    expect(() => completeOptions({ ...ASKED, [option]: 'x' })).toThrow(
      `--${option} makes no sense with --complete`,
    );
  expect(completeOptions({ keys: 'keys.json', policy: 'policy.txt' })).toBeNull();
  expect(() => completeOptions({ operator: OPERATOR })).toThrow('--operator is for --complete');
  expect(() => completeOptions({ allowUnlinked: true })).toThrow('--allow-unlinked is for --complete');
});
