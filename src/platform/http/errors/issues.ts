import type { ValueError } from '@sinclair/typebox/errors';
import type { Issues } from './errors.ts';

const MAX_ISSUES = 32;

/** Describes validation errors, by the dotted path of the field. A missing field has one description. */
export function issuesOf(errors: Iterable<ValueError>): Issues {
  const issues: Issues = {};
  let count = 0;
  for (const error of errors) {
    if (++count > MAX_ISSUES) break;
    const path = error.path.slice(1).replaceAll('/', '.') || 'body';
    const earlier = Object.hasOwn(issues, path) ? (issues[path] ?? []) : [];
    if (!earlier.some((said) => said === 'is required')) {
      Object.defineProperty(issues, path, {
        value: [...earlier, sentenceOf(error)],
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
  }
  return issues;
}

/** Describes a validation error as a predicate: "must be an integer". */
export function sentenceOf({ message, schema }: ValueError): string {
  if (message === 'Expected required property') return 'is required';
  if (message === 'Unexpected property') return 'is not a known field';
  if (typeof schema['x-message'] === 'string') return schema['x-message'];
  const custom = messageFor(schema.anyOf);
  if (custom !== null) return `${custom}, or null`;
  if (schema.format === 'date-time') return 'must be an RFC 3339 date-time, such as 2030-01-31T12:00:00Z';
  const choices = choicesOf(schema.anyOf);
  if (choices !== null) return `must be one of ${choices.join(', ')}`;
  return message
    .replace(/^Expected/, 'must be')
    .replace(/^must be string (length|to)/, 'must have $1')
    .replace(/^must be object to have (at least|no more than) 1 properties$/, 'must have $1 one member')
    .replace(/^must be object to have (at least|no more than) (\d+) properties$/, 'must have $1 $2 members')
    .replace('greater or equal to', 'at least')
    .replace('less or equal to', 'at most')
    .replace(/^must have length (at least|at most) (\d+)$/, 'must have $1 $2 characters')
    .replace(/^must be array length to be (at least|at most) 1$/, 'must have $1 one element')
    .replace(/^must be array length to be (at least|at most) (\d+)$/, 'must have $1 $2 elements')
    .replace(/^must be (?:integer|number) to be/, 'must be');
}

/** Returns the message of a nullable schema for values other than null. */
function messageFor(anyOf: unknown): string | null {
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return null;
  const [value, other]: { type?: unknown; 'x-message'?: unknown }[] = anyOf;
  const message = value?.['x-message'];
  return other?.type === 'null' && typeof message === 'string' ? message : null;
}

function choicesOf(anyOf: unknown): string[] | null {
  if (!Array.isArray(anyOf)) return null;
  const names = anyOf.map((choice: { const?: unknown }) => choice.const);
  return names.every((name) => typeof name === 'string') ? names : null;
}
