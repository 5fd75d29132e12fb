import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';

/** Responses of the operations, as a service returned them; secrets are zeros. */
export const examples: OperationExamples = {
  createWebhook: {
    '201': {
      id: 'wh_01a20229d3f872aeb09a002480d0c826',
      url: 'https://hooks.operator.example/countersign',
      events: ['evidence.anchored', 'reputation.degraded'],
      created_at: '2026-05-01T12:02:15.500Z',
      secret: 'whk_0000000000000000000000000000000000000000000000000000000000000000',
      signing_secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    },
  },
  listWebhooks: {
    '200': {
      webhooks: [
        {
          id: 'wh_01a20229d3f872aeb09a002480d0c826',
          url: 'https://hooks.operator.example/countersign',
          events: ['evidence.anchored', 'reputation.degraded'],
          created_at: '2026-05-01T12:02:15.500Z',
        },
      ],
      next_cursor: null,
    },
  },
  listWebhookDeliveries: {
    '200': {
      deliveries: [
        {
          id: 'msg_bf76b61caff64c0fd938bac33c261ef7',
          event: 'evidence.anchored',
          created_at: '2026-05-01T12:02:15.500Z',
          ended_at: '2026-05-01T12:02:15.500Z',
          status: 204,
          error: null,
        },
      ],
      next_cursor: null,
    },
  },
  deleteWebhook: {
    '200': {
      id: 'wh_01a20229d3f872aeb09a002480d0c826',
      deleted: true,
    },
  },
};
