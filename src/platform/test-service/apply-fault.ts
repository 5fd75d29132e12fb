import { Memoirist } from 'memoirist';
import type { Declared } from '../http/documented-app.ts';
import { type ErrorDefinition, Refusal, textOf } from '../http/errors/errors.ts';
import { ownRequestId, requestId } from '../http/request/request-id.ts';
import { COMMON_HEADERS } from '../http/routing/response.ts';
import type { Fault } from './faults.ts';
import { TEST_PATH } from './paths.ts';

/** The statuses whose responses say when to try again. */
const RETRIED = [429, 503];

/** The operations and errors of a service, as faults use them. */
export class FaultTargets {
  private readonly tree = new Memoirist<string>();
  private readonly operations: ReadonlySet<string>;

  constructor(private readonly declared: Declared) {
    const operations = declared.operations.filter(({ path }) => !path.startsWith(TEST_PATH));
    for (const { method, path, operationId } of operations) this.tree.add(method, path, operationId);
    this.operations = new Set(operations.map(({ operationId }) => operationId));
  }

  /** Returns the operation of a request; null for none. */
  operationOf({ method, url }: Request): string | null {
    const path = URL.parse(url)?.pathname ?? '';
    return this.tree.find(method === 'HEAD' ? 'GET' : method, path)?.store ?? null;
  }

  /** @throws Refusal invalid for an operation or a status that the service does not have */
  check({ operation, status }: Pick<Fault, 'operation' | 'status'>): void {
    if (!this.operations.has(operation)) {
      const issue = `is not an operationId of this service: see /openapi.json`;
      throw new Refusal('invalid', { issues: { operation: [issue] } });
    }
    if (status === null || this.errorOf(status) !== null) return;
    const statuses = [...new Set(this.errors().map((error) => error.status))].sort((a, b) => a - b);
    throw new Refusal('invalid', { issues: { status: [`must be one of ${statuses.join(', ')}`] } });
  }

  /** Returns the response of an error with this status, as the service writes it. */
  responseOf(status: number, request: Request): Response {
    const { dialect } = this.declared;
    const error = this.errorOf(status);
    if (error === null) throw new Error(`the service has no error with status ${status}`);
    const id = dialect.takesRequestIds ? requestId(request) : ownRequestId(request);
    const body = dialect.errorBody({ code: error.code, message: textOf(error), requestId: id });
    const headers = {
      ...COMMON_HEADERS,
      'x-request-id': id,
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      ...(RETRIED.includes(status) && { 'retry-after': '1' }),
    };
    return Response.json(body, { status, headers });
  }

  private errorOf(status: number): ErrorDefinition | null {
    return this.errors().find((error) => error.status === status) ?? null;
  }

  /** The errors that any request can get come first. */
  private errors(): ErrorDefinition[] {
    const { dialect, errors } = this.declared;
    const others = Object.entries(errors).map(([code, entry]) => ({ ...entry, code }));
    return [...Object.values(dialect.causes), ...others];
  }
}

/**
 * Returns a response that the listener does not send: it closes the connection. The runtime does so when the
 * stream of a body fails before its first byte; without an error it prints nothing.
 */
export function lostResponse(): Response {
  return new Response(
    new ReadableStream({
      pull: (controller) => controller.error(undefined),
    }),
  );
}
