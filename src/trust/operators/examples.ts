import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';

/** An API key. */
const apiKey = {
  keyHash: 'c688422ad516ce7db0b4ce387010016f00c253b9eba06e892e03a83241669ce3',
  name: 'build server',
  role: 'issuer',
  admin: false,
  subject_commitment: null,
  scope: null,
  created_at: '2026-05-01T12:02:16.500Z',
  last_used_at: null,
};

/** Responses of the operations, as a service returned them; secrets are zeros. */
export const examples: OperationExamples = {
  createApiKey: {
    '201': {
      ...apiKey,
      api_key: 'pp_0000000000000000000000000000000000000000000000000000000000000000',
    },
  },
  listApiKeys: {
    '200': {
      api_keys: [
        apiKey,
        {
          keyHash: '1309a87317ab4ca87851e49d5386b47d26f633f7aa47a8d7e29d917afd567f31',
          name: 'first start',
          role: 'issuer',
          admin: true,
          subject_commitment: null,
          scope: null,
          created_at: '2026-05-01T12:00:00.000Z',
          last_used_at: '2026-05-01T12:02:11.500Z',
        },
      ],
      next_cursor: null,
    },
  },
  deleteApiKey: {
    '200': {
      keyHash: 'c688422ad516ce7db0b4ce387010016f00c253b9eba06e892e03a83241669ce3',
      deleted: true,
    },
  },
  openSession: {
    '201': {
      operator_id: 'op_cus_ZqKRHEFpiKRJbPSeMSPOHwEl',
      expires_at: '2026-05-02T00:02:16.500Z',
    },
  },
  endSession: {
    '200': {
      ended: true,
    },
  },
};
