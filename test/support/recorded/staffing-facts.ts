import { allPages, by, pick, type Row, reader } from './pages.ts';
import { command } from './session.ts';

const API = '/api/staffing/partner/v1';

/** What a reader of a recorded data directory of the staffing service must know to read it. */
export interface KnownPartners {
  /** API keys of the partners, of both tiers. */
  keys: string[];
  /** The NPI of a clinician who is suppressed. */
  suppressed: string;
}

/**
 * Reads what a data directory of the staffing service contains.
 * @param data the directory of the running server
 */
export async function staffingFacts(url: string, data: string, known: KnownPartners) {
  const read = reader(url);
  const accounts: Row[] = [];
  for (const key of known.keys) {
    const { account, tier, scopes, usage } = await read(`${API}/me`, key);
    const jobs = await allPages(read, `${API}/jobs?limit=100`, 'data', key);
    accounts.push({
      account,
      tier,
      scopes,
      stored_requisitions: Object(usage).stored_requisitions,
      keys: by(
        await allPages(read, `${API}/keys?limit=100`, 'data', key),
        'id',
        'tier',
        'last4',
        'revoked_at',
      ),
      jobs: by(jobs, 'id', 'mode', 'status', 'title', 'specialty_code', 'notes', 'external_id', 'history'),
    });
  }
  const [key = ''] = known.keys;
  const webhook = pick(await read(`${API}/webhook`, key), 'id', 'url', 'events');
  const clinicians = await allPages(read, `${API}/clinicians/search?limit=100`, 'data', key);
  const lines = async (...args: string[]): Promise<Row[]> =>
    (await command([...args, '--data', data]))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Object(JSON.parse(line)));
  return {
    accounts,
    webhook,
    clinicians: by(clinicians, 'npi', 'last_name', 'specialty', 'postal_code', 'last_updated_on'),
    files: by(await lines('registry', 'list', '--json'), 'name', 'state', 'as_of', 'records'),
    partners: by(
      await lines('partners', 'list', '--output', 'ndjson', '--all'),
      'partner_id',
      'status',
      'email',
      'name',
    ),
    suppressed: by(await lines('suppress', '--list'), 'npi', 'reason'),
  };
}
