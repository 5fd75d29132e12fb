import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';

/** A live requisition that was filled, with its partner. */
const filled = {
  partner_id: 'ptr_01a20229e802721fbdf6f65b34f63c37',
  id: 'req_01a20229efd373e4afe84cc732c6aca5',
  object: 'requisition',
  mode: 'live',
  status: 'filled',
  worked: true,
  title: 'ICU travel nurse',
  specialty: 'RN critical care',
  specialty_code: '163WC0200X',
  state: 'TX',
  city: 'Austin',
  weeks: 13,
  external_id: 'ATS-4711',
  positions: 1,
  start_date: null,
  shift: null,
  employment_type: null,
  notes: null,
  created_at: '2026-11-22T07:30:32.531Z',
  updated_at: '2026-11-22T07:30:33.744Z',
  history: [
    {
      status: 'submitted',
      at: '2026-11-22T07:30:32.531Z',
    },
    {
      status: 'open',
      at: '2026-11-22T07:30:32.531Z',
    },
    {
      status: 'filled',
      at: '2026-11-22T07:30:33.744Z',
    },
  ],
};

/** Responses of the operations, as a service returned them; secrets are zeros. */
export const examples: OperationExamples = {
  setJobStatus: {
    '200': filled,
  },
  listAllJobs: {
    '200': {
      data: [filled],
      has_more: false,
      next_cursor: null,
    },
  },
  listPartners: {
    '200': {
      data: [
        {
          partner_id: 'ptr_01a20229e82e72be9a288eb5b90debba',
          name: 'Firm, Inc.',
          email: 'ada@firm-one.example',
          created_at: '2026-11-22T07:30:30.574Z',
          promoted_at: null,
          closed_at: null,
          keys: [
            {
              id: 'key_01a20229e82e72bf8734bedd3fbfd076',
              tier: 'sandbox',
              prefix: 'mpk_test_',
              last4: '2y85',
              scopes: ['registry:read', 'jobs:read', 'jobs:write'],
              created_at: '2026-11-22T07:30:30.574Z',
              revoked_at: null,
            },
          ],
          stored_requisitions: {
            sandbox: 0,
            live: 0,
          },
        },
      ],
      has_more: true,
      next_cursor:
        'oHC9Ha5jmVM7YGuNFOFwkyZgZ9o55PYgd0Jbh6U8e7v9zDEHGFt0B8zG_qUt96IpAa4bSNqdGCHkYhBF2fkziDRgA-c43ngwGKgB9P886jkYeGbagg-RECxjkG4',
    },
  },
  promotePartner: {
    '200': {
      id: 'key_01a20229f4a572879755ae8f849c37e2',
      tier: 'live',
      prefix: 'mpk_live_',
      last4: 'tF4x',
      scopes: ['registry:read', 'jobs:read', 'jobs:write'],
      created_at: '2026-11-22T07:30:33.765Z',
      revoked_at: null,
      api_key: 'mpk_live_0000000000000000000000000000000000000000',
    },
  },
  revokePartnerKeys: {
    '200': {
      partner_id: 'ptr_01a20229e82e72be9a288eb5b90debba',
      name: 'Firm, Inc.',
      email: 'ada@firm-one.example',
      created_at: '2026-11-22T07:30:30.574Z',
      promoted_at: '2026-11-22T07:30:33.762Z',
      closed_at: '2026-11-22T07:30:33.770Z',
      keys: [
        {
          id: 'key_01a20229f4a572879755ae8f849c37e2',
          tier: 'live',
          prefix: 'mpk_live_',
          last4: 'tF4x',
          scopes: ['registry:read', 'jobs:read', 'jobs:write'],
          created_at: '2026-11-22T07:30:33.765Z',
          revoked_at: '2026-11-22T07:30:33.770Z',
        },
        {
          id: 'key_01a20229e82e72bf8734bedd3fbfd076',
          tier: 'sandbox',
          prefix: 'mpk_test_',
          last4: '2y85',
          scopes: ['registry:read', 'jobs:read', 'jobs:write'],
          created_at: '2026-11-22T07:30:30.574Z',
          revoked_at: '2026-11-22T07:30:33.770Z',
        },
      ],
      stored_requisitions: {
        sandbox: 0,
        live: 0,
      },
    },
  },
};
