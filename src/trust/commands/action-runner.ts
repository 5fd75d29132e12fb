import type { Command } from 'commander';
import { type OperationCall, operationAction } from '../../platform/control/operation.ts';
import { actionRunner, type RunAction } from '../../platform/control/run-action.ts';
import type { CommandContext, TrustContext } from '../service/context.ts';
import type { TrustModule } from '../service/module.ts';
import { trustSettings, trustSettingsOf } from '../service/settings.ts';

const TARGET = { data: trustSettings.data, settingsOf: trustSettingsOf };

/**
 * Returns the function that performs the actions of commands which need no signing key.
 * @param load loads the actions, with the first use
 */
export function commandActionRunner<Actions>(
  modules: readonly TrustModule[],
  load: () => Promise<Actions>,
): RunAction<CommandContext, Actions> {
  return actionRunner(modules, {
    ...TARGET,
    load: async () => {
      const [actions, { commandContextOpening: opening }] = await Promise.all([load(), openContexts()]);
      return { actions, opening };
    },
  });
}

/**
 * Returns the function that performs the actions of commands which need the signing keys and the logs.
 * @param load loads the actions, with the first use
 */
export function trustActionRunner<Actions>(
  modules: readonly TrustModule[],
  load: () => Promise<Actions>,
): RunAction<TrustContext, Actions> {
  return actionRunner(modules, {
    ...TARGET,
    load: async () => {
      const [actions, { trustContextOpening: opening }] = await Promise.all([load(), openContexts()]);
      return { actions, opening };
    },
  });
}

/**
 * Calls an operation of the API as the local administrator, on the data directory that a command names.
 * @throws Failure
 */
export type CallOperation = (command: Command, call: OperationCall) => Promise<unknown>;

/** Returns the function that calls operations: in the running server, or in this process if none runs. */
export function operationCaller(modules: readonly TrustModule[]): CallOperation {
  const act = actionRunner(modules, {
    ...TARGET,
    load: async () => ({
      actions: { operationAction },
      opening: (await openContexts()).localServiceOpening,
    }),
  });
  return (command, call) => act(command, ({ operationAction: action }) => action, call);
}

const openContexts = () => import('../service/open-context.ts');
