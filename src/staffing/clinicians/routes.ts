import { Elysia } from 'elysia';
import type { StaffingAuth } from '../http/auth.ts';
import { commonErrors } from '../http/errors.ts';
import { KEYED, PREFIX, responses } from '../http/schema.ts';
import { registryErrors } from '../registry/errors.ts';
import { cliniciansErrors } from './errors.ts';
import { getClinician } from './get.ts';
import { changesText } from './list-changes.ts';
import { listSpecialties } from './list-specialties.ts';
import {
  ChangesQuery,
  ClinicianChangesResponse,
  ClinicianListResponse,
  ClinicianPath,
  ClinicianResponse,
  SearchQuery,
  SpecialtiesQuery,
  SpecialtiesResponse,
} from './schema.ts';
import { searchText } from './search.ts';
import type { Clinicians } from './services.ts';
import { ClinicianStreams, NDJSON, wantsLines } from './stream.ts';

export const clinicianRoutes = (context: Clinicians, { keyed }: StaffingAuth) => {
  const streams = new ClinicianStreams();
  return new Elysia({ prefix: PREFIX, tags: ['Clinicians'] })
    .use(keyed)
    .get(
      '/clinicians/search',
      async ({ query, request, principal }) => {
        if (!wantsLines(request)) return json(await searchText(context, query));
        const lines = await streams.start(context, principal, query, request.signal);
        return new Response(lines, { headers: { 'content-type': NDJSON } });
      },
      {
        keyed: 'registry:read',
        query: SearchQuery,
        response: responses(
          { 200: ClinicianListResponse },
          registryErrors.REGISTRY_UNAVAILABLE,
          KEYED,
          cliniciansErrors.INVALID_NPI,
          cliniciansErrors.UNKNOWN_SPECIALTY,
          commonErrors.INVALID_CURSOR,
        ),
        detail: {
          operationId: 'searchClinicians',
          summary: 'Search clinicians',
          description:
            'Filters by state, specialty, surname, city, postal code, first name and NPIs, all optional, in any combination. Sorted by last ' +
            'name, first name and NPI; with a surname, by the matching name. Paging is stable: a clinician who matches under one name during the ' +
            'whole search is returned exactly once, even if the registry is updated meanwhile. A limit outside 1 to 100 is an error. The response has only ' +
            'public registry fields.\n\n' +
            'With `Accept: application/x-ndjson` and a live key, the response has all clinicians of the filters, one JSON object a line, without ' +
            '`limit`, `cursor` and `include_total`. A key can have one of these responses at a time; another is refused with RATE_LIMITED. It ends ' +
            'early, without its last chunk, when the key is revoked: a client that reads to the end without an error has everything.',
        },
      },
    )
    .get('/clinicians/changes', async ({ query }) => json(await changesText(context, query)), {
      keyed: 'registry:read',
      query: ChangesQuery,
      response: responses(
        { 200: ClinicianChangesResponse },
        registryErrors.REGISTRY_UNAVAILABLE,
        KEYED,
        commonErrors.INVALID_CURSOR,
      ),
      detail: {
        operationId: 'listClinicianChanges',
        summary: 'List changes of the registry',
        description:
          'Keeps a copy of the registry up to date: take a cursor by a request without parameters, load all clinicians, then read the changes after the ' +
          'cursor and apply them in their ' +
          'order. A clinician can occur several times. A weekly update, a deactivation and the removal of a clinician on request are changes ' +
          'alike. `next_cursor` is also set on the last page; send it later to continue. The history is kept for 400 days. An older cursor is ' +
          'refused with INVALID_CURSOR, and an older `since` with VALIDATION_FAILED: load all clinicians again.',
      },
    })
    .get('/clinicians/:npi', ({ params }) => getClinician(context, params.npi), {
      keyed: 'registry:read',
      params: ClinicianPath,
      response: responses(
        { 200: ClinicianResponse },
        registryErrors.REGISTRY_UNAVAILABLE,
        KEYED,
        cliniciansErrors.INVALID_NPI,
        commonErrors.NOT_FOUND,
      ),
      detail: {
        operationId: 'getClinician',
        summary: 'Get a clinician',
        description:
          'Finds a clinician by NPI. A deactivated, a suppressed and an unknown NPI return the same 404.',
      },
    })
    .get('/specialties', ({ query }) => listSpecialties(context, query.query), {
      keyed: 'registry:read',
      query: SpecialtiesQuery,
      response: responses({ 200: SpecialtiesResponse }, registryErrors.REGISTRY_UNAVAILABLE, KEYED),
      detail: {
        operationId: 'listSpecialties',
        summary: 'Find specialties',
        description:
          'The values that `specialty` of a search accepts: codes and names of the taxonomy (NUCC).',
      },
    });
};

/** Returns a response with JSON text. */
function json(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'application/json;charset=utf-8' } });
}
