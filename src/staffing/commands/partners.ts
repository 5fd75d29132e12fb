import { Command, Option } from 'commander';
import { TIERS } from '../../../db/staffing/accounts-enums.ts';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import { column, listCommand } from '../../platform/control/list-command.ts';
import { choice } from '../../platform/control/operation-command.ts';
import { isJsonObject, type JsonObject } from '../../proof/encoding/json.ts';
import type { StaffingModule } from '../service/module.ts';
import { apiGroup, operationGroup } from './operations.ts';

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
  const group = await apiGroup(command, surroundings);
  const local = await operationGroup(command, surroundings);
  listCommand(group, 'list', 'listPartners', {
    summary: 'list all partners with keys and stored requisitions',
    rows: 'data',
    columns: [
      column('PARTNER', 'partner_id'),
      { title: 'STATUS', cellOf: statusOf },
      {
        title: 'KEYS',
        isNumber: true,
        cellOf: ({ keys }) =>
          Array.isArray(keys)
            ? keys.filter((key) => isJsonObject(key) && key.revoked_at === null).length
            : null,
      },
      {
        title: 'REQUISITIONS',
        isNumber: true,
        cellOf: ({ stored_requisitions: stored }) =>
          isJsonObject(stored) ? Number(stored.sandbox) + Number(stored.live) : null,
      },
      column('CREATED', 'created_at'),
      column('EMAIL', 'email'),
      column('NAME', 'name'),
    ],
    notes: '\nThe newest come first. With --output ndjson, each has the ids of its keys.\n',
    examples: [['List the partners', 'countersign partners list']],
  });
  callCommand(group, 'promote', 'promotePartner', {
    summary: 'make a partner live',
    arguments: { id: PARTNER },
    asks: ({ id }) => `make ${id} live, and create its first live key`,
    notes: '\nThe first live key is printed only once.\n',
    examples: [['Make a partner live', 'countersign partners promote PARTNER']],
  });
  callCommand(local, 'key', 'createPartnerKey', {
    summary: 'create a key for a partner who lost one',
    arguments: { id: PARTNER },
    asks: ({ id, tier }) => `create a ${tier} key for ${id}`,
    options: { tier: choice('--tier <tier>', 'the tier of the key', TIERS).default('sandbox') },
    notes: '\nThe key is printed only once.\n',
    examples: [['Make a live key', 'countersign partners key PARTNER --tier live']],
  });
  callCommand(group, 'revoke', 'revokePartnerKeys', {
    summary: 'revoke all keys of a partner, or one key',
    arguments: { id: PARTNER },
    asks: ({ id, key_id }) =>
      key_id === undefined ? `revoke all keys of ${id}` : `revoke the key ${key_id} of ${id}`,
    options: { key_id: new Option('--key <id>', 'only this key, key_…') },
    notes: '\nA revoked key is refused from the next request on.\n',
    examples: [
      ['Revoke all keys of a partner', 'countersign partners revoke PARTNER'],
      ['Revoke one key', 'countersign partners revoke PARTNER --key KEY_ID'],
    ],
  });
  return [{ command: command.helpGroup(GROUPS.administration) }];
}

function statusOf({ closed_at, promoted_at }: JsonObject): string {
  if (closed_at !== null) return 'CLOSED';
  return promoted_at === null ? 'SANDBOX' : 'LIVE';
}
