import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CREDENTIAL_VECTORS, credentialVectors } from '../../../support/credential-vectors.ts';

test('the vectors of credentials are those of their script', () => {
  for (const [name, text] of credentialVectors())
    expect([name, readFileSync(join(CREDENTIAL_VECTORS, name), 'utf8')]).toEqual([name, text]);
});
