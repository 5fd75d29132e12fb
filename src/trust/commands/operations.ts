import type { Command } from 'commander';
import type { CommandSurroundings } from '../../platform/command-groups.ts';
import { operationGroupOf } from '../../platform/operation-group.ts';
import type { TrustModule } from '../service/module.ts';
import { trustSettings, trustSettingsOf } from '../service/settings.ts';

/** How a command opens a data directory that no server holds. */
type Opening = typeof import('../service/open-context.ts').localServiceOpening;

/** Returns a group of commands that perform operations, with or without a running server. */
export function operationGroup(
  command: Command,
  surroundings: CommandSurroundings<TrustModule>,
  load: () => Promise<Opening> = async () => (await import('../service/open-context.ts')).localServiceOpening,
) {
  const { data, config } = trustSettings;
  return operationGroupOf(command, [data, config], surroundings, { data, settingsOf: trustSettingsOf, load });
}
