/** Returns the responses of an operation of an OpenAPI document by status, also those that are written in its components. */
export function responsesOf(document: unknown, operation: unknown): [status: string, response: unknown][] {
  const { responses: shared = {} } = Object(Object(document).components);
  return Object.entries(Object(Object(operation).responses)).map(([status, response]) => {
    const { $ref } = Object(response);
    return [status, $ref === undefined ? response : Object(shared)[String($ref).split('/').at(-1) ?? '']];
  });
}
