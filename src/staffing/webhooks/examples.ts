import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';

/** Responses of the operations, as a service returned them; secrets are zeros. */
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
  testWebhook: {
    '202': {
      id: 'msg_01a20229f0117a3aa5b1f3d60b2a8c41',
      webhook_id: 'wh_01a20229efcb7479b1a3a7ca173bc79c',
      event: 'webhook.test',
      status: 'pending',
      attempts: 0,
      last_status: null,
      last_error: null,
      created_at: '2026-11-22T07:31:10.033Z',
      next_attempt_at: '2026-11-22T07:31:10.033Z',
      ended_at: null,
    },
  },
  listWebhookDeliveries: {
    '200': {
      data: [
        {
          id: 'msg_01a20229f0117a3aa5b1f3d60b2a8c41',
          webhook_id: 'wh_01a20229efcb7479b1a3a7ca173bc79c',
          event: 'webhook.test',
          status: 'pending',
          attempts: 1,
          last_status: 500,
          last_error: 'returned status 500',
          created_at: '2026-11-22T07:31:10.033Z',
          next_attempt_at: '2026-11-22T07:31:41.209Z',
          ended_at: null,
        },
        {
          id: 'msg_01a20229efea7c69a2a8f8a1d54bb7c3',
          webhook_id: 'wh_01a20229efcb7479b1a3a7ca173bc79c',
          event: 'requisition.status_changed',
          status: 'delivered',
          attempts: 1,
          last_status: 204,
          last_error: null,
          created_at: '2026-11-22T07:30:33.744Z',
          next_attempt_at: null,
          ended_at: '2026-11-22T07:30:33.802Z',
        },
      ],
    },
  },
  deleteWebhook: {
    '200': {
      id: 'wh_01a20229efcb7479b1a3a7ca173bc79c',
      deleted: true,
    },
  },
};
