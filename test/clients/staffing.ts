import createClient from 'openapi-fetch';
import { client } from '../../dist/clients/staffing/sdk/client.gen.ts';
import {
  type Clinician,
  getClinician,
  type Requisition,
  searchClinicians,
  submitJob,
} from '../../dist/clients/staffing/sdk/index.ts';
import type { components, paths } from '../../dist/clients/staffing/types.ts';

/**
 * Programs by the types of openapi-typescript and the client of @hey-api/openapi-ts, of the staffing
 * service's document.
 */

const PREFIX = '/api/staffing/partner/v1';

type Schemas = components['schemas'];
export type Named = [
  Schemas['Clinician'],
  Schemas['Requisition'],
  Schemas['Key'],
  Schemas['WebhookDelivery'],
];

/** Searches clinicians and submits a requisition, by either client. Returns what it saw. */
export async function run(baseUrl: string, key: string): Promise<string[]> {
  const types = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });
  const page = await types.GET(`${PREFIX}/clinicians/search`, {
    params: { query: { state: 'TX', limit: 1 } },
  });
  const unknown = await types.GET(`${PREFIX}/clinicians/search`, {
    params: { query: { specialty: 'nothing of the kind' } },
  });
  const problem: Schemas['Problem'] | undefined = unknown.error?.error;
  const code = unknown.error?.error.code;
  client.setConfig({ baseUrl, auth: key });
  const found = await searchClinicians({ query: { state: 'TX', limit: 1 } });
  const first: Clinician | undefined = found.data?.data[0];
  const read = await getClinician({ path: { npi: first?.npi ?? '' } });
  const submitted = await submitJob({
    body: { title: 'ICU travel nurse', specialty: 'RN critical care', state: 'TX', shift: 'night' },
  });
  const requisition: Requisition | undefined = submitted.data;
  return [
    page.data?.data[0]?.npi === first?.npi,
    code === 'UNKNOWN_SPECIALTY' ? problem?.details?.[0]?.field : code,
    read.data?.state,
    requisition?.status,
    requisition?.shift,
  ].map(String);
}
