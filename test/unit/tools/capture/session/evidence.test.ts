import { expect, test } from 'bun:test';
import { generateKeyPair } from '../../../../../src/platform/crypto/key-files.ts';
import { evidenceOf } from '../../../../../src/tools/capture/session/evidence.ts';

test('the evidence of a call can be signed, whatever its names are, and stays small', () => {
  const odd = `\ud800\u0000${'T'.repeat(3_000_000)}`;
  const { payload, signature } = evidenceOf(generateKeyPair('Ed25519'), {
    captureId: 'cap_1',
    call: {
      scope: `mcp:server:${odd}`,
      inputDigest: 'a'.repeat(64),
      details: { method: odd, tool: odd, requestId: odd, traceparent: odd },
    },
    body: { status: 'terminal', terminal_reason: 'the tool reported an error' },
    returned: {},
    startedAt: 1,
    endedAt: 2,
  });
  expect(signature).toMatch(/^[0-9a-f]{128}$/);
  expect(JSON.stringify(payload).length).toBeLessThan(4096);
  expect(payload.name).toBe(`execute_tool __${'T'.repeat(254)}`);
});
