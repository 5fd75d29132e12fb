import { parse, TomlDate, TomlError, type TomlTable, type TomlValue } from 'smol-toml';
import { Failure } from '../../platform/failure.ts';
import {
  ambiguous,
  type Configuration,
  type Edit,
  type Format,
  type Literal,
  type OtherServer,
  reasonAgainst,
  type Server,
} from './configuration.ts';
import { type KeyValue, keyValuesIn, type Value } from './toml-scanner.ts';
import { textValue, type Values } from './values.ts';

/** TOML 1.1. */
export const TOML_FORMAT: Format = { read, literalOf };

function read(text: string, groups: readonly (readonly string[])[]): Configuration {
  const root = parsed(text);
  const keyValues = keyValuesIn(text);
  const servers: Server[] = [];
  const others: OtherServer[] = [];
  for (const group of groups) {
    const tables = tableAt(root, group);
    for (const [name, table] of Object.entries(tables ?? {})) {
      const path = [...group, name];
      const server = isTable(table)
        ? serverOf(text, path, table, keyValues)
        : { path, name, reason: 'it is not a table' };
      if ('reason' in server) others.push(server);
      else servers.push(server);
    }
  }
  return { servers, others, values: valuesOf(root) };
}

/** @throws Failure for what is no TOML */
function parsed(text: string): TomlTable {
  try {
    return parse(text, { integersAsBigInt: true });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ''] = error.message.split('\n');
    throw new Failure(
      `line ${error.line} is not valid TOML (${reason.replace(/^Invalid TOML document: /, '')})`,
      'correct the file, and run the command again',
    );
  }
}

/** Returns the table at a path; null for none. @throws Failure for something else there */
function tableAt(root: TomlTable, path: readonly string[]): TomlTable | null {
  let table: TomlTable = root;
  for (const [index, name] of path.entries()) {
    const value = Object.hasOwn(table, name) ? table[name] : undefined;
    if (value === undefined) return null;
    if (!isTable(value)) throw ambiguous(`${path.slice(0, index + 1).join('.')} is not a table`);
    table = value;
  }
  return table;
}

function serverOf(
  text: string,
  path: readonly string[],
  table: TomlTable,
  keyValues: readonly KeyValue[],
): Server | OtherServer {
  const name = path.at(-1) ?? '';
  const { type, command, args } = Object.fromEntries(Object.entries(table));
  const reason = reasonAgainst(Object.keys(table), {
    type: typeof type === 'string' ? type : undefined,
    command,
    args,
  });
  if (reason !== null) return { name, path, reason };
  const commandAt = keyValueAt(keyValues, [...path, 'command']);
  const argsAt = args === undefined ? null : keyValueAt(keyValues, [...path, 'args']).value;
  return {
    name,
    path,
    command: literalAt(text, commandAt.value),
    args:
      argsAt === null
        ? null
        : {
            start: argsAt.start,
            end: argsAt.end,
            elements: (argsAt.elements ?? []).map((one) => literalAt(text, one)),
          },
    withArgs: (list) => addedKey(text, commandAt, list),
  };
}

/** Returns where a value is. @throws Failure unless exactly one key has the path */
function keyValueAt(keyValues: readonly KeyValue[], path: readonly string[]): KeyValue {
  const [found, second] = keyValues.filter(
    (one) => one.path?.length === path.length && one.path.every((name, index) => name === path[index]),
  );
  if (found !== undefined && second === undefined) return found;
  throw ambiguous(`it is not clear where ${path.join('.')} is`);
}

/** Returns the edit that adds args: in a line after that of the command, or behind it in an inline table. */
function addedKey(text: string, { start, lastPart, value, isInline }: KeyValue, list: string): Edit {
  const key = `${text.slice(start, lastPart)}args = ${list}`;
  if (isInline) return { start: value.end, end: value.end, text: `, ${key}` };
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const [indentation = ''] = /^[ \t]*/.exec(line) ?? [];
  const end = /\r?\n|$/g;
  end.lastIndex = value.end;
  const at = end.exec(text)?.index ?? text.length;
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  return { start: at, end: at, text: `${newline}${indentation}${key}` };
}

function literalAt(text: string, { start, end }: Value): Literal {
  const { value } = parse(`value = ${text.slice(start, end)}`);
  return { value: String(value), start, end };
}

/** Returns a text as a basic string, which has the escapes of JSON. */
function literalOf(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

function isTable(value: TomlValue | undefined): value is TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof TomlDate);
}

function valuesOf(value: TomlValue): Values {
  if (typeof value === 'string') return textValue(value);
  if (Array.isArray(value)) return value.map(valuesOf);
  if (value instanceof TomlDate) return `date ${value.toISOString()}`;
  if (!isTable(value)) return `${typeof value} ${value}`;
  return { members: Object.entries(value).map(([name, member]) => [name, valuesOf(member)]) };
}
