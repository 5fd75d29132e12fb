import type { RequisitionStatusChangedEvent } from '../../dist/clients/staffing/sdk/index.ts';
import type { components } from '../../dist/clients/staffing/types.ts';

/** A receiver of the staffing service's events, by the types of both generators. */

type Schemas = components['schemas'];
type Event = Schemas['RequisitionStatusChangedEvent'] | Schemas['WebhookTestEvent'];
export type OfSdk = RequisitionStatusChangedEvent['data']['status'];

/** Returns what an event says. */
export function described(event: Event): string {
  switch (event.type) {
    case 'requisition.status_changed':
      return `${event.data.id} is ${event.data.status}`;
    case 'webhook.test':
      return `${event.data.webhook_id} works`;
  }
}
