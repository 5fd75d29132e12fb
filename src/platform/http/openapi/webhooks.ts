import type { TSchema } from '@sinclair/typebox';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../proof/encoding/json.ts';
import type { Components } from './components.ts';

/** An event that a service sends to its users' URLs. */
export interface DocumentedWebhook {
  /** The tag of the operations that it belongs to. */
  tag: string;
  summary: string;
  description: string;
  /** The named schema of the body. */
  schema: TSchema;
  example?: JsonValue;
  /** The name of its path item, if several events have this documentation: it is written once. */
  sharedAs?: string;
  /** Whether a delivery that fails is repeated. */
  isRepeated: boolean;
}

/** The events of a service, by name. */
export type WebhookTable = Readonly<Record<string, DocumentedWebhook>>;

/** The headers of Standard Webhooks 1.0.0 (https://www.standardwebhooks.com). */
const HEADERS = {
  'webhook-id':
    'Identifies the delivery: the same in each of its attempts. Ignore an id that you have processed.',
  'webhook-timestamp':
    'When this attempt was made, in Unix seconds. Refuse one that is more than 300 seconds from your clock.',
  'webhook-signature':
    'Signatures with a space between them, each `v1,` and the base64 of an HMAC-SHA256 over the id, a dot, the timestamp, a dot and the ' +
    "body, with the webhook's secret. One that matches is enough.",
};

/** The other responses of a receiver, if deliveries are repeated. */
const REPEATED = {
  410: { description: 'Ends the attempts of this delivery.' },
  default: { description: 'The delivery is repeated later, up to six attempts in about 24 hours.' },
};

/**
 * Returns the path item of each event: the request that a receiver gets, and the responses that it may give.
 * Those that several events share are in `pathItems`, to which each of these events refers.
 */
export function webhookItems(table: WebhookTable, components: Components) {
  const webhooks: Record<string, JsonObject> = {};
  const pathItems: Record<string, JsonObject> = {};
  for (const [event, webhook] of Object.entries(table)) {
    const { sharedAs } = webhook;
    const name = sharedAs ?? event;
    const item = () => ({
      post: { operationId: operationIdOf(name), ...operationOf(name, webhook, components) },
    });
    if (sharedAs !== undefined) pathItems[sharedAs] ??= item();
    webhooks[event] = sharedAs === undefined ? item() : { $ref: `#/components/pathItems/${sharedAs}` };
  }
  return { webhooks, pathItems };
}

/**
 * Returns the same as callbacks of an operation, because Swagger UI shows the webhooks of an OpenAPI 3.0
 * document only there.
 * @param url the runtime expression of the receiver's URL
 */
export function callbacksOf(items: Readonly<Record<string, JsonObject>>, url: string): JsonObject {
  return Object.fromEntries(
    Object.entries(items).map(([name, { post }]) => {
      // An id is unique in a document.
      const { operationId: _, ...operation } = isJsonObject(post) ? post : {};
      return [name, { [url]: { post: operation } }];
    }),
  );
}

/** Returns `requisitionStatusChanged` for `requisition.status_changed`, and `delivery` for `Delivery`. */
function operationIdOf(name: string): string {
  const id = name.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());
  return id.slice(0, 1).toLowerCase() + id.slice(1);
}

function operationOf(
  name: string,
  { tag, summary, description, schema, example, isRepeated }: DocumentedWebhook,
  components: Components,
): JsonObject {
  return {
    tags: [tag],
    summary,
    description,
    parameters: Object.entries(HEADERS).map(([header, said]) => ({
      name: header,
      in: 'header',
      required: true,
      schema: { type: 'string' },
      description: said,
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          ...(example === undefined ? {} : { example }),
          schema: components.schemaOf(parseJson(JSON.stringify(schema)), `the webhook ${name}`),
        },
      },
    },
    responses: {
      '2XX': { description: 'You received the event. The body is ignored.' },
      ...(isRepeated ? REPEATED : { default: { description: 'The delivery failed. It is not repeated.' } }),
    },
    security: [],
  };
}
