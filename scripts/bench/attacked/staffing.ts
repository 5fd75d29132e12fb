import { type Attack, type AttackedService, FREE, posted, startOnFirstCore } from './attack.ts';

const API = '/api/staffing/partner/v1';

/** Settings with which sandbox keys exist at once, and one live key searches without end. */
const SETTINGS = {
  COUNTERSIGN_LIMITS_SANDBOX_KEYS: '1000',
  COUNTERSIGN_LIMITS_SANDBOX_KEYS_PER_DAY: '1000',
  COUNTERSIGN_LIMITS_LIVE: '1000000',
  COUNTERSIGN_TRUSTED_PROXIES: '127.0.0.1',
};

/** Starts the staffing service with its sample registry. Its victim searches with a live key. */
export async function startAttackedStaffing(directory: string): Promise<AttackedService> {
  const { ready, stop } = await startOnFirstCore('staffing', directory, SETTINGS);
  const url = String(ready.url);
  const keys: string[] = [];
  for (let at = 0; at < FREE; at++) {
    const made = await posted(`${url}${API}/sandbox-keys`, {
      email: `somebody@firm-${at}.example`,
      company: `Firm ${at}`,
    });
    keys.push(String(made.api_key));
  }
  const made = await posted(`${url}${API}/sandbox-keys`, { email: 'victim@firm.example', company: 'Victim' });
  const promoted = await posted(
    `${url}${API}/admin/partners/${made.partner_id}/promote`,
    {},
    String(ready.admin_token),
  );
  return {
    name: 'staffing',
    url,
    victim: { url, script: 'search-anew.lua', env: { API_KEY: String(promoted.api_key) } },
    keys,
    attacks: ATTACKS,
    documents: ['/openapi.json'],
    stop,
  };
}

const ATTACKS: readonly Attack[] = [
  {
    name: 'a page of clinicians with the total',
    path: `${API}/clinicians/search?surname=s&include_total=true&limit=100`,
  },
  { name: 'the changes of the registry', path: `${API}/clinicians/changes?limit=100` },
  {
    name: 'a requisition of 20,000 members',
    method: 'POST',
    path: `${API}/jobs`,
    body: { title: 'RN', extra: Array.from({ length: 19_000 }, (_, at) => at) },
  },
  { name: 'the list of requisitions', path: `${API}/jobs?limit=100` },
  { name: 'the list of specialties', path: `${API}/specialties` },
  { name: 'the OpenAPI document', path: '/openapi.json' },
  { name: 'the page of the documentation', path: '/swagger' },
  { name: 'health', path: '/api/health' },
  { name: 'a path that does not exist', path: '/nowhere' },
];
