import { afterAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { trustServiceDefinition } from '../../../../src/trust/definition.ts';
import { DEMO_API_KEY } from '../../../../src/trust/http/example-ids.ts';
import { trustModules } from '../../../../src/trust/service/modules.ts';
import { demoCopies } from '../../../support/demo.ts';
import { examplesOf } from '../../../support/try-it-out.ts';

const ORIGIN = 'http://127.0.0.1:3000';
const SESSION = `${ORIGIN}/api/v1/operator/session`;

/** What asks for something that only somebody outside signs, and the command that makes it. */
const SIGNED: Record<string, RegExp> = {
  'POST /api/billing/webhook': /stripe listen/,
  'POST /api/v1/agent-pay/settlement': /openssl dgst -sha256 -hmac/,
  'POST /api/v1/passport/engagements/{taskId}/arbiter-consent': /signature is of nobody/,
  'POST /api/v1/passport/agents/autonomous/provision': /countersign solve/,
};
/**
 * What an agent signed when the document was made: it is valid for minutes, so
 * test/e2e/commands/demo-examples.test.ts calls it.
 */
const SIGNED_BY_AGENTS = [
  'POST /api/v1/agora/negotiate',
  'POST /api/v1/passport/agents/enroll/complete',
  'POST /api/v1/passport/agents/{id}/keys',
];

const demo = await demoCopies(trustServiceDefinition(trustModules));
afterAll(() => demo.dispose());

const examples = examplesOf(demo.document);

describe('"Try it out" on a fresh demonstration of the trust service, with the example unedited:', () => {
  for (const { name, method, path, body, schemes, description } of examples) {
    if (SIGNED_BY_AGENTS.includes(name)) continue;
    const command = SIGNED[name];
    if (command !== undefined) {
      test(`${name} needs a fresh signature, and names what makes it`, () => {
        expect(description).toMatch(command);
      });
      continue;
    }
    test(`${name} answers 2xx`, async () => {
      const headers = new Headers();
      // As Swagger UI sends it: the key that is filled in, wherever an operation takes one.
      if (schemes.includes('apiKey')) headers.set('authorization', `Bearer ${DEMO_API_KEY}`);
      if (body !== null) headers.set('content-type', 'application/json');
      headers.set('x-requested-with', 'SwaggerUI');
      const { status, text } = await demo.fetch(async (fetch) => {
        // A session is opened first; the browser keeps its cookie.
        if (name === 'DELETE /api/v1/operator/session') {
          const opened = await fetch(new Request(SESSION, { method: 'POST', headers }));
          headers.set('cookie', opened.headers.get('set-cookie')?.split(';')[0] ?? '');
        }
        return new Request(`${ORIGIN}${path}`, { method, headers, body });
      });
      expect([Math.floor(status / 100), status < 300 ? '' : text]).toEqual([2, '']);
    });
  }

  test('every operation that needs a signature is there', () => {
    expect(examples.map(({ name }) => name)).toEqual(
      expect.arrayContaining([...Object.keys(SIGNED), ...SIGNED_BY_AGENTS]),
    );
  });

  test('docs/demonstration.md names the same operations, and the one that needs a session', () => {
    const page = readFileSync(`${import.meta.dir}/../../../../docs/demonstration.md`, 'utf8');
    const [, table = ''] = page.split('except for these:');
    const named = [...table.matchAll(/^\| `((?:GET|POST|PUT|DELETE) \S+)` \|/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual([...Object.keys(SIGNED), 'DELETE /api/v1/operator/session'].sort());
  });
});
