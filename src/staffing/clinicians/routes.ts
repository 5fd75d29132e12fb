import { Elysia } from 'elysia';
import type { StaffingAuth } from '../auth.ts';
import { KEYED, PREFIX, responses } from '../schema.ts';
import {
  ClinicianAnswer,
  ClinicianListAnswer,
  ClinicianPath,
  SearchQuery,
  SpecialtiesAnswer,
  SpecialtiesQuery,
} from './schema.ts';
import { byNpi, type Clinicians, searchText, specialties } from './service.ts';

export const clinicianRoutes = (context: Clinicians, { keyed }: StaffingAuth) =>
  new Elysia({ prefix: PREFIX, tags: ['Clinicians'] })
    .use(keyed)
    .get('/clinicians/search', async ({ query }) => json(await searchText(context, query)), {
      keyed: 'registry:read',
      query: SearchQuery,
      response: responses(
        { 200: ClinicianListAnswer },
        'REGISTRY_UNAVAILABLE',
        KEYED,
        'UNKNOWN_SPECIALTY',
        'INVALID_CURSOR',
      ),
      detail: {
        operationId: 'searchClinicians',
        summary: 'Search clinicians',
        description:
          'By state, specialty and surname, all optional, in any combination; in order of last name, first name and NPI, ' +
          'with a surname of the name that matched. Pages are stable however deep: whoever matches all the while is given ' +
          'exactly once. A limit outside 1 to 100 is refused, not clamped. Only public registry fields are given.',
      },
    })
    .get('/clinicians/:npi', ({ params }) => byNpi(context, params.npi), {
      keyed: 'registry:read',
      params: ClinicianPath,
      response: responses(
        { 200: ClinicianAnswer },
        'REGISTRY_UNAVAILABLE',
        KEYED,
        'INVALID_NPI',
        'NOT_FOUND',
      ),
      detail: {
        operationId: 'getClinician',
        summary: 'Read a clinician',
        description: 'By NPI. Deactivated, suppressed and unknown ones are the same 404.',
      },
    })
    .get('/specialties', ({ query }) => specialties(context, query.query), {
      keyed: 'registry:read',
      query: SpecialtiesQuery,
      response: responses({ 200: SpecialtiesAnswer }, 'REGISTRY_UNAVAILABLE', KEYED),
      detail: {
        operationId: 'listSpecialties',
        summary: 'Find specialties',
        description: 'What `specialty` of a search takes: codes and names of the taxonomy (NUCC).',
      },
    });

/** Text that is JSON already. */
function json(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'application/json;charset=utf-8' } });
}
