import type { Static } from '@sinclair/typebox';
import { Argument, Command, Option } from 'commander';
import { TIERS, type Tier } from '../../../db/staffing/accounts-enums.ts';
import { STATUSES, type Status } from '../../../db/staffing/requisitions-enums.ts';
import type { ModuleCommand } from '../../platform/command-groups.ts';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { addFlags } from '../../platform/config/command-line.ts';
import { actionRunner, pages, printJson, type RunAction } from '../../platform/control/run-action.ts';
import { Failure } from '../../platform/failure.ts';
import { writeOut } from '../../platform/terminal/output.ts';
import { type Column, listText } from '../../platform/terminal/table.ts';
import type { CommandContext } from '../service/context.ts';
import type { StaffingModule } from '../service/module.ts';
import { staffingSettings, staffingSettingsOf } from '../service/settings.ts';

const MOVES = ['open', 'on_hold', 'filled', 'cancelled', 'closed'] as const;
type Move = (typeof MOVES)[number];

const PARTNER = 'the partner id, ptr_…';

/** Returns the commands of administration. */
export const commands = (modules: readonly StaffingModule[]): readonly ModuleCommand[] => {
  const act = actionRunner(modules, {
    data: staffingSettings.data,
    settingsOf: staffingSettingsOf,
    load: async () => {
      const [actions, { staffingOpening }] = await Promise.all([
        import('../admin/actions.ts'),
        import('../service/service.ts'),
      ]);
      return { actions, opening: staffingOpening };
    },
  });
  return [
    { command: partnersCommand(act) },
    { command: jobsCommand(act) },
    { command: suppressCommand(act) },
  ];
};

/** Returns the command `partners`, which works with or without a running server. */
function partnersCommand(act: RunAction<CommandContext, Actions>): Command {
  const partners = new Command('partners')
    .description('staffing: list, promote and revoke partners and create keys, even while the server runs')
    .helpGroup(GROUPS.administration)
    .addHelpText(
      'after',
      examples(
        ['List the partners', 'countersign partners list'],
        ['Give a partner access to live requisitions', 'countersign partners promote PARTNER'],
      ),
    )
    .helpCommand(false);

  subcommand(partners, 'list', 'list every partner with keys and stored requisitions, newest first')
    .addHelpText('after', examples(['List the partners', 'countersign partners list']))
    .option('--json', 'print a line of JSON for each, with the keys')
    .action(async ({ json }: { json?: true }, command: Command) => {
      const page = async (cursor: { cursor?: string }) =>
        act(command, (actions) => actions.partnersAction, { ...cursor });
      const rows: PartnerRow[] = [];
      for await (const some of pages(page)) rows.push(...some);
      await writeOut(listText(PARTNERS, rows, json));
    });

  subcommand(partners, 'promote', 'make a partner live; its first live key is printed only once')
    .addHelpText('after', examples(['Make a partner live', 'countersign partners promote PARTNER']))
    .argument('<partner>', PARTNER)
    .action(async (partner: string, _options: object, command: Command) => {
      printJson(await act(command, (actions) => actions.promoteAction, { partner }));
    });

  subcommand(partners, 'key', 'create a key for a partner who lost one; it is printed only once')
    .addHelpText('after', examples(['Make a live key', 'countersign partners key PARTNER --tier live']))
    .argument('<partner>', PARTNER)
    .addOption(new Option('--tier <tier>', 'the tier of the key').choices(TIERS).default('sandbox'))
    .action(async (partner: string, { tier }: { tier: Tier }, command: Command) => {
      printJson(await act(command, (actions) => actions.keyAction, { partner, tier }));
    });

  subcommand(partners, 'revoke', 'revoke all keys of a partner, or one key, from the next request on')
    .addHelpText(
      'after',
      examples(
        ['Revoke all keys of a partner', 'countersign partners revoke PARTNER'],
        ['Revoke one key', 'countersign partners revoke PARTNER --key KEY_ID'],
      ),
    )
    .argument('<partner>', PARTNER)
    .option('--key <id>', 'only this key, key_…')
    .action(async (partner: string, { key }: { key?: string }, command: Command) => {
      printJson(await act(command, (actions) => actions.revokeAction, { partner, key: key ?? null }));
    });

  return partners;
}

/** Returns the command `jobs`, for requisitions. */
function jobsCommand(act: RunAction<CommandContext, Actions>): Command {
  const jobs = new Command('jobs')
    .description('staffing: list requisitions and change the status of live ones, even while the server runs')
    .helpGroup(GROUPS.administration)
    .addHelpText('after', examples(['List the open requisitions', 'countersign jobs list --status open']))
    .helpCommand(false);

  subcommand(jobs, 'list', 'list all requisitions, newest first, a line of JSON for each')
    .addHelpText(
      'after',
      examples([
        'List the live requisitions that are open',
        'countersign jobs list --status open --mode live',
      ]),
    )
    .addOption(new Option('--status <status>', 'only those').choices(STATUSES))
    .addOption(new Option('--mode <mode>', 'only those').choices(TIERS))
    .action(async ({ status, mode }: { status?: Status; mode?: Tier }, command: Command) => {
      const filter = { ...(status === undefined ? {} : { status }), ...(mode === undefined ? {} : { mode }) };
      await printAll(async (cursor) =>
        act(command, (actions) => actions.jobsAction, { ...filter, ...cursor }),
      );
    });

  subcommand(jobs, 'status', 'change the status of a live requisition')
    .addHelpText(
      'after',
      examples(['Mark a requisition as filled', 'countersign jobs status REQUISITION filled']),
    )
    .argument('<requisition>', 'the requisition id, req_…')
    .addArgument(new Argument('<status>', 'the new status').choices(MOVES))
    .action(async (job: string, status: Move, _options: object, command: Command) => {
      printJson(await act(command, (actions) => actions.statusAction, { job, status }));
    });

  return jobs;
}

/** Returns the command `suppress`, which hides clinicians from search. */
function suppressCommand(act: RunAction<CommandContext, Actions>): Command {
  const command = new Command('suppress')
    .description('staffing: suppress a clinician: hidden from search, in this registry and in all later ones')
    .helpGroup(GROUPS.administration)
    .addHelpText(
      'after',
      examples(
        ['Suppress a clinician', "countersign suppress 1234567893 --reason 'request of the clinician'"],
        ['List suppressed clinicians', 'countersign suppress --list'],
      ),
    );
  return addFlags(command, [staffingSettings.data, staffingSettings.config])
    .argument('[npi]', 'the NPI, ten digits')
    .option('--reason <text>', 'the reason, which the service stores')
    .option('--undo', 'end the suppression')
    .option('--list', 'print suppressed clinicians with reason and date, a line of JSON for each')
    .action(async (npi: string | undefined, { reason, undo, list }: SuppressOptions, self: Command) => {
      if (list === true && npi === undefined && reason === undefined && undo === undefined) {
        await printAll(async (cursor) => act(self, (actions) => actions.suppressionsAction, { ...cursor }));
      } else if (undo === true && npi !== undefined && reason === undefined && list === undefined) {
        printJson(await act(self, (actions) => actions.undoSuppressionAction, { npi }));
      } else if (reason !== undefined && npi !== undefined && undo === undefined && list === undefined) {
        printJson(await act(self, (actions) => actions.suppressAction, { npi, reason }));
      } else {
        const hint = 'countersign suppress <npi> --reason <text>, suppress <npi> --undo, or suppress --list';
        throw new Failure('suppress needs an NPI with a reason or with --undo, or --list', hint, 2);
      }
    });
}

interface SuppressOptions {
  reason?: string;
  undo?: true;
  list?: true;
}

function subcommand(parent: Command, name: string, description: string): Command {
  const command = parent.command(name).description(description);
  return addFlags(command, [staffingSettings.data, staffingSettings.config]);
}

type PartnerRow = Static<Actions['partnersAction']['output']>['data'][number];

const PARTNERS: readonly Column<PartnerRow>[] = [
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
];

function statusOf({ closed_at, promoted_at }: PartnerRow): string {
  if (closed_at !== null) return 'CLOSED';
  return promoted_at === null ? 'SANDBOX' : 'LIVE';
}

/** Prints all rows of all pages as lines of JSON. */
async function printAll(read: Parameters<typeof pages>[0]): Promise<void> {
  for await (const rows of pages(read)) {
    if (rows.length > 0) await writeOut(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
}

type Actions = typeof import('../admin/actions.ts');
