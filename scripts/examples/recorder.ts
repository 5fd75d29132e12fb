import { type ApiCall, apiClient } from '../../src/platform/demo/api-client.ts';
import type { OperationExamples } from '../../src/platform/http/openapi/openapi.ts';
import { SHOWN_BY_EXAMPLE } from '../../src/platform/http/openapi/openapi.ts';
import { type JsonValue, parseJson } from '../../src/proof/encoding/json.ts';
import { parametersOf, responsesOf } from '../../test/support/openapi.ts';
import { examplesOf } from '../../test/support/try-it-out.ts';
import { publicForm } from './public-form.ts';

/** Sends a request to a service in this process. */
type Send = (request: Request) => Promise<Response>;

/** An operation of a document, with the pattern of its paths. */
interface Operation {
  id: string;
  method: string;
  path: RegExp;
  /** The number of its path parameters. A path without parameters takes precedence. */
  parameters: number;
  /** Whether it reads a list in pages. */
  hasPages: boolean;
}

/** The members of a page in an example. */
const PAGE = '2';

/** Records the responses that a document lacks examples for, by operation and status. */
export class Recorder {
  private readonly operations: readonly Operation[];
  private readonly needed: ReadonlySet<string>;
  private readonly recorded = new Map<string, JsonValue>();

  /**
   * @param document an OpenAPI document without examples of responses
   * @param send sends a request to the service
   * @param problems problems with members of their own, for which the document has only a general example:
   * `finalizeReceipt 409`
   */
  constructor(
    private readonly document: unknown,
    private readonly send: Send,
    problems: readonly string[] = [],
  ) {
    const all = Object.entries(Object(Object(document).paths)).flatMap(([path, item]) =>
      Object.entries(Object(item)).map(([method, operation]) => ({
        path,
        method,
        operation: Object(operation),
      })),
    );
    this.operations = all
      .map(({ path, method, operation }) => ({
        id: String(operation.operationId),
        method: method.toUpperCase(),
        path: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        parameters: path.split('{').length - 1,
        hasPages: parametersOf(document, operation).some(({ name }) => name === 'cursor'),
      }))
      .sort((one, other) => one.parameters - other.parameters);
    const lacking = all.flatMap(({ operation }) =>
      responsesOf(document, operation)
        .filter(([, response]) => lacksExample(response))
        .map(([status]) => `${operation.operationId} ${status}`),
    );
    this.needed = new Set([...lacking, ...problems]);
  }

  /** Sends a request. Its response is recorded unless there is one of its operation and status. */
  sendFirst: Send = (request) => this.sent(request, false);

  /** Sends a request. Its response takes the place of an earlier one of its operation and status. */
  sendInstead: Send = (request) => this.sent(request, true);

  /** Sends a request as `sendInstead` does. @throws Error if it is refused */
  ask: ApiCall = apiClient({ fetch: this.sendInstead });

  /** Returns the recorded response of an operation, such as `getReputationCredential 200`. */
  responseOf = (key: string): JsonValue => this.recorded.get(key) ?? null;

  /** Returns the documented example of a request's body. @param name such as `POST /api/v1/receipts` */
  bodyOf = (name: string): unknown =>
    JSON.parse(examplesOf(this.document).find((one) => one.name === name)?.body ?? 'null');

  /**
   * Records a response, if its operation and status need one.
   * @param replaces whether it takes the place of an earlier one
   */
  async record({ method, url }: Request, response: Response, replaces: boolean): Promise<void> {
    const key = `${this.operationOf(method, url)?.id} ${response.status}`;
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
    if (isJson && this.needed.has(key) && (replaces || !this.recorded.has(key))) {
      this.recorded.set(key, parseJson(await response.clone().text()));
    }
  }

  private async sent(request: Request, replaces: boolean): Promise<Response> {
    const url = new URL(request.url);
    const { hasPages = false } = this.operationOf(request.method, request.url) ?? {};
    if (hasPages && !url.searchParams.has('limit')) url.searchParams.set('limit', PAGE);
    const response = await this.send(new Request(url.href, request));
    await this.record(request, response, replaces);
    return response;
  }

  private operationOf(method: string, url: string): Operation | undefined {
    const { pathname } = new URL(url);
    return this.operations.find((one) => one.method === method && one.path.test(pathname));
  }

  /** Returns what was recorded, for publication. @throws Error if a response is missing */
  examples(): OperationExamples {
    const missing = [...this.needed].filter((key) => !this.recorded.has(key));
    if (missing.length > 0) throw new Error(`no request had these responses: ${missing.join(', ')}`);
    const examples: Record<string, Record<number, JsonValue>> = {};
    for (const key of this.needed) {
      const [id = '', status = ''] = key.split(' ');
      examples[id] = { ...examples[id], [Number(status)]: publicForm(id, this.responseOf(key)) };
    }
    return examples;
  }
}

function lacksExample(response: unknown): boolean {
  const forms = Object.entries<{ example?: unknown }>(Object(response).content ?? {});
  return forms.some(([type, media]) => SHOWN_BY_EXAMPLE.test(type) && media.example === undefined);
}
