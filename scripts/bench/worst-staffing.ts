import pino from 'pino';
import { takeDataDirectory } from '../../src/platform/data-directory.ts';
import { createSandboxIn } from '../../src/staffing/accounts/create-sandbox-key.ts';
import { promotePartner } from '../../src/staffing/accounts/partners/promote.ts';
import { openStaffingService } from '../../src/staffing/service/service.ts';
import type { Ask, Reading } from './worst-trust.ts';

const PREFIX = '/api/staffing/partner/v1';
const ADMIN = `adm_${'5a'.repeat(32)}`;
const MANY = 150;

/** Opens the staffing service with the most expensive data that callers can store, and runs `task` on it. */
export async function worstStaffing(
  data: string,
  task: (readings: Reading[], ask: Ask) => Promise<void>,
): Promise<void> {
  const directory = takeDataDirectory(data);
  const service = await openStaffingService(
    directory,
    new Map([
      ['rate_limits', 'off'],
      ['admin_token', ADMIN],
    ]),
    pino({ level: 'silent' }),
    { version: 'bench' },
  );
  const { store } = service.staffing;
  const [own] = await store.writeAsService((tx) =>
    Promise.all(
      Array.from({ length: MANY }, (_, count) =>
        createSandboxIn(tx, service.staffing, `${count}@${'a'.repeat(60)}.example`, '"'.repeat(200)),
      ),
    ),
  );
  // Uses a live key, because a sandbox can store only few requisitions.
  const live = await promotePartner(service.staffing, own?.partner.partnerId ?? '');
  const { fetch } = service.app('/');
  const ask: Ask = (method, path, body) =>
    fetch(
      new Request(`http://localhost${PREFIX}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${path.startsWith('/admin') ? ADMIN : live.api_key}`,
          'content-type': 'application/json',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  await task(await readings(ask), ask);
  await service.close();
  directory.release();
}

async function readings(ask: Ask): Promise<Reading[]> {
  let id = '';
  for (let count = 0; count < MANY; count++) {
    const response = await ask('POST', '/jobs', {
      title: '漢'.repeat(200),
      specialty: 'RN critical care',
      state: 'TX',
      city: '漢'.repeat(100),
      external_id: `${count}${'"'.repeat(90)}`,
      notes: '\n"'.repeat(999),
    });
    if (!response.ok) throw new Error(await response.text());
    id = JSON.parse(await response.text()).id;
  }
  const search = (query: string): Reading => ({
    name: `search, ${query}`,
    path: `/clinicians/search?${query}`,
  });
  return [
    { name: 'requisitions, 100 of the longest', path: '/jobs?limit=100' },
    { name: 'requisition', path: `/jobs/${id}` },
    { name: 'own account', path: '/me' },
    { name: 'keys', path: '/keys?limit=100' },
    { name: 'webhook', path: '/webhook' },
    { name: 'specialties', path: '/specialties?query=a' },
    search('limit=100'),
    search('surname=s&specialty=RN&include_total=true&limit=100'),
    { name: 'clinician', path: `/clinicians/${await someNpi(ask)}` },
    { name: 'partners, 100', path: '/admin/partners?limit=100' },
    { name: 'all requisitions, 100', path: '/admin/jobs?limit=100' },
  ];
}

async function someNpi(ask: Ask): Promise<string> {
  const { data } = JSON.parse(await (await ask('GET', '/clinicians/search?limit=1')).text());
  return String(Array.isArray(data) ? data[0]?.npi : '');
}
