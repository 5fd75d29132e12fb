import { Refusal } from '../errors/errors.ts';
import { readBody } from './body.ts';

/**
 * The maximum size of a form's body. The largest field is a URL of 2,048 characters, each of which can take
 * nine bytes.
 */
const MAX_FORM_BYTES = 32_768;
/** The maximum number of fields in a body, repetitions included. */
const MAX_FORM_FIELDS = 100;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The fields of a form. */
export interface FormFields<Field extends string, List extends string> {
  /** Fields that occur at most once. */
  fields: readonly Field[];
  /** Fields that may occur several times, such as checkboxes with one name. */
  lists?: readonly List[];
}

/** The values of a form. A field that the body does not have is the empty string, a list the empty list. */
export interface Form<Field extends string = string, List extends string = string> {
  fields: Readonly<Record<Field, string>>;
  lists: Readonly<Record<List, readonly string[]>>;
}

/**
 * Reads the body of a form (`application/x-www-form-urlencoded`, URL Standard section 5.1) strictly: in
 * UTF-8, at most 32 KiB, only known fields, none of them twice, no malformed percent encoding. Values are
 * returned as sent, not trimmed.
 * @throws Refusal media_type, too_large, overloaded when the body takes too long, invalid with the name of a
 * wrong field
 */
export async function readForm<const Field extends string, const List extends string = never>(
  request: Request,
  { fields, lists = [] }: FormFields<Field, List>,
): Promise<Form<Field, List>> {
  if (!FORM_TYPE.test(request.headers.get('content-type') ?? '') || isEncoded(request)) {
    throw new Refusal('media_type', {
      message:
        'The body is not a form. Send it with Content-Type: application/x-www-form-urlencoded and without Content-Encoding.',
    });
  }
  const pairs = parsed(await readBody(request, MAX_FORM_BYTES));
  const single = new Map<string, string>(fields.map((name) => [name, '']));
  const several = new Map<string, string[]>(lists.map((name) => [name, []]));
  const seen = new Set<string>();
  for (const [name, value] of pairs) {
    const list = several.get(name);
    if (list !== undefined) {
      list.push(value);
      continue;
    }
    if (!single.has(name)) throw invalid(name, 'is not a known field');
    if (seen.has(name)) throw invalid(name, 'is given more than once');
    seen.add(name);
    single.set(name, value);
  }
  return { fields: recordOf(fields, single, ''), lists: recordOf(lists, several, []) };
}

function isEncoded({ headers }: Request): boolean {
  return (headers.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity';
}

/** Returns the names and values of a body, in its order. @throws Refusal invalid */
function parsed(bytes: Uint8Array): [name: string, value: string][] {
  const parts = textOf(bytes)
    .split('&')
    .filter((part) => part !== '');
  if (parts.length > MAX_FORM_FIELDS) throw invalid('body', `must have at most ${MAX_FORM_FIELDS} fields`);
  return parts.map((part) => {
    const end = part.indexOf('=');
    return end === -1 ? [decoded(part), ''] : [decoded(part.slice(0, end)), decoded(part.slice(end + 1))];
  });
}

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid('body', 'is not UTF-8');
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid('body', 'has a percent encoding that is not UTF-8');
  }
}

function recordOf<Name extends string, Value>(
  names: readonly Name[],
  values: ReadonlyMap<string, Value>,
  absent: Value,
): Record<Name, Value>;
function recordOf<Value>(names: readonly string[], values: ReadonlyMap<string, Value>, absent: Value) {
  return Object.fromEntries(names.map((name) => [name, values.get(name) ?? absent]));
}

/** Names in issues come from the client, so they are shortened. */
function invalid(name: string, problem: string): Refusal {
  return new Refusal('invalid', { issues: { [name.slice(0, 64)]: [problem] } });
}
