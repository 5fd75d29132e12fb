import { Command } from 'commander';
import type { ModuleCommand } from '../../../src/platform/command-groups.ts';
import { GROUPS } from '../../../src/platform/command-help.ts';
import { addFlags } from '../../../src/platform/config/command-line.ts';
import { actionRunner, printJson } from '../../../src/platform/control/run-action.ts';
import type { TrustModule } from '../../../src/trust/service/module.ts';
import { trustSettings, trustSettingsOf } from '../../../src/trust/service/settings.ts';

/** The verbs of notes. */
export const commands = (modules: readonly TrustModule[]): readonly ModuleCommand[] => {
  const act = actionRunner(modules, {
    data: trustSettings.data,
    settingsOf: trustSettingsOf,
    load: async () => {
      const [actions, { commandContextOpening: deskOpening }] = await Promise.all([
        import('./actions.ts'),
        import('../../../src/trust/service/open-context.ts'),
      ]);
      return { actions, opening: deskOpening };
    },
  });
  const command = new Command('notes')
    .description('count the notes that are kept')
    .helpGroup(GROUPS.administration);
  addFlags(command, [trustSettings.data, trustSettings.config]).action(
    async (_options: object, self: Command) =>
      printJson(await act(self, ({ countAction }) => countAction, {})),
  );
  return [{ command }];
};
