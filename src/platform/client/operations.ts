import { isJsonObject, type JsonObject, type JsonValue } from '../../proof/encoding/json.ts';

/** How a service is asked for an operation. */
export interface ServiceOperation {
  method: string;
  /** With parameters, such as `/api/v1/receipts/{id}`. */
  path: string;
  /** True if the service answers a repeated Idempotency-Key with the first response. */
  isIdempotent: boolean;
}

/** The operations of a service, by operationId: `METHOD path`, with `once` behind an idempotent one. */
export type ServiceOperations = Readonly<Record<string, string>>;

const LINE = /^(GET|POST|PUT|PATCH|DELETE) (\/(?!\/)[\x21-\x7e]*)( once)?$/;

/** Returns an operation of a service; null if the service does not have it. */
export function operationIn(operations: ServiceOperations, id: string): ServiceOperation | null {
  const line = Object.hasOwn(operations, id) ? operations[id] : undefined;
  const [, method, path, once] = LINE.exec(line ?? '') ?? [];
  if (method === undefined || path === undefined) return null;
  return { method, path, isIdempotent: once !== undefined };
}

/** Returns the operations that a file contains; null for anything else. */
export function storedOperations(value: JsonValue | undefined): ServiceOperations | null {
  if (!isJsonObject(value)) return null;
  const entries = Object.entries(value).flatMap(([id, line]) =>
    typeof line === 'string' && LINE.test(line) ? [[id, line] as const] : [],
  );
  return Object.fromEntries(entries);
}

/**
 * Returns the operations that an OpenAPI document describes. What is no operation with a path on this service
 * is left out.
 */
export function operationsOfDocument(document: JsonValue): ServiceOperations {
  const paths = isJsonObject(document) && isJsonObject(document.paths) ? document.paths : {};
  const components = isJsonObject(document) && isJsonObject(document.components) ? document.components : {};
  const shared = isJsonObject(components.parameters) ? components.parameters : {};
  const operations: Record<string, string> = {};
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(isJsonObject(item) ? item : {})) {
      if (!isJsonObject(operation) || typeof operation.operationId !== 'string') continue;
      const line = `${method.toUpperCase()} ${path}${isOnce(operation.parameters, shared) ? ' once' : ''}`;
      if (LINE.test(line)) operations[operation.operationId] = line;
    }
  }
  return operations;
}

/** @param shared the parameters among the components of the document, to which operations refer */
function isOnce(parameters: JsonValue | undefined, shared: JsonObject): boolean {
  if (!Array.isArray(parameters)) return false;
  return parameters.some((parameter) => {
    if (!isJsonObject(parameter)) return false;
    const { $ref } = parameter;
    const whole = typeof $ref === 'string' ? shared[$ref.split('/').at(-1) ?? ''] : parameter;
    return isJsonObject(whole) && whole.name === 'Idempotency-Key';
  });
}
