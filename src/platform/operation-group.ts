import type { Command } from 'commander';
import type { CommandSurroundings, LoadModules } from './command-groups.ts';
import { GROUPS } from './command-help.ts';
import type { SettingDocs } from './config/setting.ts';
import { operationAction } from './control/operation.ts';
import type { OperationApp } from './control/operation-app.ts';
import type { WithOperations } from './control/operation-commands.ts';
import { type Opening, sessionRunner, type Target } from './control/run-action.ts';
import { descriptionsOf, type ModuleEntry } from './module.ts';

/** Where the commands of a service find its operations. */
interface Service<Module> extends Pick<Target<Module, OperationApp, never>, 'data' | 'settingsOf'> {
  /** Loads how a data directory is opened that no server holds. */
  load(): Promise<Opening<Module, OperationApp>>;
}

/** Returns a group of commands that perform operations: in the running server, or in this process. */
export async function operationGroupOf<Module extends ModuleEntry>(
  command: Command,
  settings: readonly SettingDocs[],
  { modules, forHelp }: CommandSurroundings<Module>,
  service: Service<Module>,
) {
  return {
    command: command.helpGroup(GROUPS.administration).helpCommand(false),
    settings,
    texts: forHelp ? await descriptionsOf(await modules()) : null,
    operations: operationsOf(service, modules),
  };
}

/** Returns the function that calls operations on the data directory of a command. */
function operationsOf<Module>(
  { load, ...target }: Service<Module>,
  modules: LoadModules<Module>,
): WithOperations {
  const run = sessionRunner(modules, {
    ...target,
    load: async () => ({ actions: { operationAction }, opening: await load() }),
  });
  return (command, body) =>
    run(command, ({ act }) =>
      body((operation, values = {}, operator = null) =>
        act(({ operationAction: action }) => action, { operation, operator, arguments: values }),
      ),
    );
}
