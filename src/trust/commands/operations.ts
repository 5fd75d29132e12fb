import type { Command } from 'commander';
import { GROUPS } from '../../platform/command-help.ts';
import { operationAction } from '../../platform/control/operation.ts';
import type { WithOperations } from '../../platform/control/operation-commands.ts';
import { sessionRunner } from '../../platform/control/run-action.ts';
import { descriptionsOf } from '../../platform/module.ts';
import type { TrustModule } from '../service/module.ts';
import { trustSettings, trustSettingsOf } from '../service/settings.ts';

/** How a command opens a data directory that no server holds. */
type Opening = typeof import('../service/open-context.ts').localServiceOpening;

/** Returns the function that calls operations: in the running server, or in this process if none runs. */
export function operationsOf(
  modules: readonly TrustModule[],
  load: () => Promise<Opening> = async () => (await import('../service/open-context.ts')).localServiceOpening,
): WithOperations {
  const run = sessionRunner(modules, {
    data: trustSettings.data,
    settingsOf: trustSettingsOf,
    load: async () => ({ actions: { operationAction }, opening: await load() }),
  });
  return (command, body) =>
    run(command, ({ act }) =>
      body((operation, values = {}, operator = null) =>
        act(({ operationAction: action }) => action, { operation, operator, arguments: values }),
      ),
    );
}

/** Returns a group of commands that perform operations, with or without a running server. */
export async function operationGroup(
  command: Command,
  modules: readonly TrustModule[],
  operations = operationsOf(modules),
) {
  return {
    command: command.helpGroup(GROUPS.administration).helpCommand(false),
    settings: [trustSettings.data, trustSettings.config],
    texts: await descriptionsOf(modules),
    operations,
  };
}
