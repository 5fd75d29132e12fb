type Fetch = (request: Request, peer?: string) => Promise<Response>;

interface Operation {
  method: string;
  path: RegExp;
  /** By status, the headers that such a response always has, in lower case. */
  responses: Map<string, string[]>;
}

/** An answer that is not what the OpenAPI document promises. */
class ContractError extends Error {
  override readonly name = 'ContractError';
}

/**
 * Holds every response against the service's OpenAPI document: an operation answers with a status that the document names, and
 * with all headers that the document requires of such a response. `document` is asked for once.
 */
export function heldAgainst(fetch: Fetch, document: () => Promise<unknown>): Fetch {
  return async (request, peer) => {
    const response = await fetch(request, peer);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const { pathname } = new URL(request.url);
    const asked = (await operations(document)).find(
      (operation) => operation.method === method && operation.path.test(pathname),
    );
    // A test that makes something fail expects 500, which is promised nowhere.
    if (asked === undefined || response.status === 500) return response;
    const headers = asked.responses.get(String(response.status));
    const answer = `${method} ${pathname} answered ${response.status}`;
    if (headers === undefined) {
      throw new ContractError(
        `${answer}, which its OpenAPI document does not name: ${await response.text()}`,
      );
    }
    for (const name of headers) {
      if (!response.headers.has(name)) throw new ContractError(`${answer} without the header ${name}`);
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

/** In the order of their paths' parameters: `/a/b` is asked for before `/a/{id}`. */
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
        Object.entries(operation.responses).map(([status, said]) => [status, requiredOf(said, headers)]),
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
