import { Type } from '@sinclair/typebox';
import { ESCROW_STATUSES } from '../../../../db/trust/escrow-enums.ts';
import { Action } from '../../../platform/control/action.ts';
import { nullable, oneOf, strictObject } from '../../../platform/http/schema.ts';
import type { TrustContext } from '../../service/context.ts';
import {
  acceptAsAdministrator,
  cancelAsAdministrator,
  hireAsAdministrator,
  listAsAdministrator,
  showAsAdministrator,
} from './administration.ts';
import { AcceptedResponse, EngagementListResponse, EngagementResponse, HireRequest } from './schema.ts';

const { agent_auth: _, ...terms } = HireRequest.properties;
const task = strictObject({ task_id: Type.String({ maxLength: 512 }) });

export const listAction = new Action({
  name: 'engagements.list',
  input: strictObject({
    agent: nullable(terms.hirer_commitment),
    status: nullable(oneOf(ESCROW_STATUSES)),
    limit: Type.String({ maxLength: 3 }),
    cursor: nullable(Type.String({ maxLength: 512 })),
  }),
  output: EngagementListResponse,
  run: (context: TrustContext, query) => listAsAdministrator(context, query),
});

export const showAction = new Action({
  name: 'engagements.show',
  input: task,
  output: EngagementResponse,
  run: (context: TrustContext, input) => showAsAdministrator(context, input.task_id),
});

export const hireAction = new Action({
  name: 'engagements.hire',
  input: strictObject(terms),
  output: EngagementResponse,
  run: (context: TrustContext, input) =>
    hireAsAdministrator(context, {
      taskId: input.task_id,
      purpose: 'engagement',
      hirer: input.hirer_commitment,
      worker: input.worker_commitment,
      amount: input.amount,
      description: input.description ?? null,
      inputDigest: null,
      deadline: input.deadline ?? null,
    }),
});

export const acceptAction = new Action({
  name: 'engagements.accept',
  input: task,
  output: AcceptedResponse,
  run: (context: TrustContext, input) => acceptAsAdministrator(context, input.task_id),
});

export const cancelAction = new Action({
  name: 'engagements.cancel',
  input: task,
  output: EngagementResponse,
  run: (context: TrustContext, input) => cancelAsAdministrator(context, input.task_id),
});

export const engagementActions = [listAction, showAction, hireAction, acceptAction, cancelAction];
