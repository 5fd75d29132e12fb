import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { plainName, strictObject } from '../../platform/http/schema.ts';
import type { ContextOf } from '../http/serving.ts';
import { createOperator } from './create-operator.ts';
import { getKeyCoverage } from './get-key-coverage.ts';
import { OperatorPath } from './schema.ts';

const NewOperatorRequest = strictObject({
  name: Type.Optional(plainName('What it is called.', 'Acme')),
  admin: Type.Optional(Type.Boolean()),
});

const NewOperatorResponse = strictObject({ operator_id: Type.String(), api_key: Type.String() });

export const KeyCoverageResponse = strictObject({
  has_issuer_key: Type.Boolean(),
  installation_has_admin_key: Type.Boolean(),
});

/** The local operations of operators and their keys. */
export const localOperatorRoutes = (
  trust: ContextOf<typeof createOperator> & ContextOf<typeof getKeyCoverage>,
) =>
  new Elysia()
    .post(
      '/local/operators',
      ({ body: { name = null, admin = false } }) => createOperator(trust, { name, admin }),
      {
        body: NewOperatorRequest,
        response: { 200: NewOperatorResponse },
        detail: { operationId: 'createOperator' },
      },
    )
    .get('/local/operators/:operatorId/keys', ({ params }) => getKeyCoverage(trust, params.operatorId), {
      params: OperatorPath,
      response: { 200: KeyCoverageResponse },
      detail: { operationId: 'getKeyCoverage' },
    });
