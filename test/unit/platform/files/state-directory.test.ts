import { expect, test } from 'bun:test';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { stateDirectory } from '../../../../src/platform/files/state-directory.ts';

test('the state of a user is where the XDG specification says', () => {
  expect(stateDirectory({ XDG_STATE_HOME: '/state' })).toBe('/state/countersign');
  expect(stateDirectory({ XDG_STATE_HOME: '' })).toBe(join(homedir(), '.local/state/countersign'));
});
