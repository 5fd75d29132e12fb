import { Type } from '@sinclair/typebox';
import type { ApiDescription } from '../../src/platform/http/openapi/openapi.ts';

/** The description of an API without security and headers. */
export const API: ApiDescription = {
  openapi: '3.1.0',
  title: 'Notes',
  version: '1.0.0',
  description: 'Notes.',
  serverUrl: '/',
  securitySchemes: {},
  security: [],
  failedAttempts: Type.Object({}),
  headers: { all: {}, keyed: {}, byStatus: {}, optional: [] },
  idempotencyConflict: 409,
  tags: [],
};
