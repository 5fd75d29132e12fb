import { isJsonObject, type JsonObject, type JsonValue } from '../../../proof/encoding/json.ts';
import type { Headers } from './shared-headers.ts';

/**
 * Returns the headers that a route declares in its detail, descriptions by name: in `x-response-headers` the
 * optional headers of successful responses, in `x-status-headers` the headers of every response with a
 * status, in `x-request-headers` the headers that a request must have, in `x-optional-request-headers` those
 * that it may have.
 */
export function headersOf(said: JsonValue): Headers {
  if (!isJsonObject(said)) return {};
  return Object.fromEntries(Object.entries(said).map(([name, text]) => [name, String(text)]));
}

/** Returns declared headers of a request as parameters. */
export function headerParameters(said: JsonValue, required: boolean): JsonObject[] {
  return Object.entries(headersOf(said)).map(([name, description]) => ({
    name,
    in: 'header',
    schema: { type: 'string' },
    required,
    description,
  }));
}
