import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';

/** Responses of the operations, as a service answered them; secrets are zeros. */
export const examples: OperationExamples = {
  setWebhook: {
    '200': {
      id: 'wh_01a20229efcb7479b1a3a7ca173bc79c',
      url: 'https://ats.firm.example/hooks',
      events: ['requisition.status_changed'],
      created_at: '2026-11-22T07:30:32.523Z',
      secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    },
  },
  getWebhook: {
    '200': {
      id: 'wh_01a20229efcb7479b1a3a7ca173bc79c',
      url: 'https://ats.firm.example/hooks',
      events: ['requisition.status_changed'],
      created_at: '2026-11-22T07:30:32.523Z',
    },
  },
  deleteWebhook: {
    '200': {
      id: 'wh_01a20229efcb7479b1a3a7ca173bc79c',
      deleted: true,
    },
  },
};
