import { type TSchema, Type } from '@sinclair/typebox';
import type { WebhookTable } from '../../platform/http/openapi/webhooks.ts';
import { dateTime, named, strictObject } from '../../platform/http/schema.ts';
import { Tier } from '../http/schema.ts';
import { STATUS_CHANGED, TEST } from './event-types.ts';

/** Returns the schema of an event's body. @param name the name of the component in the documentation */
export function eventSchema(name: string, type: string, timestamp: string, data: TSchema) {
  return named(name, strictObject({ type: Type.Literal(type), timestamp: dateTime(timestamp), data }));
}

/** The documentation of the event that tests a webhook. */
export const webhooks: WebhookTable = {
  [TEST]: {
    tag: 'Webhook',
    isRepeated: true,
    summary: 'You asked for a test event',
    description: `Sent after \`POST /webhook/test\`. It is delivered like \`${STATUS_CHANGED}\`.`,
    schema: eventSchema(
      'WebhookTestEvent',
      TEST,
      'The time when you asked for it.',
      strictObject({
        webhook_id: Type.String({
          description: 'The id of the webhook: `wh_` and 32 hexadecimal characters.',
        }),
        mode: Tier,
      }),
    ),
    example: {
      type: TEST,
      timestamp: '2026-11-22T07:31:10.033Z',
      data: { webhook_id: 'wh_01a20229efcb7479b1a3a7ca173bc79c', mode: 'sandbox' },
    },
  },
};
