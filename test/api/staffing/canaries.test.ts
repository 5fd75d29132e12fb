import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildRegistry } from '../../../src/staffing/registry/build.ts';
import { makeCurrent } from '../../../src/staffing/registry/current.ts';
import { madeUpClinicians } from '../../../src/staffing/registry/sample/sample.ts';
import { embeddedTaxonomy } from '../../../src/staffing/registry/vocabulary/taxonomy.ts';
import { applySuppressions } from '../../../src/staffing/suppressions/apply-again.ts';
import { suppress } from '../../../src/staffing/suppressions/suppress.ts';
import { askEverything, type Canary, CanaryWatch, canaryText } from '../../support/canary.ts';
import { staffingDocument } from '../../support/openapi.ts';
import { recordOf } from '../../support/registry.ts';
import { ADMIN, openStaffingApp, PREFIX, type StaffingApp } from '../../support/staffing-app.ts';

let app: StaffingApp;
beforeAll(async () => {
  app = await openStaffingApp({ 'webhooks.allow_private': 'on' });
});
afterAll(() => app.close());

const FORMER = canaryText('former name');
const HIDDEN = canaryText('hidden clinician');

/**
 * A registry in which three clinicians are found by a name that is not theirs any more, and one is
 * suppressed.
 */
async function serveRegistry(): Promise<string[]> {
  const { staffing } = app.service;
  const npis = [...madeUpClinicians(4, 1)].map(({ npi }) => npi);
  const records = npis.map((npi, index) =>
    index < 3
      ? recordOf({
          npi,
          lastName: `WOOD${'ABC'[index]}`,
          formerNames: [FORMER],
          codes: ['163W00000X'],
          state: 'TX',
        })
      : recordOf({ npi, lastName: HIDDEN, firstName: HIDDEN, city: HIDDEN }),
  );
  const options = {
    asOf: '2026-03-01',
    sample: true,
    taxonomy: embeddedTaxonomy(),
    groupings: null,
    at: '2026-03-01T00:00:00.000Z',
  };
  makeCurrent(staffing.registryPath, buildRegistry(staffing.registryPath, records, options).name);
  await applySuppressions(staffing);
  staffing.registryChanged();
  await suppress(staffing, String(npis[3]), canaryText('reason'));
  return npis.map(String);
}

test('no operation of the staffing service reveals private texts to other callers, in any encoding', async () => {
  const npis = await serveRegistry();
  const canaries: Canary[] = [];
  const canary = (what: string, text: string, seenBy: readonly string[]): string => {
    canaries.push({ what, text, seenBy });
    return text;
  };
  canary('the former name', FORMER, []);
  canary('the suppressed clinician', HIDDEN, []);
  canary('why a clinician is suppressed', canaryText('reason'), []);
  canary('the admin token', ADMIN, []);
  const secret = await app.service.staffing.store.read(({ connection: { sqlite } }) =>
    sqlite.query<{ name: string; value: Uint8Array }, []>('SELECT name, value FROM secret').all(),
  );
  for (const { name, value } of secret) {
    canary(name, Buffer.from(value).toString('latin1'), []);
    canary(name, Buffer.from(value).toString('hex'), []);
  }

  const callers = [{ name: 'anyone', authorization: null as string | null }];
  const words: string[] = [...npis, npis[3] ?? ''];
  const partner = async (name: string): Promise<void> => {
    const seenBy = [name, `${name} live`, 'admin'];
    const email = `${canary(`the address of ${name}`, canaryText(`mail ${name}`), seenBy).toLowerCase()}@${name}.example`;
    const company = canary(`the company ${name}`, canaryText(`company ${name}`), seenBy);
    const { body } = await app.anyone.post('/sandbox-keys', { email, company });
    const live = await app.admin.post(`/admin/partners/${body.partner_id}/promote`);
    words.push(String(body.partner_id));
    for (const [tier, key] of [
      [name, String(body.api_key)],
      [`${name} live`, String(live.body.api_key)],
    ] as const) {
      canary(`the key of ${tier}`, key, []);
      canary(`the key of ${tier}, hashed`, new Bun.CryptoHasher('sha256').update(key).digest('hex'), []);
      callers.push({ name: tier, authorization: `Bearer ${key}` });
      const caller = app.keyed(key);
      const own = (field: string): string =>
        canary(`${field} of ${tier}`, canaryText(`${field} ${tier}`), [tier, 'admin']);
      for (let row = 0; row < 2; row++) {
        const job = await caller.submit(
          {
            title: own(`title ${row}`),
            specialty: own(`specialty ${row}`),
            city: own(`city ${row}`),
            external_id: own(`reference ${row}`),
            notes: own(`notes ${row}`),
          },
          { 'idempotency-key': canary('an Idempotency-Key', canaryText(`once ${tier} ${row}`), []) },
        );
        expect(job.status).toBe(201);
        words.push(String(job.body.id));
      }
      const url = `https://127.0.0.1:1/${canary(`the webhook of ${tier}`, canaryText(`hook ${tier}`), [tier])}`;
      const hook = await caller.call('PUT', '/webhook', { url });
      expect(hook.status).toBe(200);
      canary(`the webhook's secret of ${tier}`, String(hook.body.secret), []);
      words.push(String(Object((await caller.get('/keys')).body).data[0].id));
    }
  };
  await partner('alpha');
  await partner('beta');
  canary('the master key', masterKeyOf(app.directory), []);
  callers.push({ name: 'admin', authorization: `Bearer ${ADMIN}` });

  // What is looked for is found in what may be seen.
  const watch = new CanaryWatch(canaries);
  const own = await app.admin.get('/admin/jobs');
  expect(watch.leaksTo('anyone', JSON.stringify(own.body))).toContain('notes 0 of beta live');
  expect(watch.leaksTo('anyone', Buffer.from(`["${FORMER}"]`).toString('base64url'))).toEqual([
    'the former name',
  ]);

  const document = await staffingDocument(app.anyone.get);
  const { leaks, responses } = await askEverything(new CanaryWatch(canaries), {
    fetch: app.fetch,
    document,
    callers,
    words: [...words, 'nobody'],
    queries: {
      [`${PREFIX}/clinicians/search`]: [
        `?surname=${FORMER}&limit=1`,
        `?surname=${FORMER.slice(0, 7)}&limit=1&include_total=true`,
        `?surname=${FORMER}&match=exact&specialty=RN&state=TX&limit=2`,
        '?limit=1',
        '?surname=wood&limit=1',
        '?specialty=nothing%20known',
      ],
      [`${PREFIX}/jobs`]: ['?limit=1', '?status=open&limit=1'],
      [`${PREFIX}/keys`]: ['?limit=1'],
      [`${PREFIX}/admin/jobs`]: ['?limit=1'],
      [`${PREFIX}/admin/partners`]: ['?limit=1'],
    },
  });
  expect(leaks).toEqual([]);
  expect(responses).toBeGreaterThan(2000);
}, 180_000);

function masterKeyOf(directory: string): string {
  return readFileSync(join(directory, 'keys', 'master.key'), 'utf8').trim();
}
