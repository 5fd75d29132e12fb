import { Command, Option } from 'commander';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { GROUPS } from '../../platform/command-help.ts';
import { writeList } from '../../platform/control/list-command.ts';
import { operationCommand } from '../../platform/control/operation-command.ts';
import { printJson } from '../../platform/control/run-action.ts';
import { Failure } from '../../platform/failure.ts';
import type { StaffingModule } from '../service/module.ts';
import { operationGroup } from './operations.ts';

/** Returns the command `suppress`, which hides clinicians from search. */
export async function commands(surroundings: CommandSurroundings<StaffingModule>): Promise<ModuleCommand[]> {
  const group = await operationGroup(new Command(), surroundings);
  const { command, read } = operationCommand(group, 'suppress', 'suppressClinician', {
    summary: 'staffing: suppress a clinician: hidden from search, in this registry and in all later ones',
    arguments: { npi: ['[npi]', 'the NPI, ten digits'] },
    options: {
      reason: new Option('--reason <text>', 'the reason, which the service stores'),
      undo: new Option('--undo', 'end the suppression'),
      list: new Option('--list', 'print suppressed clinicians with reason and date, a line of JSON for each'),
    },
    examples: [
      ['Suppress a clinician', "countersign suppress 1234567893 --reason 'request of the clinician'"],
      ['List suppressed clinicians', 'countersign suppress --list'],
    ],
  });
  command.helpGroup(GROUPS.administration).action(async () => {
    const { values } = read();
    const operation = operationFor(Object.keys(values).toSorted().join(' '));
    if (operation === 'listSuppressions') {
      await writeList(
        group.operations,
        command,
        { rows: 'data', columns: null },
        { operationFor: () => operation },
      );
    } else {
      const { undo: _, ...sent } = values;
      printJson(await group.operations(command, (call) => call(operation, sent)));
    }
  });
  return [{ command }];
}

/** Returns the operation for an argument and some options. @throws Failure for any other combination */
function operationFor(names: string): string {
  if (names === 'npi reason') return 'suppressClinician';
  if (names === 'npi undo') return 'undoSuppression';
  if (names === 'list') return 'listSuppressions';
  const hint = 'countersign suppress <npi> --reason <text>, suppress <npi> --undo, or suppress --list';
  throw new Failure('suppress needs an NPI with a reason or with --undo, or --list', hint, 2);
}
