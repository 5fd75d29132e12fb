import { Command, Option } from 'commander';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import { column, listCommand } from '../../platform/control/list-command.ts';
import { choice } from '../../platform/control/operation-command.ts';
import { isJsonObject } from '../../proof/encoding/json.ts';
import type { StaffingModule } from '../service/module.ts';
import { partnerGroup } from './operations.ts';

/** Returns the commands with which a partner searches the registry. */
export async function commands(surroundings: CommandSurroundings<StaffingModule>): Promise<ModuleCommand[]> {
  const command = new Command('clinicians')
    .description('staffing: search the registry of clinicians')
    .addHelpText(
      'after',
      examples(['Search nurses in California', 'countersign clinicians search --specialty RN --state CA']),
    );
  const group = await partnerGroup(command, surroundings);
  listCommand(group, 'search', 'searchClinicians', {
    summary: 'search clinicians',
    options: {
      state: new Option('--state <state>', 'two letters, such as CA'),
      specialty: new Option('--specialty <text>', 'a NUCC code, a name, or an everyday word such as RN'),
      surname: new Option('--surname <name>', 'the beginning of a surname'),
      match: choice('--match <match>', 'how the surname matches', ['prefix', 'exact']),
      first_name: new Option('--first-name <name>', 'the beginning of a first name'),
      city: new Option('--city <city>', 'the city of the practice'),
      postal_code: new Option('--postal-code <code>', 'five digits, or the first three'),
      npi: new Option('--npi <numbers>', 'up to 100 NPIs with commas between them'),
    },
    rows: 'data',
    columns: [
      column('NPI', 'npi'),
      column('LAST NAME', 'last_name'),
      column('FIRST NAME', 'first_name'),
      column('CREDENTIAL', 'credential'),
      {
        title: 'SPECIALTY',
        cellOf: ({ specialty }) =>
          isJsonObject(specialty) ? String(specialty.name ?? specialty.code) : null,
      },
      column('CITY', 'city'),
      column('STATE', 'state'),
    ],
    examples: [
      ['Search by surname', 'countersign clinicians search --surname garcia --state TX'],
      [
        'Write all nurses of a state',
        'countersign clinicians search --specialty RN --state VT --all --output ndjson',
      ],
    ],
  });
  callCommand(group, 'show', 'getClinician', {
    summary: 'show a clinician',
    reads: true,
    arguments: { npi: ['<npi>', 'the NPI, ten digits'] },
    examples: [['Show a clinician', 'countersign clinicians show 1234567893']],
  });
  return [{ command }];
}
