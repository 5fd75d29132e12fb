import { expect, test } from 'bun:test';
import { DEMO_ADMIN_TOKEN, DEMO_KEY } from '../../../src/staffing/http/example-ids.ts';
import { DEMO_API_KEY } from '../../../src/trust/http/example-ids.ts';
import { STAFFING_DOCUMENTS } from '../../support/openapi.ts';
import { scratch, serve } from '../../support/process.ts';
import { tryFromTop } from '../../support/try-it-out.ts';

/**
 * Operations that need what only somebody outside can sign, and the words of their description that say so.
 */
const OUTSIDE: Readonly<Record<string, RegExp>> = {
  'POST /api/v1/passport/agents/autonomous/provision': /countersign solve/,
  'POST /api/v1/agent-pay/settlement': /signature of the rail/,
  'POST /api/v1/passport/engagements/{taskId}/arbiter-consent': /signature is of nobody/,
  'POST /api/billing/webhook': /For the payment processor\. The signature covers the exact bytes/,
};

test.each([
  ['trust', ['/openapi.json'], { apiKey: DEMO_API_KEY }, Object.keys(OUTSIDE)],
  ['staffing', STAFFING_DOCUMENTS, { apiKey: DEMO_KEY, adminToken: DEMO_ADMIN_TOKEN }, []],
] as const)(
  'on a fresh demonstration of the %s service, the examples work from the top of the page to its end',
  async (service, documents, tokens, refused) => {
    const { path, dispose } = scratch();
    try {
      const server = await serve(`${path}/data`, {}, ['--demo', '--service', service]);
      for (const at of documents) {
        const document = await (await fetch(`${server.url}${at}`)).json();
        const tried = await tryFromTop(server.url, document, tokens);
        const failed = tried.filter(({ status }) => status >= 300);
        const unexpected = failed.filter(({ name }) => !refused.some((one) => one === name));
        expect(unexpected).toEqual([]);
        expect(failed).toHaveLength(refused.length);
        for (const { name, description } of failed) expect(description).toMatch(OUTSIDE[name] ?? /^$/);
        expect(failed.length / tried.length).toBeLessThanOrEqual(0.035);
      }
      expect((await server.stop()).code).toBe(0);
    } finally {
      dispose();
    }
  },
);
