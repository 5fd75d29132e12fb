import createClient from 'openapi-fetch';
import type { paths } from '../../dist/clients/staffing-admin/types.ts';

/** A program by the types of openapi-typescript, of the document for the staffing service's administrator. */

const ADMIN = '/api/staffing/partner/v1/admin';

/** Makes the newest partner live. Returns the domain of its address and the tier of its new key. */
export async function run(baseUrl: string, token: string): Promise<string[]> {
  const types = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
  const partners = await types.GET(`${ADMIN}/partners`, { params: { query: { limit: 1 } } });
  const [partner] = partners.data?.data ?? [];
  const made = await types.POST(`${ADMIN}/partners/{id}/promote`, {
    params: { path: { id: partner?.partner_id ?? '' } },
  });
  return [partner?.email.split('@')[1], made.data?.tier].map(String);
}
