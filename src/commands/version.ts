import { Command } from 'commander';
import manifest from '../../package.json';
import { examples, GROUPS } from '../platform/command-help.ts';

/** Set by scripts/build.ts: the commit that was built, or an empty text where nobody knows. */
declare const BUILT_COMMIT: string;

/** The program's version. */
export const { version } = manifest;

/** The commit it was built from: 12 hexadecimal characters, and `-dirty` for changed sources; null without git. */
export const commit: string | null =
  typeof BUILT_COMMIT === 'string' && BUILT_COMMIT !== '' ? BUILT_COMMIT : null;

/** The version with its commit, for people: `0.1.0 (0394fba2c1d0)`. */
export const fullVersion: string = commit === null ? version : `${version} (${commit})`;

export function versionCommand(): Command {
  return new Command('version')
    .description('print the version and its commit')
    .helpGroup(GROUPS.program)
    .addHelpText('after', examples(['Print the version', 'countersign version']))
    .action(() => {
      process.stdout.write(`countersign ${fullVersion}\n`);
    });
}
