import { Type } from '@sinclair/typebox';
import { ESCROW_STATUSES } from '../../../../db/trust/escrow-enums.ts';
import { Action } from '../../../platform/control/action.ts';
import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import { nullable, oneOf, strictObject } from '../../../platform/http/schema.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import type { Signer } from '../../log/keys/signing/signer.ts';
import type { TrustLog } from '../../log/lifecycle/open.ts';
import type { Principals } from '../../operators/auth/principals.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import { acceptAsAdministrator } from './accept.ts';
import { cancelAsAdministrator } from './cancel.ts';
import { hireAsAdministrator } from './create.ts';
import { showAsAdministrator } from './get.ts';
import { listAsAdministrator } from './list.ts';
import { AcceptedResponse, EngagementListResponse, EngagementResponse, HireRequest } from './schema.ts';

/** The parts of the service that are used here. */
interface Context {
  store: Store;
  clock: Clock;
  ids: Ids;
  policy: OperatorsPolicy;
  principals: Principals;
  cursors: Cursors;
  signer: Signer;
  log: TrustLog;
  clockWatch: ClockWatch;
}

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
  run: (context: Context, query) => listAsAdministrator(context, query),
});

export const showAction = new Action({
  name: 'engagements.show',
  input: task,
  output: EngagementResponse,
  run: (context: Context, input) => showAsAdministrator(context, input.task_id),
});

export const hireAction = new Action({
  name: 'engagements.hire',
  input: strictObject(terms),
  output: EngagementResponse,
  run: (context: Context, input) =>
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
  run: (context: Context, input) => acceptAsAdministrator(context, input.task_id),
});

export const cancelAction = new Action({
  name: 'engagements.cancel',
  input: task,
  output: EngagementResponse,
  run: (context: Context, input) => cancelAsAdministrator(context, input.task_id),
});

export const engagementActions = [listAction, showAction, hireAction, acceptAction, cancelAction];
