import { isJsonObject, type JsonValue } from '../../proof/encoding/json.ts';
import { Failure } from '../failure.ts';
import { pathSegment } from '../path-segment.ts';
import {
  operationIn,
  operationsOfDocument,
  type ServiceOperation,
  type ServiceOperations,
} from './operations.ts';
import type { RequestOptions, ServiceClient } from './service-client.ts';

/** Where the OpenAPI documents of a service are. Only the staffing service has one for its administrator. */
const DOCUMENTS = ['openapi.json', 'admin/openapi.json'];

/** A service whose operations are called over HTTP. */
export class ServiceTarget {
  private fetched: Promise<ServiceOperations> | null = null;

  /**
   * @param known the operations of the service, as they were when they were stored; empty if nothing was
   * @param store keeps the operations that were fetched anew
   */
  constructor(
    readonly client: ServiceClient,
    private readonly known: ServiceOperations = {},
    private readonly store: (operations: ServiceOperations) => void = () => undefined,
  ) {}

  /**
   * Calls an operation. Values that are not in its path are in the query (GET, DELETE) or in the body.
   * @returns the body of the response
   * @throws Failure for an operation that the service lacks, and as `ServiceClient.request`
   */
  async call(
    id: string,
    values: Readonly<Record<string, unknown>>,
    options: RequestOptions = {},
  ): Promise<JsonValue> {
    const { method, path: template, isIdempotent } = await this.operation(id);
    const rest = new Map(Object.entries(values));
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const segment = pathSegment(name, String(rest.get(name) ?? ''));
      rest.delete(name);
      return segment;
    });
    if (method === 'GET' || method === 'DELETE') {
      const query = new URLSearchParams();
      for (const [name, value] of rest) query.append(name, String(value));
      return this.client.request({ method, path: query.size === 0 ? path : `${path}?${query}` }, options);
    }
    return this.client.request({ method, path, body: Object.fromEntries(rest), isIdempotent }, options);
  }

  /** Returns whether the service does what a repeated Idempotency-Key asks for once. @throws Failure */
  async isIdempotent(id: string): Promise<boolean> {
    return (await this.operation(id)).isIdempotent;
  }

  private async operation(id: string): Promise<ServiceOperation> {
    const operation = operationIn(this.known, id) ?? operationIn(await this.operations(), id);
    if (operation === null) throw await this.lacking(id);
    return operation;
  }

  /** Returns the operations that the service has now. @throws Failure if it has no OpenAPI document */
  operations(): Promise<ServiceOperations> {
    this.fetched ??= this.fetchOperations();
    return this.fetched;
  }

  private async fetchOperations(): Promise<ServiceOperations> {
    const [document, ...further] = await Promise.all(
      DOCUMENTS.map((path, index) =>
        this.client.request({ method: 'GET', path }).catch((error: unknown) => {
          if (index > 0 && error instanceof Failure && error.exitCode === 4) return null;
          throw error;
        }),
      ),
    );
    const operations = Object.assign(
      operationsOfDocument(document ?? null),
      ...further.map(operationsOfDocument),
    );
    this.store(operations);
    return operations;
  }

  private async lacking(id: string): Promise<Failure> {
    const health = await this.client.request({ method: 'GET', path: 'api/health' }).catch(() => null);
    const { version: number } = isJsonObject(health) ? health : {};
    const version = typeof number === 'string' ? ` (version ${number})` : '';
    return new Failure(
      `the service at ${this.client.place}${version} has no operation ${id}`,
      'it is older than this program, or another service; countersign version shows the one of the program',
    );
  }
}
