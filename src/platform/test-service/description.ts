import type { Demonstration } from '../http/openapi/demonstration.ts';
import { TEST_NOTICE } from '../http/openapi/demonstration.ts';
import text from './api.md' with { type: 'text' };

/** What a test service says of itself in its documentation. It fills in no key. */
export const TEST_SERVICE: Demonstration = {
  kind: 'test',
  note: 'Its clock, its faults and its reset are operations below `/_test`.',
  authorized: {},
  tokens: {},
};

/** The start-up output of a test service, above its keys. */
export const TEST_ANNOUNCEMENT: readonly string[] = [
  TEST_NOTICE,
  'Everything is removed when it ends. It ends with the process that started it.',
  '',
];

/**
 * Returns the texts of the operations of a test service.
 * @param errors the codes and sets of errors of the service, as `api.md` names them
 */
export function testDescriptions(errors: { keyed: string; body: string; state: string }): string {
  return text
    .replaceAll('{keyed}', errors.keyed)
    .replaceAll('{body}', errors.body)
    .replaceAll('{state}', errors.state);
}
