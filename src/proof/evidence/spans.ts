import { isJsonObject, type JsonObject, type JsonValue } from '../encoding/json.ts';

const GEN_AI = 'gen_ai.';

/**
 * Returns the spans of an OTLP/JSON export in their order, or the payload itself when it is a single span.
 */
export function spansOf(payload: JsonObject): JsonObject[] {
  if (!('resourceSpans' in payload)) return [payload];
  return objects(payload.resourceSpans)
    .flatMap(({ scopeSpans }) => objects(scopeSpans))
    .flatMap(({ spans }) => objects(spans));
}

/**
 * Returns whether a span, one of its events or a flat member of it has an attribute of the semantic
 * conventions for generative AI.
 */
export function namesGenAi(span: JsonObject): boolean {
  const events = objects(span.events);
  return (
    Object.keys(span).some(isGenAi) ||
    [span, ...events].some(({ attributes }) => attributeNames(attributes).some(isGenAi))
  );
}

/**
 * Returns whether a span ended with status ERROR, as OTLP/JSON writes it (code 2 or its name) or as the SDKs
 * print it: `{"status_code": "ERROR"}` or just the word.
 */
export function isErroneous({ status }: JsonObject): boolean {
  const code = isJsonObject(status) ? (status.code ?? status.status_code) : status;
  return (
    code === 2 || (typeof code === 'string' && /^(?:status_code_|statuscode\.)?(?:error|2)$/i.test(code))
  );
}

function attributeNames(attributes: JsonValue | undefined): string[] {
  if (isJsonObject(attributes)) return Object.keys(attributes);
  return objects(attributes).flatMap(({ key }) => (typeof key === 'string' ? [key] : []));
}

function isGenAi(name: string): boolean {
  return name.startsWith(GEN_AI);
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
