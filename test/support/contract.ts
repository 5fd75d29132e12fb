import { responsesOf } from './openapi.ts';

type Fetch = (request: Request, peer?: string) => Promise<Response>;

interface Operation {
  method: string;
  path: RegExp;
  responses: Map<string, PromisedResponse>;
}

/** The required parts of a response with a status. */
interface PromisedResponse {
  /** In lower case. */
  headers: string[];
  /** The codes of errors; empty for a successful response. */
  codes: string[];
}

/** A response that violates the OpenAPI document. */
class ContractError extends Error {
  override readonly name = 'ContractError';
}

/**
 * Checks every response against the service's OpenAPI document: its status, its required headers, and its
 * error code. Requests `document` once.
 */
export function checkedAgainst(fetch: Fetch, document: () => Promise<unknown>): Fetch {
  return async (request, peer) => {
    const response = await fetch(request, peer);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const { pathname } = new URL(request.url);
    const asked = (await operations(document)).find(
      (operation) => operation.method === method && operation.path.test(pathname),
    );
    // A test that injects a failure expects 500, which no operation documents.
    if (asked === undefined || response.status === 500) return response;
    const promised = asked.responses.get(String(response.status));
    const problem = `${method} ${pathname} returned ${response.status}`;
    if (promised === undefined) {
      throw new ContractError(
        `${problem}, which its OpenAPI document does not name: ${await response.text()}`,
      );
    }
    for (const name of promised.headers) {
      if (!response.headers.has(name)) throw new ContractError(`${problem} without the header ${name}`);
    }
    if (promised.codes.length > 0) {
      const code = codeOf(await response.clone().text());
      if (!promised.codes.includes(code)) throw new ContractError(`${problem} with the code ${code}`);
    }
    return response;
  };
}

const known = new Map<() => Promise<unknown>, Promise<Operation[]>>();

function operations(document: () => Promise<unknown>): Promise<Operation[]> {
  const made = known.get(document) ?? document().then(operationsOf);
  known.set(document, made);
  return made;
}

/** Sorts operations by their path parameters: `/a/b` comes before `/a/{id}`. */
function operationsOf(document: unknown): Operation[] {
  const { headers } = Object(Object(document).components);
  const all = Object.entries(Object(Object(document).paths)).flatMap(([path, item]) =>
    Object.entries(Object(item)).map(([method, operation]) => ({
      path,
      method,
      operation: Object(operation),
    })),
  );
  const parameters = (path: string): number => path.split('{').length;
  return all
    .sort((left, right) => parameters(left.path) - parameters(right.path))
    .map(({ path, method, operation }) => ({
      method: method.toUpperCase(),
      path: patternOf(path),
      responses: new Map(
        responsesOf(document, operation).map(([status, said]) => [
          status,
          { headers: requiredOf(said, headers), codes: codesOf(said) },
        ]),
      ),
    }));
}

function patternOf(path: string): RegExp {
  const parts = path.split(/(\{[^}]*\})/).map((part) => {
    if (part === '{path}') return '.+';
    return part.startsWith('{') ? '[^/]+' : part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}

/** @param shared the headers of the document's components, by name */
function requiredOf(response: unknown, shared: unknown): string[] {
  const { headers = {} } = Object(response);
  return Object.entries(headers).flatMap(([name, header]) => {
    const { required } = Object(header).$ref === undefined ? Object(header) : Object(Object(shared)[name]);
    return required === true ? [name.toLowerCase()] : [];
  });
}

/** Returns the possible codes of an error: in its member reason_code, or in the code of its error. */
function codesOf(response: unknown): string[] {
  const { schema } = Object(Object(response).content?.['application/json']);
  const [, own] = Object(schema?.allOf ?? schema?.properties?.error?.allOf ?? []);
  const { properties } = Object(own);
  const code = Object(properties?.reason_code ?? properties?.code);
  return code.enum ?? (code.const === undefined ? [] : [code.const]);
}

function codeOf(body: string): string {
  const { reason_code, error } = Object(JSON.parse(body));
  return String(reason_code ?? Object(error).code);
}
