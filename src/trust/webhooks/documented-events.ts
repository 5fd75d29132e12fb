import { type TObject, Type } from '@sinclair/typebox';
import type { WebhookTable } from '../../platform/http/openapi/webhooks.ts';
import { named, oneOf } from '../../platform/http/schema.ts';
import type { EventTable } from '../../platform/module.ts';

/**
 * Returns the documentation of events: the delivery that all of them have, whose `data` is that of its event.
 */
export function documentedEvents(events: EventTable): WebhookTable {
  const delivery = {
    tag: 'Webhooks',
    summary: 'An event happened',
    description:
      'Sent once to each webhook that subscribes to it. `GET /api/v1/webhooks/verify-guide` says how to verify it.',
    schema: named('WebhookEvent', Type.Unsafe({ oneOf: formsOf(events) })),
    sharedAs: 'Delivery',
    isRepeated: false,
  };
  return Object.fromEntries(Object.keys(events).map((event) => [event, delivery]));
}

/** Returns the bodies of deliveries: one for each schema of data, with the names of its events. */
function formsOf(events: EventTable): TObject[] {
  const names = new Map<TObject, string[]>();
  for (const [event, data] of Object.entries(events)) names.set(data, [...(names.get(data) ?? []), event]);
  return [...names].map(([data, ofData]) =>
    Type.Object({ event: oneOf(ofData), data, timestamp: Type.String() }),
  );
}
