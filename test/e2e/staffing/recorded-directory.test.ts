import { afterAll, expect, test } from 'bun:test';
import { client } from '../../support/client.ts';
import { run, scratch } from '../../support/process.ts';
import { expected, unpack } from '../../support/recorded/archive.ts';
import { served } from '../../support/recorded/session.ts';
import { staffingFacts } from '../../support/recorded/staffing-facts.ts';

const API = '/api/staffing/partner/v1';
const { known, facts } = expected().staffing;

const directory = scratch();
afterAll(() => directory.dispose());

test('the recorded directory of the staffing service is migrated, has everything that was recorded, and takes more', async () => {
  const data = unpack('staffing', directory.path);
  const migrated = await run(['migrate', '--service', 'staffing', '--data', data]);
  expect([migrated.code, migrated.stderr]).toEqual([0, expect.any(String)]);
  await served(data, {}, ['--service', 'staffing'], async ({ url }) => {
    const found = await staffingFacts(url, data, known);
    // Member by member, so that a failure names what is lost.
    for (const [member, rows] of Object.entries(facts))
      expect({ [member]: Object(found)[member] }).toEqual({ [member]: rows });
    for (const key of known.keys) {
      const partner = client(fetch, url, key);
      const hidden = await partner.get(`${API}/clinicians/${known.suppressed}`);
      expect(hidden.status).toBe(404);
      const job = { title: 'ICU nurse', specialty: 'ICU RN', state: 'CA', external_id: 'a new one' };
      expect((await partner.post(`${API}/jobs`, job)).status).toBe(201);
    }
  });
}, 180_000);
