import { Elysia } from 'elysia';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { facilityManifest } from './get-facility-documentation.ts';
import { FacilityManifest } from './schema.ts';

/** It changes only with the version of the program. */
const AN_HOUR = 'public, max-age=3600';

export const facilityDocumentationRoutes = ({ open }: RouteAuth) =>
  new Elysia({ tags: ['Data centers'] }).use(open).get(
    '/api/v1/datacenter/documentation',
    ({ set }) => {
      set.headers['cache-control'] = AN_HOUR;
      return facilityManifest();
    },
    {
      open: 'publicReads',
      response: { 200: FacilityManifest },
      detail: {
        operationId: 'getFacilityDocumentation',
        'x-response-headers': { 'Cache-Control': AN_HOUR },
        security: [],
      },
    },
  );
