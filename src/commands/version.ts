import { Command } from 'commander';
import manifest from '../../package.json';

/** The program's version. */
export const { version } = manifest;

export function versionCommand(): Command {
  return new Command('version').description('print the version').action(() => {
    process.stdout.write(`countersign ${version}\n`);
  });
}
