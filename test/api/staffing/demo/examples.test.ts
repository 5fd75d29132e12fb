import { afterAll, describe, expect, test } from 'bun:test';
import { staffingServiceDefinition } from '../../../../src/staffing/definition.ts';
import { DEMO_ADMIN_TOKEN, DEMO_KEY } from '../../../../src/staffing/http/example-ids.ts';
import { staffingModules } from '../../../../src/staffing/service/modules.ts';
import { demoCopies } from '../../../support/demo.ts';
import { examplesOf } from '../../../support/try-it-out.ts';

const ORIGIN = 'http://127.0.0.1:3000';

const demo = await demoCopies(staffingServiceDefinition(staffingModules));
afterAll(() => demo.dispose());

const examples = examplesOf(demo.document);

describe('"Try it out" on a fresh demonstration of the staffing service, with the example unedited:', () => {
  for (const { name, method, path, body, schemes } of examples) {
    test(`${name} returns 2xx`, async () => {
      const headers = new Headers();
      // As Swagger UI sends it: the key that is filled in, wherever an operation takes one.
      if (schemes.includes('apiKey')) headers.set('authorization', `Bearer ${DEMO_KEY}`);
      if (body !== null) headers.set('content-type', 'application/json');
      if (schemes.includes('adminToken')) headers.set('authorization', `Bearer ${DEMO_ADMIN_TOKEN}`);
      const { status, text } = await demo.fetch(async () => {
        return new Request(`${ORIGIN}${path}`, { method, headers, body });
      });
      expect([Math.floor(status / 100), status < 300 ? '' : text]).toEqual([2, '']);
    });
  }
});
