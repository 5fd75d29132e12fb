import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';

/** A sandbox key. */
const key = {
  id: 'key_01a20229ea6b747898eaa23f14475577',
  tier: 'sandbox',
  prefix: 'mpk_test_',
  last4: 'q65H',
  scopes: ['registry:read'],
  created_at: '2026-11-22T07:30:31.147Z',
  revoked_at: null,
};

/** Responses of the operations, as a service returned them; secrets are zeros. */
export const examples: OperationExamples = {
  createSandboxKey: {
    '201': {
      partner_id: 'ptr_01a20229e82e72be9a288eb5b90debba',
      tier: 'sandbox',
      api_key: 'mpk_test_0000000000000000000000000000000000000000',
      scopes: ['registry:read', 'jobs:read', 'jobs:write'],
      limits: {
        requests_per_minute: 60,
        stored_requisitions: 25,
      },
    },
    '202': {
      message: 'The key was sent to this address.',
    },
  },
  createKey: {
    '201': {
      ...key,
      api_key: 'mpk_test_0000000000000000000000000000000000000000',
    },
  },
  listKeys: {
    '200': {
      data: [
        key,
        {
          id: 'key_01a20229e80477e08e08fe9a60098d51',
          tier: 'sandbox',
          prefix: 'mpk_test_',
          last4: 'FG8B',
          scopes: ['registry:read', 'jobs:read', 'jobs:write'],
          created_at: '2026-11-22T07:30:30.532Z',
          revoked_at: null,
        },
      ],
      has_more: false,
      next_cursor: null,
    },
  },
  revokeKey: {
    '200': { ...key, revoked_at: '2026-11-22T07:30:31.184Z' },
  },
  getMe: {
    '200': {
      account: {
        partner_id: 'ptr_01a20229e802721fbdf6f65b34f63c37',
        name: 'Firm',
        email: 'own@firm.example',
        created_at: '2026-11-22T07:30:30.530Z',
      },
      tier: 'sandbox',
      scopes: ['registry:read', 'jobs:read', 'jobs:write'],
      key: {
        id: 'key_01a20229e80477e08e08fe9a60098d51',
        prefix: 'mpk_test_',
        last4: 'FG8B',
        created_at: '2026-11-22T07:30:30.532Z',
      },
      limits: {
        requests_per_minute: 60,
        stored_requisitions: 25,
      },
      usage: {
        requests_this_minute: 12,
        requests_today: 12,
        requests_total: 12,
        stored_requisitions: 1,
      },
      registry: {
        as_of: '2026-01-01',
        records: 20_000,
        sample: true,
      },
    },
  },
};
