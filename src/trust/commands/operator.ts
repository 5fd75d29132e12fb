import { Command, Option } from 'commander';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import { column, listCommand, numbers } from '../../platform/control/list-command.ts';
import type { TrustModule } from '../service/module.ts';
import { journalCommand } from './journal.ts';
import { apiGroup, OPERATOR } from './operations.ts';

/** Returns the commands with which an operator sees its own account. */
export async function commands(surroundings: CommandSurroundings<TrustModule>): Promise<ModuleCommand[]> {
  const command = new Command('operator')
    .description("show the key's own operator, and manage its API keys")
    .addHelpText(
      'after',
      examples(
        ['Show plan, credits and gate', 'countersign operator status'],
        ['List the API keys', 'countersign operator keys list'],
      ),
    );
  const group = await apiGroup(command, surroundings);
  callCommand(group, 'status', 'getOperatorStatus', {
    summary: 'show plan, credits, stake, quota and gate',
    reads: true,
    options: { operator: OPERATOR },
    examples: [['Show the operator', 'countersign operator status --output table']],
  });
  listCommand(group, 'slashes', 'listSlashingLedger', {
    summary: 'list what was taken from the stake, the newest first',
    options: { operator: OPERATOR },
    rows: 'entries',
    columns: [
      column('TIME', 'created_at'),
      column('TRANCHE', 'tranche'),
      numbers('CENTS', 'amount_cents'),
      column('RECEIPT', 'receipt_id'),
    ],
    examples: [['List them', 'countersign operator slashes']],
  });
  journalCommand(group, 'journal', 'getOperatorJournal', {
    summary: "print and verify the journal of the operator's pool",
    options: { operator: OPERATOR },
    examples: [['Print it', 'countersign operator journal']],
  });
  const keys = command
    .command('keys')
    .description("list, create and delete the operator's API keys")
    .addHelpText('after', examples(['List the API keys', 'countersign operator keys list']))
    .helpCommand(false);
  const keyGroup = { ...group, command: keys };
  listCommand(keyGroup, 'list', 'listApiKeys', {
    summary: 'list API keys',
    options: { operator: OPERATOR },
    rows: 'api_keys',
    columns: [
      column('KEY HASH', 'keyHash'),
      { title: 'ROLE', cellOf: ({ admin, role }) => (admin === true ? 'admin' : String(role)) },
      column('LAST USED', 'last_used_at'),
      column('CREATED', 'created_at'),
      column('NAME', 'name'),
    ],
    examples: [['List the API keys', 'countersign operator keys list']],
  });
  callCommand(keyGroup, 'create', 'createApiKey', {
    summary: 'create an API key, which is printed only once',
    options: {
      operator: OPERATOR,
      name: new Option('--name <text>', 'a label for your own use'),
      admin: new Option('--admin', 'create an admin key'),
      subject_commitment: new Option('--holder <commitment>', 'a holder key, for this agent'),
    },
    takesBody: true,
    secret: 'api_key',
    asks: ({ name = 'without a name', admin }) =>
      `create ${admin === true ? 'an admin key' : 'an API key'} ${name}`,
    valuesFor: (values) => (values.subject_commitment === undefined ? values : { ...values, role: 'holder' }),
    examples: [['Create a key for a backend', 'countersign operator keys create --name backend']],
  });
  callCommand(keyGroup, 'delete', 'deleteApiKey', {
    summary: 'delete an API key',
    options: { operator: OPERATOR },
    arguments: { keyHash: ['<hash>', 'the SHA-256 of the key, as the list shows it'] },
    asks: ({ keyHash }) => `delete the API key ${keyHash}`,
    examples: [['Delete an API key', 'countersign operator keys delete HASH']],
  });
  return [{ command }];
}
