import { expect } from 'bun:test';

/** Returns a parameter or a response, or the one among the components of the document that it refers to. */
function resolved(document: unknown, kind: 'parameters' | 'responses', one: unknown): unknown {
  const { $ref } = Object(one);
  if ($ref === undefined) return one;
  const found = Object(Object(Object(document).components)[kind])[String($ref).split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`the document refers to ${$ref}, which it lacks`);
  return found;
}

/**
 * Returns the responses of an operation of an OpenAPI document by status, including those that are written in
 * its components.
 */
export function responsesOf(document: unknown, operation: unknown): [status: string, response: unknown][] {
  return Object.entries(Object(Object(operation).responses)).map(([status, response]) => [
    status,
    resolved(document, 'responses', response),
  ]);
}

/**
 * Returns the parameters of an operation of an OpenAPI document, including those that are written in its
 * components.
 */
export function parametersOf(document: unknown, operation: unknown): Record<string, unknown>[] {
  const { parameters = [] } = Object(operation);
  return [parameters].flat().map((parameter) => Object(resolved(document, 'parameters', parameter)));
}

/** The paths of the staffing service's documents: for partners, and for its administrator. */
export const STAFFING_DOCUMENTS = ['/openapi.json', '/admin/openapi.json'] as const;

/**
 * Returns all documents of a service as one, with the operations of each. Schemas of one name must be equal.
 * Parameters, responses and headers may differ, because those of a partner's key have more headers: the later documents'
 * ones get other names.
 */
export function together(documents: readonly unknown[]): Record<string, unknown> {
  const [first = {}, ...others] = documents.map((document, index) =>
    Object(
      JSON.parse(
        JSON.stringify(document).replaceAll(
          /"#\/components\/(parameters|responses|headers)\//g,
          `$&${index === 0 ? '' : `${index}-`}`,
        ),
      ),
    ),
  );
  const components: Record<string, Record<string, unknown>> = { ...first.components };
  const paths: Record<string, unknown> = { ...first.paths };
  for (const [at, other] of others.entries()) {
    for (const [kind, named] of Object.entries(Object(other.components))) {
      const own: Record<string, unknown> = { ...components[kind] };
      for (const [name, component] of Object.entries(Object(named))) {
        const isRenamed = ['parameters', 'responses', 'headers'].includes(kind);
        if (!isRenamed && own[name] !== undefined) expect([name, component]).toEqual([name, own[name]]);
        own[isRenamed ? `${at + 1}-${name}` : name] = component;
      }
      components[kind] = own;
    }
    for (const [path, item] of Object.entries(Object(other.paths))) {
      expect([path, paths[path]]).toEqual([path, undefined]);
      paths[path] = item;
    }
  }
  return { ...first, paths, components, tags: [first, ...others].flatMap(({ tags }) => tags) };
}

/** Returns everything that a staffing service documents, by a function that requests a path. */
export async function staffingDocument(get: (path: string) => Promise<{ body: unknown }>) {
  const documents: unknown[] = [];
  for (const path of STAFFING_DOCUMENTS) documents.push((await get(path)).body);
  return together(documents);
}
