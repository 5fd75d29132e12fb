import type { AnyElysia } from 'elysia';
import type { JsonObject } from '../../../proof/encoding/json.ts';
import { Failure } from '../../failure.ts';

/** The texts of an operation: its summary in one line, and its description as Markdown. */
export interface OperationText {
  summary: string;
  /** Empty for a local operation, which is in no document. */
  description: string;
  /** The codes of its errors, and the names of sets of errors between asterisks. */
  errors: readonly string[];
  /** True for an operation that only the local administrator has. */
  isLocal?: true;
}

/** The texts of operations, by the operation's id. */
export type OperationTexts = Readonly<Record<string, OperationText>>;

/**
 * A heading with the operation's id, the summary and the description, with empty lines between them. A local
 * operation has `(local)` behind its id, and no description.
 */
const SECTION = /^(?<operationId>\w+)\n\n(?<summary>[^\n]+)\n\n(?<description>\S.*)$/s;
/** The last paragraph of a section: the operation's errors. */
const ERRORS = /\n\nErrors: (?<names>[^\n]+(?:\n[^\n]+)*)$/;
const LOCAL_SECTION = /^(?<operationId>\w+) \(local\)\n\n(?<summary>[^\n]+)$/;

/** A line break in a paragraph: the next line begins no list item, table row, quote, heading or code. */
const BREAK = /(?<=\S)\n(?!\n| |[-*+] |\d+[.)] |[|>#]|```)/g;

/**
 * Returns the texts of an `api.md`. Each operation has a section: `## ` and its id, then its summary, then
 * its description, then `Errors: ` with the codes of its errors; a local operation has `(local)` behind its
 * id, and a summary only. The lines of a paragraph become one line; code blocks, and the first lines of list
 * items and table rows, keep their lines.
 * @param source names the file in errors
 * @throws Failure for text before the first section, an incomplete section, or two sections with one id
 */
export function parseDescriptions(markdown: string, source: string): OperationTexts {
  const texts: Record<string, OperationText> = {};
  const [before = '', ...sections] = markdown.replaceAll('\r\n', '\n').split(/^## /m);
  if (before.trim() !== '') {
    throw new Failure(
      `${source} has text before its first section: ${before.trim().slice(0, 40)}`,
      'begin the file with "## " and the id of an operation',
    );
  }
  for (const section of sections) {
    const names = ERRORS.exec(section.trim())?.groups?.names ?? null;
    const text = section.trim().replace(ERRORS, '');
    const local = LOCAL_SECTION.exec(text);
    const { operationId, summary, description = '' } = (local ?? SECTION.exec(text))?.groups ?? {};
    if (operationId === undefined || summary === undefined) {
      throw new Failure(
        `${source}: the section "${section.split('\n', 1)[0]}" is not complete`,
        'write "## " and the id of the operation, a line with the summary and a description, with empty lines between them',
      );
    }
    if (Object.hasOwn(texts, operationId)) {
      throw new Failure(`${source} has two sections ${operationId}`, 'delete or rename one of them');
    }
    texts[operationId] = {
      summary,
      description: unwrapped(description),
      errors: names === null ? [] : names.split(/,\s+/),
      ...(local === null ? {} : { isLocal: true }),
    };
  }
  return texts;
}

/** Returns Markdown with each paragraph in one line. Code between ``` stays as it is. */
function unwrapped(markdown: string): string {
  return markdown
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 0 ? part.replace(BREAK, ' ') : part))
    .join('');
}

/**
 * Checks that each operation of some routes has its texts, and that all texts belong to an operation. The
 * routes of local operations may be missing.
 * @throws Failure that names the operations
 */
export function checkDescriptions(texts: OperationTexts, routes: readonly AnyElysia[]): void {
  const operations = new Set(routes.flatMap(operationsOf).map(([operationId]) => operationId));
  const missing = [...operations].filter((operation) => !Object.hasOwn(texts, operation));
  if (missing.length > 0) {
    throw new Failure(
      `no api.md has a section for ${missing.join(', ')}`,
      'add it to the api.md of the capability, and name the file in its module.ts (descriptions)',
    );
  }
  const unknown = Object.entries(texts).flatMap(([operation, { isLocal }]) =>
    operations.has(operation) || isLocal === true ? [] : [operation],
  );
  if (unknown.length > 0) {
    throw new Failure(
      `an api.md has a section for ${unknown.join(', ')}, and no route has this operationId`,
      'correct the id, or delete the section',
    );
  }
}

/** Returns the operations of a plugin: their ids, each with its method and path. */
export function operationsOf({ routes }: AnyElysia) {
  return routes.flatMap(({ method, path, hooks }) => {
    const { operationId } = Object(hooks.detail);
    return typeof operationId === 'string' ? [[operationId, { method, path }] as const] : [];
  });
}

/**
 * Returns a description with the values of constants of the program: `{{MAX_ITEMS}}` becomes
 * `values.MAX_ITEMS`.
 * @throws Failure for a name without a value, and for a value that the description does not use
 */
export function withValues(description: string, values: JsonObject, operation: string): string {
  const unused = new Set(Object.keys(values));
  const text = description.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    if (!Object.hasOwn(values, name)) {
      throw new Failure(
        `the description of ${operation} names ${name}, which has no value`,
        'add it to x-values in the detail of the route',
      );
    }
    unused.delete(name);
    const value = values[name];
    return typeof value === 'number' ? value.toLocaleString('en') : String(value);
  });
  if (unused.size > 0) {
    throw new Failure(
      `the description of ${operation} does not use ${[...unused].join(', ')}`,
      'write it in {{braces}} in the api.md, or delete it from x-values in the detail of the route',
    );
  }
  return text;
}
