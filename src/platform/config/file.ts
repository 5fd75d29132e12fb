import { statSync } from 'node:fs';
import { parse, TomlError } from 'smol-toml';
import { Failure } from '../failure.ts';
import { readText, unreadableReason } from '../files/read.ts';

/**
 * The text that was read from pipes, by path. A command reads its configuration twice, but a pipe returns its
 * text only once.
 */
const piped = new Map<string, string>();

/** Reads a TOML file of settings. @returns texts by dotted keys @throws Failure that names the line */
export function readConfigFile(path: string): ReadonlyMap<string, string> {
  const source = piped.get(path) ?? readSource(path);
  if (statSync(path, { throwIfNoEntry: false })?.isFIFO() === true) piped.set(path, source);
  try {
    return new Map(flatten(parse(source), '', path));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [what = ''] = error.message.split('\n');
    const reason = what.replace(/^Invalid TOML document: /, '');
    throw new Failure(`${path}, line ${error.line}, column ${error.column}: ${reason}`, HINT, 2);
  }
}

/**
 * Returns whether other users have access to a file. Access of its group is accepted, because it was granted
 * on purpose.
 */
export function isOpenToOthers(path: string): boolean {
  return (statSync(path).mode & 0o007) !== 0;
}

const HINT =
  'docs/configuration.md shows a file; strings are quoted, and the names of sections are in brackets';

function readSource(path: string): string {
  try {
    return readText(path);
  } catch (error) {
    throw new Failure(
      `the configuration file ${path} cannot be read: ${unreadableReason(error)}`,
      'check --config',
      2,
    );
  }
}

function flatten(table: object, prefix: string, path: string): [string, string][] {
  return Object.entries(table).flatMap(([name, value]): [string, string][] => {
    const key = `${prefix}${name}`;
    if (typeof value === 'string') return [[key, value]];
    if (typeof value === 'number' || typeof value === 'boolean') return [[key, String(value)]];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
      return [[key, value.join(',')]];
    }
    if (typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)) {
      return flatten(value, `${key}.`, path);
    }
    throw new Failure(`${path}: ${key} is neither text, number, boolean nor a list of texts`, HINT, 2);
  });
}
