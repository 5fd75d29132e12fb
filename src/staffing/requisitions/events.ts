import type { WebhookTable } from '../../platform/http/openapi/webhooks.ts';
import { STATUS_CHANGED } from '../webhooks/event-types.ts';
import { eventSchema } from '../webhooks/events.ts';
import { RequisitionResponse } from './schema.ts';

/** The documentation of the events of requisitions. */
export const webhooks: WebhookTable = {
  [STATUS_CHANGED]: {
    tag: 'Webhook',
    isRepeated: true,
    summary: 'The status of a requisition changed',
    description:
      'Sent for every change of status after you submitted a requisition, including when you cancel it. `data` is the requisition ' +
      'as it was after the change. The order of events is not guaranteed: compare `updated_at`.',
    schema: eventSchema(
      'RequisitionStatusChangedEvent',
      STATUS_CHANGED,
      'The time of the change.',
      RequisitionResponse,
    ),
    example: {
      type: STATUS_CHANGED,
      timestamp: '2026-11-22T07:30:33.744Z',
      data: {
        id: 'req_01a20229efd373e4afe84cc732c6aca5',
        object: 'requisition',
        mode: 'live',
        status: 'on_hold',
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
          { status: 'submitted', at: '2026-11-22T07:30:32.531Z' },
          { status: 'open', at: '2026-11-22T07:30:32.531Z' },
          { status: 'on_hold', at: '2026-11-22T07:30:33.744Z' },
        ],
      },
    },
  },
};
