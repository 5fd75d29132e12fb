import { resolve } from 'node:path';
import type { Static, TSchema } from '@sinclair/typebox';
import { Argument, Command, Option } from 'commander';
import { TIERS, type Tier } from '../../../db/staffing/accounts.ts';
import { STATUSES, type Status } from '../../../db/staffing/jobs.ts';
import { addFlags, settled } from '../../platform/config/command-line.ts';
import type { Action } from '../../platform/control/action.ts';
import { perform } from '../../platform/control/perform.ts';
import { Failure } from '../../platform/failure.ts';
import { createLog } from '../../platform/log.ts';
import type { ModuleCommand } from '../../platform/module.ts';
import { writeOut } from '../../platform/output.ts';
import { type Column, listText } from '../../platform/table.ts';
import type { Desk } from '../context.ts';
import { staffingSettings, staffingSettingsTable } from '../settings.ts';

const MOVES = ['open', 'on_hold', 'filled', 'cancelled', 'closed'] as const;
type Move = (typeof MOVES)[number];

const PARTNER = 'the partner id, ptr_…';

/** The verbs of administration. */
export const commands = (): readonly ModuleCommand[] => [
  { command: partnersCommand() },
  { command: jobsCommand() },
  { command: suppressCommand() },
];

/** Administration of partners, beside a running server or without one. */
function partnersCommand(): Command {
  const partners = new Command('partners')
    .description(
      'staffing: list, promote and revoke partners and make keys, beside a running server or without one',
    )
    .helpCommand(false);

  verb(partners, 'list', 'every partner with its figures, newest first')
    .option('--json', 'a line of JSON each, with the keys')
    .action(async ({ json }: { json?: true }, command: Command) => {
      const page = async (cursor: { cursor?: string }) =>
        act(command, (actions) => actions.partnersAction, { ...cursor });
      const rows: PartnerRow[] = [];
      for await (const some of pages(page)) rows.push(...some);
      await writeOut(listText(PARTNERS, rows, json));
    });

  verb(partners, 'promote', 'make a partner live; its first live key is printed this once')
    .argument('<partner>', PARTNER)
    .action(async (partner: string, _options: object, command: Command) => {
      print(await act(command, (actions) => actions.promoteAction, { partner }));
    });

  verb(partners, 'key', 'make a key for a partner who lost one, which is printed this once')
    .argument('<partner>', PARTNER)
    .addOption(new Option('--tier <tier>', 'of which tier').choices(TIERS).default('sandbox'))
    .action(async (partner: string, { tier }: { tier: Tier }, command: Command) => {
      print(await act(command, (actions) => actions.keyAction, { partner, tier }));
    });

  verb(partners, 'revoke', 'revoke all keys of a partner, or one, for the very next request')
    .argument('<partner>', PARTNER)
    .option('--key <id>', 'only this one, key_…')
    .action(async (partner: string, { key }: { key?: string }, command: Command) => {
      print(await act(command, (actions) => actions.revokeAction, { partner, key: key ?? null }));
    });

  return partners;
}

/** The operator's work on requisitions. */
function jobsCommand(): Command {
  const jobs = new Command('jobs')
    .description('staffing: list requisitions and move live ones, beside a running server or without one')
    .helpCommand(false);

  verb(jobs, 'list', 'all requisitions, newest first, a line of JSON each')
    .addOption(new Option('--status <status>', 'only those').choices(STATUSES))
    .addOption(new Option('--mode <mode>', 'only those').choices(TIERS))
    .action(async ({ status, mode }: { status?: Status; mode?: Tier }, command: Command) => {
      const filter = { ...(status === undefined ? {} : { status }), ...(mode === undefined ? {} : { mode }) };
      await all(async (cursor) => act(command, (actions) => actions.jobsAction, { ...filter, ...cursor }));
    });

  verb(jobs, 'status', 'move a live requisition')
    .argument('<job>', 'the requisition id, req_…')
    .addArgument(new Argument('<status>', 'where it goes').choices(MOVES))
    .action(async (job: string, status: Move, _options: object, command: Command) => {
      print(await act(command, (actions) => actions.statusAction, { job, status }));
    });

  return jobs;
}

/** Takes clinicians out of the registry. */
function suppressCommand(): Command {
  const command = new Command('suppress').description(
    'staffing: hide a clinician from search, in this registry and in all that come',
  );
  return addFlags(command, [staffingSettings.data, staffingSettings.config])
    .argument('[npi]', 'the NPI, ten digits')
    .option('--reason <text>', 'why; the service keeps it')
    .option('--undo', 'let the clinician be found again')
    .option('--list', 'print who is hidden, why and since when, a line of JSON each')
    .action(async (npi: string | undefined, { reason, undo, list }: SuppressOptions, self: Command) => {
      if (list === true && npi === undefined && reason === undefined && undo === undefined) {
        await all(async (cursor) => act(self, (actions) => actions.suppressionsAction, { ...cursor }));
      } else if (undo === true && npi !== undefined && reason === undefined && list === undefined) {
        print(await act(self, (actions) => actions.undoSuppressionAction, { npi }));
      } else if (reason !== undefined && npi !== undefined && undo === undefined && list === undefined) {
        print(await act(self, (actions) => actions.suppressAction, { npi, reason }));
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

function verb(parent: Command, name: string, description: string): Command {
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

interface PageOf<Row> {
  data: Row[];
  next_cursor: string | null;
}

/** The rows of all pages, a page at a time. */
async function* pages<Row>(
  page: (cursor: { cursor?: string }) => Promise<PageOf<Row>>,
): AsyncGenerator<Row[]> {
  let cursor: { cursor?: string } | null = {};
  while (cursor !== null) {
    const { data, next_cursor }: PageOf<Row> = await page(cursor);
    yield data;
    cursor = next_cursor === null ? null : { cursor: next_cursor };
  }
}

/** Prints every row of all pages. */
async function all(page: (cursor: { cursor?: string }) => Promise<PageOf<unknown>>): Promise<void> {
  for await (const rows of pages(page)) {
    if (rows.length > 0) await writeOut(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
}

type Actions = typeof import('./actions.ts');

/** Performs an action. What it needs is loaded now: other commands start without it. */
async function act<Input extends TSchema, Output extends TSchema>(
  command: Command,
  pick: (actions: Actions) => Action<Desk, Input, Output>,
  input: Static<Input>,
): Promise<Static<Output>> {
  const action = pick(await import('./actions.ts'));
  const { staffingOpening } = await import('../service.ts');
  const { config } = settled(command, staffingSettingsTable);
  const opening = staffingOpening(config, (await createLog('warn')).log);
  return perform(resolve(staffingSettings.data.in(config)), opening, action, input);
}

function print(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
}
