import type { Static } from '@sinclair/typebox';
import { Command, Option } from 'commander';
import { TIERS } from '../../../db/staffing/accounts-enums.ts';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { callCommand, choice, listCommand } from '../../platform/control/operation-commands.ts';
import type { StaffingModule } from '../service/module.ts';
import { operationGroup } from './operations.ts';

const PARTNER = ['<partner>', 'the partner id, ptr_…'] as const;

/** Returns the commands that administer partners and their keys. */
export async function commands(surroundings: CommandSurroundings<StaffingModule>): Promise<ModuleCommand[]> {
  const command = new Command('partners')
    .description('staffing: list, promote and revoke partners and create keys, even while the server runs')
    .addHelpText(
      'after',
      examples(
        ['List the partners', 'countersign partners list'],
        ['Give a partner access to live requisitions', 'countersign partners promote PARTNER'],
      ),
    );
  const group = await operationGroup(command, surroundings);
  listCommand(group, 'list', 'listPartners', {
    summary: 'list all partners with keys and stored requisitions',
    response: async () => (await import('../admin/schema.ts')).PartnerListResponse,
    pageOf: ({ data, next_cursor }) => ({ rows: data, next_cursor }),
    columns: [
      { title: 'PARTNER', cellOf: (row) => row.partner_id },
      { title: 'STATUS', cellOf: statusOf },
      {
        title: 'KEYS',
        isNumber: true,
        cellOf: ({ keys }) => keys.filter(({ revoked_at }) => revoked_at === null).length,
      },
      {
        title: 'REQUISITIONS',
        isNumber: true,
        cellOf: ({ stored_requisitions: { sandbox, live } }) => sandbox + live,
      },
      { title: 'CREATED', cellOf: (row) => row.created_at },
      { title: 'EMAIL', cellOf: (row) => row.email },
      { title: 'NAME', cellOf: (row) => row.name },
    ],
    notes: '\nThe newest come first. With --json, each has the ids of its keys.\n',
    examples: [['List the partners', 'countersign partners list']],
  });
  callCommand(group, 'promote', 'promotePartner', {
    summary: 'make a partner live',
    arguments: { id: PARTNER },
    notes: '\nThe first live key is printed only once.\n',
    examples: [['Make a partner live', 'countersign partners promote PARTNER']],
  });
  callCommand(group, 'key', 'createPartnerKey', {
    summary: 'create a key for a partner who lost one',
    arguments: { id: PARTNER },
    options: { tier: choice('--tier <tier>', 'the tier of the key', TIERS).default('sandbox') },
    notes: '\nThe key is printed only once.\n',
    examples: [['Make a live key', 'countersign partners key PARTNER --tier live']],
  });
  callCommand(group, 'revoke', 'revokePartnerKeys', {
    summary: 'revoke all keys of a partner, or one key',
    arguments: { id: PARTNER },
    options: { key_id: new Option('--key <id>', 'only this key, key_…') },
    notes: '\nA revoked key is refused from the next request on.\n',
    examples: [
      ['Revoke all keys of a partner', 'countersign partners revoke PARTNER'],
      ['Revoke one key', 'countersign partners revoke PARTNER --key KEY_ID'],
    ],
  });
  return [{ command }];
}

type PartnerRow = Static<typeof import('../admin/schema.ts').PartnerResponse>;

function statusOf({ closed_at, promoted_at }: PartnerRow): string {
  if (closed_at !== null) return 'CLOSED';
  return promoted_at === null ? 'SANDBOX' : 'LIVE';
}
