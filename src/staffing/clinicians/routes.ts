import { Elysia } from 'elysia';
import { responseWith } from '../../platform/http/send-together.ts';
import type { StaffingAuth } from '../http/auth.ts';
import { PREFIX } from '../http/schema.ts';
import { getClinician } from './get.ts';
import { changesText } from './list-changes.ts';
import { listSpecialties } from './list-specialties.ts';
import { ClinicianResponse } from './public-clinician.ts';
import {
  ChangesQuery,
  ClinicianChangesResponse,
  ClinicianListResponse,
  ClinicianPath,
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
        response: { 200: ClinicianListResponse },
        detail: { operationId: 'searchClinicians' },
      },
    )
    .get('/clinicians/changes', async ({ query }) => json(await changesText(context, query)), {
      keyed: 'registry:read',
      query: ChangesQuery,
      response: { 200: ClinicianChangesResponse },
      detail: { operationId: 'listClinicianChanges' },
    })
    .get('/clinicians/:npi', ({ params }) => getClinician(context, params.npi), {
      keyed: 'registry:read',
      params: ClinicianPath,
      response: { 200: ClinicianResponse },
      detail: { operationId: 'getClinician' },
    })
    .get('/specialties', ({ query }) => listSpecialties(context, query.query), {
      keyed: 'registry:read',
      query: SpecialtiesQuery,
      response: { 200: SpecialtiesResponse },
      detail: { operationId: 'listSpecialties' },
    });
};

/** Returns a response with JSON text. */
function json(text: string): Response {
  return responseWith(text, { headers: { 'content-type': 'application/json;charset=utf-8' } });
}
