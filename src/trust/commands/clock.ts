import { Command } from 'commander';
import type { ModuleCommand } from '../../platform/command-groups.ts';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { addFlags } from '../../platform/config/command-line.ts';
import { actionRunner, printJson, type RunAction } from '../../platform/control/run-action.ts';
import { Failure } from '../../platform/failure.ts';
import type { TrustContext } from '../service/context.ts';
import { trustDatabase } from '../service/database.ts';
import type { TrustModule } from '../service/module.ts';
import { trustSettings, trustSettingsOf } from '../service/settings.ts';

type Actions = typeof import('../log/clock/actions.ts');
type Act = RunAction<TrustContext, Actions>;

/** Returns the commands of the clock. */
export const commands = (modules: readonly TrustModule[]): readonly ModuleCommand[] => [
  { command: clockCommand(runningServer(modules)) },
];

/**
 * Returns the function that performs actions in the running server: what is known of its clock is in its
 * memory.
 */
function runningServer(modules: readonly TrustModule[]): Act {
  return actionRunner(modules, {
    data: trustSettings.data,
    settingsOf: trustSettingsOf,
    load: async () => ({
      actions: await import('../log/clock/actions.ts'),
      opening: () => ({
        database: trustDatabase.name,
        async open() {
          throw new Failure(
            'no server uses this data directory, and the clock is that of a running server',
            'start the server first: a start says if the clock is in doubt',
          );
        },
      }),
    }),
  });
}

function clockCommand(act: Act): Command {
  const clock = new Command('clock')
    .description('show what the running server knows of its clock, or accept its time')
    .helpGroup(GROUPS.administration)
    .addHelpText(
      'after',
      `
A server whose clock was set by more than 60 seconds issues nothing with a date until
the clock is right again, or confirmed. A server that starts more than a day after its
newest data deletes, expires, refunds and pays nothing by schedule until the clock is
confirmed. Accept a time only after you compared it with another clock.
${examples(
  ['Show whether the clock counts as right', 'countersign clock show'],
  ['Accept the time that the clock shows', 'countersign clock accept'],
)}`,
    )
    .helpCommand(false);
  const subcommand = (name: string, description: string): Command =>
    addFlags(clock.command(name).description(description), [trustSettings.data, trustSettings.config]);
  subcommand('show', 'show whether the clock counts as right')
    .addHelpText('after', examples(['Show whether the clock counts as right', 'countersign clock show']))
    .action(async (_options: object, command: Command) => {
      printJson(await act(command, (actions) => actions.showAction, {}));
    });
  subcommand('accept', 'accept the time that the clock shows as right')
    .addHelpText('after', examples(['Accept the time that the clock shows', 'countersign clock accept']))
    .action(async (_options: object, command: Command) => {
      printJson(await act(command, (actions) => actions.acceptAction, {}));
    });
  return clock;
}
