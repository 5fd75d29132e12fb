import { Type } from '@sinclair/typebox';
import { TIERS } from '../../../db/staffing/accounts-enums.ts';
import { STATUSES } from '../../../db/staffing/requisitions-enums.ts';
import { Action } from '../../platform/control/action.ts';
import { characters, nullable, oneOf, strictObject } from '../../platform/http/schema.ts';
import { createPartnerKey } from '../accounts/partners/create-partner-key.ts';
import { listPartners } from '../accounts/partners/list.ts';
import { promotePartner } from '../accounts/partners/promote.ts';
import { revokePartnerKeys } from '../accounts/partners/revoke-keys.ts';
import type { Accounts } from '../accounts/services.ts';
import { listOf } from '../http/schema.ts';
import { AdminRequisitionListResponse, AdminRequisitionResponse } from '../requisitions/schema.ts';
import type { Requisitions } from '../requisitions/services.ts';
import { listSuppressions } from '../suppressions/list.ts';
import type { Suppressions } from '../suppressions/services.ts';
import { suppress } from '../suppressions/suppress.ts';
import { undoSuppression } from '../suppressions/undo.ts';
import { listAllJobs } from './list-all-jobs.ts';
import { CreatedKeyResponse, PartnerListResponse, PartnerResponse, StatusRequest } from './schema.ts';
import { setJobStatus } from './set-job-status.ts';

/** The context of requisition commands, which also run without a server. */
type WithoutRegistry = Omit<Requisitions, 'registry'>;

const id = Type.String({ minLength: 1, maxLength: 256 });
const paging = { cursor: Type.Optional(Type.String()) };
/** The maximum page size. */
const LIMIT = '100';

export const partnersAction = new Action({
  name: 'partners.list',
  input: strictObject(paging),
  output: PartnerListResponse,
  run: (accounts: Accounts, { cursor }) => listPartners(accounts, { limit: LIMIT, cursor }),
});

export const promoteAction = new Action({
  name: 'partners.promote',
  input: strictObject({ partner: id }),
  output: CreatedKeyResponse,
  run: (accounts: Accounts, { partner }) => promotePartner(accounts, partner),
});

export const keyAction = new Action({
  name: 'partners.key',
  input: strictObject({ partner: id, tier: oneOf(TIERS) }),
  output: CreatedKeyResponse,
  run: (accounts: Accounts, { partner, tier }) => createPartnerKey(accounts, partner, tier),
});

export const revokeAction = new Action({
  name: 'partners.revoke',
  input: strictObject({ partner: id, key: nullable(id) }),
  output: PartnerResponse,
  run: (accounts: Accounts, { partner, key }) => revokePartnerKeys(accounts, partner, key),
});

export const jobsAction = new Action({
  name: 'jobs.list',
  input: strictObject({
    status: Type.Optional(oneOf(STATUSES)),
    mode: Type.Optional(oneOf(TIERS)),
    ...paging,
  }),
  output: AdminRequisitionListResponse,
  run: (requisitions: WithoutRegistry, query) => listAllJobs(requisitions, { limit: LIMIT, ...query }),
});

export const statusAction = new Action({
  name: 'jobs.status',
  input: strictObject({ job: id, status: StatusRequest.properties.status }),
  output: AdminRequisitionResponse,
  run: (requisitions: WithoutRegistry, { job, status }) => setJobStatus(requisitions, job, status),
});

export const suppressAction = new Action({
  name: 'suppress',
  input: strictObject({
    npi: Type.String({ minLength: 1, maxLength: 64 }),
    reason: characters(1024, '\\u0000-\\u001f\\u007f-\\u009f', 'Why.', undefined, { blank: false }),
  }),
  output: strictObject({ npi: Type.String(), reason: Type.String(), was_in_registry: Type.Boolean() }),
  run: (suppressions: Suppressions, { npi, reason }) => suppress(suppressions, npi, reason),
});

export const undoSuppressionAction = new Action({
  name: 'suppress.undo',
  input: strictObject({ npi: Type.String({ minLength: 1, maxLength: 64 }) }),
  output: strictObject({ npi: Type.String(), restored: Type.Boolean() }),
  run: (suppressions: Suppressions, { npi }) => undoSuppression(suppressions, npi),
});

export const suppressionsAction = new Action({
  name: 'suppress.list',
  input: strictObject(paging),
  output: listOf(strictObject({ npi: Type.String(), reason: Type.String(), at: Type.String() }), {}),
  run: (suppressions: Suppressions, { cursor }) => listSuppressions(suppressions, { limit: LIMIT, cursor }),
});

export const staffingActions = [
  suppressAction,
  undoSuppressionAction,
  suppressionsAction,
  partnersAction,
  promoteAction,
  keyAction,
  revokeAction,
  jobsAction,
  statusAction,
];
