import { expect, test } from 'bun:test';
import { staffingDialect } from '../../../../src/staffing/http/dialect.ts';

test('an error is said with its code, and what is wrong field by field', () => {
  const { errorBody } = staffingDialect;
  const problem = { code: 'UNKNOWN_SPECIALTY', message: 'no', requestId: 'r' };
  expect(errorBody(problem)).toEqual({
    error: { code: 'UNKNOWN_SPECIALTY', message: 'no', request_id: 'r' },
  });
  expect(
    errorBody({ ...problem, issues: { specialty: ['a', 'b'] }, members: { suggestions: ['c'] } }),
  ).toEqual({
    error: {
      code: 'UNKNOWN_SPECIALTY',
      message: 'no',
      request_id: 'r',
      details: [
        { field: 'specialty', message: 'a', suggestions: ['c'] },
        { field: 'specialty', message: 'b' },
      ],
    },
  });
});
