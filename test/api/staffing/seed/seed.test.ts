import { afterAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../../../src/platform/failure.ts';
import { client } from '../../../support/client.ts';
import { openSeededStaffing } from '../../../support/seeded.ts';

const EXAMPLE = readFileSync(join(import.meta.dir, '../../../../docs/seeds/staffing.yaml'), 'utf8');
const API = '/api/staffing/partner/v1';

const opened: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const { close } of opened) await close();
});

async function seeded(text: string) {
  const service = await openSeededStaffing(text);
  opened.push(service);
  const { fetch } = service.service.app('/');
  const as = (key: string) => client((request) => fetch(request, '127.0.0.1'), 'http://127.0.0.1:3000', key);
  return { own: as(service.apiKey), admin: as(service.adminToken), as };
}

/** Returns the message with which a seed is refused, and fails if the service is filled with it. */
async function refusalOf(text: string): Promise<string> {
  try {
    await seeded(text);
  } catch (error) {
    if (error instanceof Failure && error.exitCode === 2) return error.message;
    throw error;
  }
  throw new Error(`${text} is accepted`);
}

const rowsOf = ({ body }: { body: Record<string, unknown> }) => [body.data].flat().map(Object);

describe('the seed in docs/seeds/staffing.yaml', () => {
  test('fills the service with what it says, dated as it says', async () => {
    const { own, admin } = await seeded(EXAMPLE);
    const jobs = rowsOf(await admin.get(`${API}/admin/jobs`));
    expect(jobs.map(({ title, mode, status, created_at }) => [title, mode, status, created_at])).toEqual([
      ['Physical therapist', 'sandbox', 'cancelled', '2026-01-01T00:00:00.000Z'],
      ['A test', 'sandbox', 'submitted', '2026-01-01T00:00:00.000Z'],
      ['Night nurse', 'live', 'on_hold', '2025-12-24T00:00:00.000Z'],
      ['Hospitalist', 'live', 'filled', '2025-12-23T00:00:00.000Z'],
      ['ICU travel nurse', 'live', 'open', '2025-12-22T00:00:00.000Z'],
    ]);
    const partners = rowsOf(await admin.get(`${API}/admin/partners`));
    expect(partners.map(({ name }) => name).sort()).toEqual([
      'Harbour Health',
      'Prairie Staffing',
      'partner@test-service.example',
    ]);
    expect((await own.get(`${API}/clinicians/2999999990`)).body).toMatchObject({
      last_name: 'Sørensen-Ortiz',
      specialty: { code: '163WC0200X' },
    });
    const found = await own.get(`${API}/clinicians/search?surname=sorensen-ortiz&include_total=true`);
    expect(found.body).toMatchObject({ total: 1 });
    expect((await own.get(`${API}/clinicians/2000123457`)).status).toBe(404);
    const all = await own.get(`${API}/clinicians/search?limit=1&include_total=true`);
    expect(all.body).toMatchObject({ total: 20_000 });
  });

  test('gives the same ids and keys at every start', async () => {
    const [first, second] = [await seeded(EXAMPLE), await seeded(EXAMPLE)];
    const idsOf = async ({ admin }: typeof first) => [
      rowsOf(await admin.get(`${API}/admin/jobs`)).map(({ id }) => id),
      rowsOf(await admin.get(`${API}/admin/partners`))
        .filter(({ name }) => name !== 'partner@test-service.example')
        .map(({ partner_id, keys }) => [partner_id, [keys].flat().map(({ last4 }) => last4)]),
    ];
    expect(await idsOf(first)).toEqual(await idsOf(second));
  });
});

describe('a seed of the staffing service', () => {
  const KEY = `mpk_test_${'Seed'.repeat(8)}00`;
  const JOB = 'title: x, specialty: RN, state: TX';
  const contradictions: [string, string, string][] = [
    [
      'an NPI with a wrong check digit',
      'clinicians: [{ npi: "2999999999", last_name: X }]',
      'clinicians[0] has a value',
    ],
    [
      'an NPI of the real world',
      'clinicians: [{ npi: "1234567893", last_name: X }]',
      'clinicians of a seed are made up',
    ],
    ['an NPI without quotes', 'clinicians: [{ npi: 2999999990, last_name: X }]', 'in quotes'],
    [
      'two clinicians of one NPI',
      'clinicians: [{ npi: "2999999990", last_name: X }, { npi: "2999999990", last_name: Y }]',
      'clinicians[1].npi is 2999999990, which another clinician has',
    ],
    [
      'a control character',
      'clinicians: [{ npi: "2999999990", last_name: "X\\u0007" }]',
      'refuses: lastName',
    ],
    [
      'a key with a wrong checksum',
      `partners: { a: { sandbox_key: ${KEY}000000 } }`,
      `has a wrong checksum; write ${KEY}`,
    ],
    [
      'two partners of one address',
      'partners: { a: { email: x@y.example }, b: { email: x@y.example } }',
      '409',
    ],
    [
      'a change of a status that a requisition has from the start',
      'requisitions: [{ title: Nurse, specialty: RN, state: CA, changed: -1h }]',
      'requisitions[0].changed contradicts the status: it is submitted when it is submitted',
    ],
    ['a free mail address', 'partners: { a: { email: x@gmail.com } }', 'is refused by the service'],
    [
      'an address for the first partner',
      'partners: { first: { email: x@y.example } }',
      'partners.first.email',
    ],
    [
      'a live requisition of a sandbox',
      `partners: { a: {} }\nrequisitions: [{ partner: a, tier: live, ${JOB} }]`,
      'is a, who is not live',
    ],
    [
      'a sandbox requisition that is filled',
      `requisitions: [{ ${JOB}, status: filled }]`,
      'is refused by the service',
    ],
    [
      'a change before the submission',
      `partners: { a: { promoted: -5d, at: -6d } }\nrequisitions: [{ partner: a, ${JOB}, submitted: -1d, status: closed, changed: -2d }]`,
      'requisitions[0].status is refused by the service',
    ],
    [
      'an unknown partner',
      `requisitions: [{ partner: toString, ${JOB} }]`,
      'is toString, but the seed has no partner',
    ],
    ['an unknown state', 'requisitions: [{ title: x, specialty: RN, state: Atlantis }]', 'requisitions[0]'],
    [
      'a partner promoted before it exists',
      'partners: { a: { at: -1d, promoted: -2d } }',
      'partners.a.promoted',
    ],
  ];
  test.each(contradictions)('with %s is refused', async (_, text, message) => {
    expect(await refusalOf(text)).toContain(message);
  });

  test('may give the keys of partners', async () => {
    const message = await refusalOf(`partners: { a: { sandbox_key: ${KEY}000000 } }`);
    const key = message.split(' ').at(-1) ?? '';
    const { as } = await seeded(`partners: { a: { company: Acme, sandbox_key: ${key} } }`);
    expect((await as(key).get(`${API}/me`)).body).toMatchObject({ account: { name: 'Acme' } });
  });
});
