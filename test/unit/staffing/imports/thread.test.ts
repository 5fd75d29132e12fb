import { expect, test } from 'bun:test';
import { Failure } from '../../../../src/platform/failure.ts';
import { Refused } from '../../../../src/staffing/imports/rules.ts';
import { receivedError, sentError } from '../../../../src/staffing/imports/thread.ts';
import { Cancelled } from '../../../../src/staffing/imports/work.ts';

test.each([
  ['a cancelled import', new Cancelled(), Cancelled, null],
  ['a refused file', new Refused('too old', 'take a newer one'), Refused, 'take a newer one'],
  ['a failure with a hint', new Failure('broken', 'mend it'), Failure, 'mend it'],
  [
    'any other error',
    new TypeError('broken'),
    Failure,
    'import the file again; if it fails again, report the error',
  ],
  [
    'a thrown value that is no error',
    'broken',
    Failure,
    'import the file again; if it fails again, report the error',
  ],
])('%s is the same to the thread that started the import', (_name, error, type, hint) => {
  const received = receivedError(structuredClone(sentError(error)));
  expect(received).toBeInstanceOf(type);
  expect(received.message).toBe(error instanceof Error ? error.message : error);
  expect(received instanceof Failure ? received.hint : null).toBe(hint);
});

test('an error of the system keeps its code', () => {
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  expect(receivedError(structuredClone(sentError(full)))).toMatchObject({
    message: 'no space left on device',
    code: 'ENOSPC',
  });
});
