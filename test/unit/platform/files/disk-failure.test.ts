import { expect, test } from 'bun:test';
import { Failure } from '../../../../src/platform/failure.ts';
import { asDiskFailure } from '../../../../src/platform/files/disk-failure.ts';
import { asStoreError } from '../../../../src/platform/store/errors.ts';

const coded = (code: string, more: object = {}) => Object.assign(new Error('no'), { code, ...more });

test.each([
  [
    'a file that the runtime names',
    coded('ENOSPC', { path: '/data/log.high-water.new' }),
    '/data/log.high-water.new cannot be written (ENOSPC)',
    /is full/,
  ],
  ['what SQLite did not write', coded('SQLITE_FULL'), '/data cannot be written (SQLITE_FULL)', /is full/],
  [
    'a write of the store',
    asStoreError(coded('SQLITE_FULL')),
    '/data cannot be written (SQLITE_FULL)',
    /is full/,
  ],
  [
    'shared memory',
    coded('SQLITE_IOERR_SHMSIZE'),
    '/data cannot be written (SQLITE_IOERR_SHMSIZE)',
    /is full/,
  ],
  [
    'a quota',
    coded('EDQUOT', { path: '/data/keys' }),
    '/data/keys cannot be written (EDQUOT)',
    /quota of this user is full/,
  ],
  [
    'a disk that fails',
    coded('EIO', { path: '/data/keys' }),
    '/data/keys cannot be written (EIO)',
    /the disk works/,
  ],
])('%s: the start says which file and what to do', (_name, error, message, hint) => {
  expect(asDiskFailure(error, '/data')).toMatchObject({
    name: 'Failure',
    message,
    hint: expect.stringMatching(hint),
    exitCode: 1,
  });
});

test.each([
  ['a failure that is explained already', new Failure('said already', 'and how')],
  ['a busy database', coded('SQLITE_BUSY')],
  ['another error', new Error('else')],
  ['what is no error', 'text'],
])('what is not about the disk stays what it is: %s', (_what, error) => {
  expect(asDiskFailure(error, '/data')).toBe(error);
});
