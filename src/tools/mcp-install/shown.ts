import { printable } from '../../platform/terminal/printable.ts';
import type { Changes } from './changes.ts';
import type { ConfigFile } from './config-file.ts';
import type { CommandLine } from './values.ts';

/** Returns the command lines of servers before and after a change, as lines for people. */
export function shownChange(
  { path, target }: Pick<ConfigFile, 'path' | 'target'>,
  changed: Changes['changed'],
): string {
  const name = path === target ? path : `${path} -> ${target}`;
  const servers = changed.flatMap(({ path: names, before, after }) => [
    `  ${oneLine(names.join('.'))}`,
    ...linesOf('-', before),
    ...linesOf('+', after),
  ]);
  return [oneLine(name), ...servers].map((line) => `${line}\n`).join('');
}

const linesOf = (sign: string, { command, args }: CommandLine): string[] => [
  `${sign}   command ${quoted(command)}`,
  ...(args === null ? [] : [`${sign}   args    [${args.map(quoted).join(', ')}]`]),
];

/** Returns a text in quotation marks, on one line and without what a terminal obeys. */
const quoted = (text: string): string => printable(JSON.stringify(text));

/** Names of servers are those of strangers, and must not look like further lines. */
const oneLine = (text: string): string => printable(text).replaceAll('\n', '\\n');

/** Returns what became of each server, a line each. @param what happened to the changed ones: `wrapped` */
export function summary(
  { path: file }: Pick<ConfigFile, 'path'>,
  { changed, unchanged }: Changes,
  what: string,
  ...further: readonly string[]
): string {
  const lines = [
    ...changed.map(({ path }) => `${what}: ${path.join('.')}`),
    ...unchanged.map(({ path, reason }) => `unchanged: ${path.join('.')}: ${reason}`),
    ...(changed.length === 0 ? [`nothing was changed in ${file}`] : []),
    ...further,
  ];
  return lines.map((line) => `${oneLine(line)}\n`).join('');
}
