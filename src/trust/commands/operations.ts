import { type Command, Option } from 'commander';
import type { CommandSurroundings } from '../../platform/command-groups.ts';
import { apiGroupOf, operationGroupOf } from '../../platform/operation-group.ts';
import type { TrustModule } from '../service/module.ts';
import { trustSettings, trustSettingsOf } from '../service/settings.ts';

/** How a command opens a data directory that no server holds. */
type Opening = typeof import('../service/open-context.ts').localServiceOpening;

const { data, allowSharedData, config } = trustSettings;
const TRUST = {
  service: 'trust',
  database: 'trust.db',
  data,
  allowSharedData,
  config,
  settingsOf: trustSettingsOf,
  load: async () => (await import('../service/open-context.ts')).localServiceOpening,
} as const;

/** The option of commands that act with the rights of an operator, as its key does over HTTP. */
export const OPERATOR = new Option(
  '--operator <id>',
  'the operator that acts, on a data directory (default: its only one)',
);

/** Returns a group of commands that perform operations of a data directory, even while a server runs. */
export function operationGroup(
  command: Command,
  surroundings: CommandSurroundings<TrustModule>,
  load: () => Promise<Opening> = TRUST.load,
) {
  return operationGroupOf(command, surroundings, { ...TRUST, load });
}

/** Returns a group of commands that perform operations of the API, on a service or on a data directory. */
export const apiGroup = (command: Command, surroundings: CommandSurroundings<TrustModule>) =>
  apiGroupOf(command, surroundings, TRUST);
