import { expect, test } from 'bun:test';
import { asFailure, Failure } from '../../../src/platform/failure.ts';
import { defineErrors } from '../../../src/platform/http/errors/define-errors.ts';
import { MigrationError } from '../../../src/platform/store/migrations/migrate.ts';

test('every error becomes a failure with its hint, if it has one', () => {
  const failure = new Failure('wrong', 'do right', 2);
  expect(asFailure(failure)).toBe(failure);
  expect(asFailure(new MigrationError('newer', 'upgrade'))).toMatchObject({
    message: 'newer',
    hint: 'upgrade',
    exitCode: 1,
  });
  expect(asFailure(new Error('plain'))).toMatchObject({ message: 'plain', hint: null, exitCode: 1 });
  const { invalid } = defineErrors({ invalid: { status: 400, message: 'No.', remedy: 'Correct it.' } });
  const refusal = invalid({ issues: { role: ['is none'], name: ['is too long'] } });
  expect(asFailure(refusal)).toMatchObject({
    message: 'role is none; name is too long',
    hint: 'correct the value; --help of the command shows its form',
    exitCode: 2,
  });
  expect(asFailure('text')).toMatchObject({ message: 'text', hint: null });
});
