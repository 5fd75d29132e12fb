/** An operation of an OpenAPI document, as "Try it out" of Swagger UI sends it with its examples unedited. */
export interface Example {
  /** `POST /api/v1/receipts/{id}/finalize`. */
  name: string;
  method: string;
  /** The path with its parameters. */
  path: string;
  body: string | null;
  description: string;
  /** The security schemes, any one of which suffices; empty for a public operation. */
  schemes: readonly string[];
}

/** Every operation of a document, in the order of Swagger UI's page: by tag, then as in the document. */
export function examplesOf(document: unknown): Example[] {
  const { paths, security = [], components, tags } = Object(document);
  const names: unknown[] = [tags].flat().map((tag) => Object(tag).name);
  return Object.entries(Object(paths))
    .flatMap(([path, item]) =>
      Object.entries(Object(item)).map(([method, operation]) => ({
        example: exampleOf(method.toUpperCase(), path, Object(operation), security, Object(components)),
        group: names.indexOf([Object(operation).tags].flat()[0]),
      })),
    )
    .sort((one, other) => one.group - other.group)
    .map(({ example }) => example);
}

/** The response to an example. */
export interface Tried extends Pick<Example, 'name' | 'description'> {
  status: number;
  text: string;
}

/**
 * Calls every operation of a document from the top of the page to its end, as somebody does who presses
 * "Execute" everywhere: with the tokens that are filled in, and with the cookies that a browser keeps.
 * @param tokens by security scheme
 * @param send sends a request; over the network by default
 */
export async function tryFromTop(
  url: string,
  document: unknown,
  tokens: Readonly<Record<string, string>>,
  send: (request: Request) => Promise<Response> = fetch,
): Promise<Tried[]> {
  const cookies = new Bun.CookieMap();
  const tried: Tried[] = [];
  for (const { name, description, method, path, body, schemes } of examplesOf(document)) {
    const headers = new Headers({ 'x-requested-with': 'SwaggerUI' });
    const scheme = schemes.find((one) => tokens[one] !== undefined);
    if (scheme !== undefined) headers.set('authorization', `Bearer ${tokens[scheme]}`);
    if (body !== null) headers.set('content-type', 'application/json');
    if (cookies.size > 0) headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '));
    const response = await send(new Request(`${url}${path}`, { method, headers, body }));
    for (const line of response.headers.getSetCookie()) {
      const { name: cookie, value, maxAge } = Bun.Cookie.parse(line);
      if (maxAge === 0 || value === '') cookies.delete(cookie);
      else cookies.set(cookie, value);
    }
    tried.push({ name, description, status: response.status, text: await response.text() });
  }
  return tried;
}

function exampleOf(
  method: string,
  path: string,
  operation: Record<string, unknown>,
  security: unknown,
  components: Record<string, unknown>,
): Example {
  const resolved = (value: unknown): Record<string, unknown> => {
    const { $ref } = Object(value);
    if (typeof $ref !== 'string') return Object(value);
    const [, , group = '', name = ''] = $ref.split('/');
    return resolved(Object(components[group])[name]);
  };
  const query = new URLSearchParams();
  let filled = path;
  const parameters: unknown[] = Array.isArray(operation.parameters) ? operation.parameters : [];
  for (const parameter of parameters.map(resolved)) {
    const example = exampleIn(parameter, resolved);
    const name = String(parameter.name);
    if (parameter.in === 'path') filled = filled.replace(`{${name}}`, String(example));
    // Swagger UI does not send empty parameters.
    if (parameter.in === 'query' && parameter.required === true) query.set(name, String(example));
  }
  const { content } = resolved(operation.requestBody);
  const json = content === undefined ? undefined : Object(content)['application/json'];
  const example = json === undefined ? undefined : exampleIn(json, resolved);
  const needed: unknown = operation.security ?? security;
  return {
    name: `${method} ${path}`,
    method,
    path: query.size === 0 ? filled : `${filled}?${query}`,
    body: example === undefined ? null : JSON.stringify(example),
    description: String(operation.description),
    schemes: Array.isArray(needed) ? needed.flatMap((one) => Object.keys(Object(one))) : [],
  };
}

function exampleIn(
  holder: Record<string, unknown>,
  resolved: (value: unknown) => Record<string, unknown>,
): unknown {
  const schema = resolved(holder.schema);
  const [first] = Object.values(Object(schema.examples));
  const example = holder.example ?? schema.example ?? first;
  return example;
}
