/** The headings of `countersign --help`. Commands follow this order (`src/commands/program.ts`). */
export const GROUPS = {
  serve: 'Serve:',
  verify: 'Verify and watch:',
  api: 'Use a service:',
  capture: 'Record calls:',
  agents: 'Agents:',
  datacenter: 'Data centers:',
  administration: 'Administration:',
  backup: 'Keys and backup:',
  program: 'About this program:',
} as const;

/** The heading of the options that say which service or data directory a command works on. */
export const WHERE = 'Where:';

/** The purpose of an example, and its command line. */
export type Example = readonly [what: string, line: string];

/**
 * Returns the examples of a command as text for its help. A unit test parses each line with the command that
 * it shows.
 */
export function examples(...all: readonly Example[]): string {
  return `\nExamples:\n${all.map(([what, line]) => `  # ${what}\n  ${line}`).join('\n')}`;
}
