import { Elysia } from 'elysia';
import type { StaffingAuth } from '../auth.ts';
import { KEYED, PREFIX, responses } from '../http/schema.ts';
import {
  ClinicianListResponse,
  ClinicianPath,
  ClinicianResponse,
  SearchQuery,
  SpecialtiesQuery,
  SpecialtiesResponse,
} from './schema.ts';
import { byNpi, type Clinicians, searchText, specialties } from './service.ts';

export const clinicianRoutes = (context: Clinicians, { keyed }: StaffingAuth) =>
  new Elysia({ prefix: PREFIX, tags: ['Clinicians'] })
    .use(keyed)
    .get('/clinicians/search', async ({ query }) => json(await searchText(context, query)), {
      keyed: 'registry:read',
      query: SearchQuery,
      response: responses(
        { 200: ClinicianListResponse },
        'REGISTRY_UNAVAILABLE',
        KEYED,
        'INVALID_NPI',
        'UNKNOWN_SPECIALTY',
        'INVALID_CURSOR',
      ),
      detail: {
        operationId: 'searchClinicians',
        summary: 'Search clinicians',
        description:
          'Filters by state, specialty, surname, city, postal code, first name and NPIs, all optional, in any combination. Sorted by last ' +
          'name, first name and NPI; with a surname, by the matching name. Paging is stable: a clinician who matches during the whole search ' +
          'is returned exactly once, also if the registry is updated meanwhile. A limit outside 1 to 100 is an error. The response has only ' +
          'public registry fields.',
      },
    })
    .get('/clinicians/:npi', ({ params }) => byNpi(context, params.npi), {
      keyed: 'registry:read',
      params: ClinicianPath,
      response: responses(
        { 200: ClinicianResponse },
        'REGISTRY_UNAVAILABLE',
        KEYED,
        'INVALID_NPI',
        'NOT_FOUND',
      ),
      detail: {
        operationId: 'getClinician',
        summary: 'Get a clinician',
        description:
          'Finds a clinician by NPI. A deactivated, a suppressed and an unknown NPI return the same 404.',
      },
    })
    .get('/specialties', ({ query }) => specialties(context, query.query), {
      keyed: 'registry:read',
      query: SpecialtiesQuery,
      response: responses({ 200: SpecialtiesResponse }, 'REGISTRY_UNAVAILABLE', KEYED),
      detail: {
        operationId: 'listSpecialties',
        summary: 'Find specialties',
        description:
          'The values that `specialty` of a search accepts: codes and names of the taxonomy (NUCC).',
      },
    });

/** Returns a response with JSON text. */
function json(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'application/json;charset=utf-8' } });
}
