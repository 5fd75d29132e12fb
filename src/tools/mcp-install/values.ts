/** The members of an object, in order, with repeated names as often as they are there. */
export interface Members {
  readonly members: readonly (readonly [name: string, value: Values])[];
}

/** The values of a configuration file, for comparisons. A scalar is text with a letter for its type. */
export type Values = Members | readonly Values[] | string;

/** What starts a server. `args` is null if the file does not have them. */
export interface CommandLine {
  command: string;
  args: readonly string[] | null;
}

/** Returns the value of a text. */
export const textValue = (text: string): string => `text ${text}`;

/** Returns whether two values are the same, in the same order. */
export function sameValues(first: Values, second: Values): boolean {
  if (typeof first === 'string' || typeof second === 'string') return first === second;
  if ('members' in first && 'members' in second) {
    const others = second.members;
    return (
      first.members.length === others.length &&
      first.members.every(([name, value], index) => {
        const other = others[index];
        return other !== undefined && name === other[0] && sameValues(value, other[1]);
      })
    );
  }
  if ('members' in first || 'members' in second) return false;
  return (
    first.length === second.length &&
    first.every((value, index) => {
      const other = second[index];
      return other !== undefined && sameValues(value, other);
    })
  );
}

/**
 * Returns the values with another command line for the server at a path. Args that were not there are the
 * member after the command.
 */
export function withCommandLine(values: Values, path: readonly string[], line: CommandLine): Values {
  if (typeof values === 'string' || !('members' in values)) return values;
  const [first, ...rest] = path;
  if (first !== undefined)
    return {
      members: values.members.map(([name, value]) => [
        name,
        name === first ? withCommandLine(value, rest, line) : value,
      ]),
    };
  const args = (line.args ?? []).map(textValue);
  const isNew = !values.members.some(([name]) => name === 'args');
  return {
    members: values.members.flatMap(([name, value]) => {
      if (name === 'args') return [[name, args] as const];
      if (name !== 'command') return [[name, value] as const];
      const command = [name, textValue(line.command)] as const;
      return isNew && line.args !== null ? [command, ['args', args] as const] : [command];
    }),
  };
}
