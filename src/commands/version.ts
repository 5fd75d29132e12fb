import { Command } from 'commander';
import manifest from '../../package.json';
import { examples, GROUPS } from '../platform/command-help.ts';

/** Set by scripts/build.ts: the built commit; empty when it is unknown. */
declare const BUILT_COMMIT: string;

/** The program's version. */
export const { version } = manifest;

/** The commit of the build: 12 hexadecimal characters, and `-dirty` for changed sources; null without git. */
export const commit: string | null =
  typeof BUILT_COMMIT === 'string' && BUILT_COMMIT !== '' ? BUILT_COMMIT : null;

/** The version with its commit: `0.1.0 (0394fba2c1d0)`. */
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
