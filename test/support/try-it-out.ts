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

/** Every operation of a document. */
export function examplesOf(document: unknown): Example[] {
  const { paths, security = [], components } = Object(document);
  return Object.entries(Object(paths)).flatMap(([path, item]) =>
    Object.entries(Object(item)).map(([method, operation]) =>
      exampleOf(method.toUpperCase(), path, Object(operation), security, Object(components)),
    ),
  );
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
