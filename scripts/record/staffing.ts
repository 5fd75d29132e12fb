import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { command, type Json, type Session, served } from '../../test/support/recorded/session.ts';
import type { KnownPartners } from '../../test/support/recorded/staffing-facts.ts';

const API = '/api/staffing/partner/v1';
const ADMIN_TOKEN = `adm_${'0a'.repeat(32)}`;

/**
 * The rows of the monthly files. The first one replaces the sample, and the second one the file with the
 * sample.
 */
const MONTHLY = [
  ['npidata_pfile_20050523-20251214.csv', '200'],
  ['npidata_pfile_20050523-20260111.csv', '300'],
] as const;
const WEEKLY = 'npidata_pfile_20260112-20260118.csv';
const DEACTIVATED = 'NPPES_Deactivated_NPI_Report_20260119.csv';

/** Records a data directory of the staffing service. @param root a directory for it (`staffing`) */
export async function recordStaffing(root: string): Promise<KnownPartners> {
  const data = join(root, 'staffing');
  const temporary = join(root, 'temporary');
  mkdirSync(temporary, { recursive: true });
  const settings = { admin_token: ADMIN_TOKEN, 'webhooks.allow_private': 'on' };
  const known = await served(data, settings, ['--service', 'staffing'], async (session) => {
    await importFiles(session, temporary);
    return addPartners(session);
  });
  rmSync(temporary, { recursive: true });
  return known;
}

async function importFiles(session: Session, temporary: string): Promise<void> {
  const generate = async (name: string, ...args: string[]): Promise<string> => {
    const file = join(temporary, name);
    await command(['generate', '--seed', '3', '--out', file, ...args]);
    return file;
  };
  for (const [name, rows] of MONTHLY)
    await session.command('import', '--npi', await generate(name, '--rows', rows), '--force');
  const of = ['--of', MONTHLY[1][1]];
  const weekly = await generate(WEEKLY, '--kind', 'weekly', '--rows', '20', ...of);
  await session.command('import', '--npi', weekly);
  const deactivated = await generate(DEACTIVATED, '--kind', 'deactivated', ...of);
  await session.command('import', '--deactivated', deactivated);
}

async function addPartners({ ask, command: administer }: Session): Promise<KnownPartners> {
  const sandbox = async (company: string): Promise<Json> =>
    ask(`POST ${API}/sandbox-keys`, {
      body: { email: `ada@${company.toLowerCase()}.example`, company },
    });
  const [prairie, harbour, closed] = [
    await sandbox('Prairie'),
    await sandbox('Harbour'),
    await sandbox('Closed'),
  ];
  const { api_key: live } = JSON.parse(
    await administer('partners', 'promote', '--yes', String(prairie.partner_id)),
  );
  await administer('partners', 'revoke', '--yes', String(closed.partner_id));
  const created = await ask(`POST ${API}/keys`, {
    key: String(prairie.api_key),
    body: { scopes: ['registry:read'] },
    headers: { 'idempotency-key': 'key-of-prairie' },
  });
  await ask(`DELETE ${API}/keys/${created.key_id ?? created.id}`, { key: String(prairie.api_key) });

  for (const key of [String(prairie.api_key), live]) {
    await ask(`PUT ${API}/webhook`, { key, body: { url: 'http://127.0.0.1:9/hooks' } });
    await ask(`POST ${API}/webhook/test`, { key });
  }
  const submit = async (key: unknown, title: string, more: Json = {}): Promise<string> => {
    const body = { title, specialty: 'ICU RN', state: 'TX', weeks: 13, ...more };
    return String((await ask(`POST ${API}/jobs`, { key: String(key), body })).id);
  };
  for (const status of ['open', 'on_hold', 'filled', 'cancelled', 'closed']) {
    const id = await submit(live, `A live requisition that is ${status}`, { external_id: `ATS ${status}` });
    if (status !== 'open') await administer('jobs', 'status', id, status);
  }
  const changed = await submit(harbour.api_key, 'A requisition that is changed', { notes: 'Nights' });
  await ask(`PATCH ${API}/jobs/${changed}`, {
    key: String(harbour.api_key),
    body: { notes: null, shift: 'day' },
  });
  for (const [act, title] of [
    ['POST', 'A requisition that is cancelled'],
    ['DELETE', 'A requisition that is deleted'],
  ]) {
    const id = await submit(prairie.api_key, String(title));
    await ask(`${act} ${API}/jobs/${id}${act === 'POST' ? '/cancel' : ''}`, { key: String(prairie.api_key) });
  }
  const found = await ask(`GET ${API}/clinicians/search?limit=3`, { key: String(live) });
  const [suppressed, , restored] = Array.isArray(found.data) ? found.data.map(({ npi }) => String(npi)) : [];
  for (const npi of [suppressed, restored])
    await administer('suppress', String(npi), '--reason', 'request of the clinician');
  await administer('suppress', String(restored), '--undo');
  return {
    keys: [prairie.api_key, live, harbour.api_key].map(String),
    suppressed: String(suppressed),
  };
}
