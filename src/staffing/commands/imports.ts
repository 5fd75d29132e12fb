import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import type { CommandSurroundings, LoadModules, ModuleCommand } from '../../platform/command-groups.ts';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { addFlags, commandSettings } from '../../platform/config/command-line.ts';
import { NotResponding } from '../../platform/control/perform.ts';
import {
  type ActionSession,
  type Opening,
  printJson,
  type RunSession,
  sessionRunner,
} from '../../platform/control/run-action.ts';
import { Failure } from '../../platform/failure.ts';
import { requireFile } from '../../platform/files/read.ts';
import { writeOut } from '../../platform/terminal/output.ts';
import { type Column, listText } from '../../platform/terminal/table.ts';
import { systemClock, timestamp } from '../../platform/time/clock.ts';
import type { RegistryStatus } from '../imports/actions.ts';
import { type Followed, follow } from '../imports/follow.ts';
import type { Report } from '../imports/report.ts';
import { reportText, statusText } from '../imports/report-text.ts';
import { existing } from '../nppes/reading/days.ts';
import type { CommandContext } from '../service/context.ts';
import type { StaffingModule } from '../service/module.ts';
import { staffingSettings, staffingSettingsOf } from '../service/settings.ts';

type Actions = typeof import('../imports/actions.ts');
type Run = RunSession<CommandContext, Actions>;
type Session = ActionSession<CommandContext, Actions>;

/** Returns the commands that load data into the registry. */
export const commands = ({ modules }: CommandSurroundings<StaffingModule>): readonly ModuleCommand[] => {
  const { data, allowSharedData } = staffingSettings;
  const runner = (load: typeof loaded): Run =>
    sessionRunner(modules, { data, allowSharedData, settingsOf: staffingSettingsOf, load });
  return [
    { command: importCommand(runner(loadedForImport)) },
    { command: registryCommand(modules, runner(loaded), runner(loadedServing)) },
  ];
};

async function loaded(): Promise<{ actions: Actions; opening: Opening<StaffingModule, CommandContext> }> {
  const [actions, { staffingOpening }] = await Promise.all([
    import('../imports/actions.ts'),
    import('../service/service.ts'),
  ]);
  return { actions, opening: staffingOpening };
}

/** Loads the code of a command that takes long: meanwhile, other processes may ask for the status. */
async function loadedServing(): ReturnType<typeof loaded> {
  const { actions, opening } = await loaded();
  return {
    actions,
    opening: (config, log, modules) => ({
      ...opening(config, log, modules),
      served: {
        actions: [actions.registryStatusAction, actions.filesAction],
        busy: new Failure(
          'an import is running in another process, which has the data directory open',
          'wait until it has ended (countersign registry status), then try again',
        ),
        log,
      },
    }),
  };
}

/** Loads the code of an import, which may be the first command on a data directory. */
async function loadedForImport(): ReturnType<typeof loaded> {
  const [{ actions, opening }, { refuseOtherServices }] = await Promise.all([
    loadedServing(),
    import('../service/service.ts'),
  ]);
  return {
    actions,
    opening: (config, log, modules) => {
      const opener = opening(config, log, modules);
      const check = (path: string): void => {
        refuseOtherServices(path);
        // A misspelt directory is not an error, so that the user must see it.
        if (!existsSync(join(path, opener.database))) {
          process.stderr.write(`${path} is a new data directory\n`);
        }
      };
      return { ...opener, check };
    },
  };
}

interface ImportOptions {
  npi?: string[];
  taxonomy?: string;
  deactivated?: string;
  groupings?: string;
  weekly?: true;
  asOf?: string;
  force?: true;
  json?: true;
}

function importCommand(run: Run): Command {
  const command = new Command('import')
    .description('staffing: load published files of clinicians into the registry, even while the server runs')
    .helpGroup(GROUPS.administration)
    .addHelpText(
      'after',
      `
The files are those of CMS (NPPES) and NUCC, as they are published. A monthly file
replaces the registry; a weekly file changes it. Ctrl-C cancels the import, and the
registry stays as it was. If only the terminal is closed, a running server continues
the import; countersign registry status shows it.
${examples(
  [
    'Load the monthly file',
    'countersign import --npi NPPES_Data_Dissemination_March_2026.zip --deactivated NPPES_Deactivated_NPI_Report.zip',
  ],
  ['Load a weekly file', 'countersign import --npi NPPES_Data_Dissemination_030226_030826_Weekly.zip'],
  ['Load two weekly files; the order does not matter', 'countersign import --npi FIRST.zip --npi SECOND.zip'],
)}`,
    );
  return withData(command)
    .option('--npi <file>', 'a monthly or a weekly file: the zip, or the CSV file in it; repeatable', collect)
    .option('--taxonomy <file>', 'the taxonomy (CSV of NUCC) for a monthly file (default: version 25.1)')
    .option(
      '--deactivated <file>',
      'the report of deactivated NPIs: zip, xlsx or CSV; it replaces the previous one',
    )
    .option(
      '--groupings <list>',
      'with a monthly file: all, clinical, or names separated by semicolons (default: all)',
    )
    .option('--weekly', 'the file is a weekly one; needed only if its name does not have the dates')
    .option(
      '--as-of <date>',
      'the date of the data; needed only if the name of the file does not have it',
      dateOf,
    )
    .option('--force', 'accept an import after which the registry has fewer than 95 % of its clinicians')
    .option('--json', 'print the whole report as JSON')
    .action(async (options: ImportOptions, self: Command) => importFiles(run, self, options));
}

async function importFiles(run: Run, command: Command, options: ImportOptions): Promise<void> {
  const { npi = [], taxonomy, deactivated, groupings, weekly, asOf, force, json } = options;
  refuseUnclear(options);
  // A misspelt name is no import, so it does not take the place of the last one in the status.
  for (const file of [...npi, taxonomy, deactivated]) if (file !== undefined) requireFile(file);
  const path = (file: string | undefined): string | null => (file === undefined ? null : resolve(file));
  const files = npi.length > 1 ? await inOrder(npi) : npi;
  await run(command, async (session) => {
    for (const [index, file] of (files.length === 0 ? [undefined] : files).entries()) {
      const isFirst = index === 0;
      const report = await followIn(session, () =>
        session.act((actions) => actions.startAction, {
          npi: path(file),
          taxonomy: isFirst ? path(taxonomy) : null,
          deactivated: isFirst ? path(deactivated) : null,
          groupings: isFirst ? (groupings ?? null) : null,
          weekly: weekly === true,
          as_of: asOf ?? null,
          force: force === true,
        }),
      );
      if (!(await print(report, json))) return;
    }
  });
}

async function inOrder(files: readonly string[]): Promise<string[]> {
  const { inOrderOfDates } = await import('../imports/order.ts');
  return inOrderOfDates(files);
}

/** Follows an import that `start` begins, by the actions of a session. */
function followIn(session: Session, start: Followed['start']): Promise<Report> {
  return follow({
    isRemote: session.isRemote,
    start,
    status: (id) => session.act((actions) => actions.importStatusAction, { id }),
    cancel: (id) => session.act((actions) => actions.cancelAction, { id }),
  });
}

/** Refuses options that contradict each other. @throws Failure */
function refuseUnclear({ npi = [], taxonomy, deactivated, groupings, weekly, asOf }: ImportOptions): void {
  if (npi.length === 0 && deactivated === undefined) {
    throw new Failure(
      'there is nothing to import',
      'specify a monthly or a weekly file with --npi, or a report of deactivated NPIs with --deactivated',
      2,
    );
  }
  const [one] = Object.entries({ taxonomy, groupings, weekly, 'as-of': asOf })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  if (npi.length === 0 && one !== undefined) {
    throw new Failure(`--${one} is for a file of clinicians`, 'specify the file with --npi', 2);
  }
  if (npi.length > 1 && asOf !== undefined) {
    throw new Failure('--as-of is for one file', 'import the files one by one', 2);
  }
}

/**
 * Prints a report. @returns false if a signal cancelled the import @throws Failure for another import that
 * had no effect
 */
async function print(report: Report, json: true | undefined): Promise<boolean> {
  if (json === true) printJson(report);
  else await writeOut(reportText(report));
  // The exit code is that of the signal.
  if (report.outcome === 'cancelled' && process.exitCode !== undefined) return false;
  if (report.outcome !== 'done') {
    throw new Failure(
      report.problem ?? 'the import had no effect',
      report.hint ?? 'see the log of the server',
    );
  }
  return true;
}

/** @param runLong runs a session that may take minutes */
function registryCommand(modules: LoadModules<StaffingModule>, run: Run, runLong: Run): Command {
  const registry = new Command('registry')
    .description('staffing: the files of clinicians, even while the server runs')
    .helpGroup(GROUPS.administration)
    .addHelpText('after', examples(['Show the registry and the last import', 'countersign registry status']))
    .helpCommand(false);

  subcommand(registry, 'status', 'show the registry, the running import, and what the last one did')
    .addHelpText(
      'after',
      examples([
        'Show it as JSON, with bad rows and lost fields by line',
        'countersign registry status --json',
      ]),
    )
    .option('--json', 'print everything as JSON')
    .action(async ({ json }: { json?: true }, command: Command) => {
      const status = await statusOf(modules, run, command);
      if (json === true) printJson(status);
      else await writeOut(statusText(status));
    });

  subcommand(registry, 'list', 'list the registry files: the current one, the former one, and others')
    .addHelpText('after', examples(['List the files', 'countersign registry list']))
    .option('--json', 'print a line of JSON for each')
    .action(async ({ json }: { json?: true }, command: Command) => {
      const { files } = await run(command, ({ act }) => act((actions) => actions.filesAction, {}));
      await writeOut(listText(FILES, files, json));
    });

  subcommand(registry, 'rollback', 'serve the former registry file again')
    .addHelpText(
      'after',
      `
Clinicians who were suppressed or deactivated since are removed from it first. The
file that was served is kept: a second rollback serves it again.
${examples(['Serve the former file', 'countersign registry rollback'])}`,
    )
    .option('--json', 'print the whole report as JSON')
    .action(async ({ json }: { json?: true }, command: Command) => {
      const report = await runLong(command, (session) =>
        followIn(session, () => session.act((actions) => actions.rollbackAction, {})),
      );
      await print(report, json);
    });
  return registry;
}

/**
 * Returns the state of the registry in every case: from the process that has the data directory open, from
 * the service, and from the files where there is neither.
 */
async function statusOf(
  modules: LoadModules<StaffingModule>,
  run: Run,
  command: Command,
): Promise<RegistryStatus> {
  const { config } = commandSettings(command, staffingSettingsOf(await modules()));
  const path = resolve(staffingSettings.data.in(config));
  const [{ statusOfFiles }, { refuseOtherServices }, { staffingDatabase }] = await Promise.all([
    import('../imports/status.ts'),
    import('../service/service.ts'),
    import('../service/database.ts'),
  ]);
  const { name } = staffingDatabase;
  if (existsSync(path) && !existsSync(join(path, name))) {
    refuseOtherServices(path);
    return statusOfFiles(path, name, false, systemClock);
  }
  try {
    return await run(command, ({ act }) => act((actions) => actions.registryStatusAction, {}));
  } catch (error) {
    if (!(error instanceof NotResponding)) throw error;
    return statusOfFiles(path, name, true, systemClock);
  }
}

function subcommand(parent: Command, name: string, description: string): Command {
  const command = parent.command(name).description(description);
  return withData(command);
}

/** Adds the flags that name the data directory. */
function withData(command: Command): Command {
  addFlags(command, [staffingSettings.data, staffingSettings.config]);
  return addFlags(command, [staffingSettings.allowSharedData], { listed: false });
}

interface File {
  name: string;
  state: string;
  as_of: string | null;
  records: number | null;
  sample: boolean | null;
  bytes: number;
}

const FILES: readonly Column<File>[] = [
  { title: 'FILE', cellOf: ({ name }) => name },
  { title: 'STATE', cellOf: ({ state }) => state.toUpperCase() },
  { title: 'AS OF', cellOf: ({ as_of }) => as_of },
  { title: 'CLINICIANS', isNumber: true, cellOf: ({ records }) => records },
  { title: 'MIB', isNumber: true, cellOf: ({ bytes }) => (bytes / 2 ** 20).toFixed(1) },
  { title: 'DATA', cellOf: ({ sample }) => (sample === null ? 'UNREADABLE' : sample ? 'SAMPLE' : 'REAL') },
];

function collect(file: string, previous: string[] = []): string[] {
  return [...previous, file];
}

/** Data of the future would refuse every weekly file until then. */
function dateOf(text: string): string {
  const day = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) ? existing(text) : null;
  if (day === null) throw new InvalidArgumentError('It must be a day of the calendar, YYYY-MM-DD.');
  if (day <= timestamp(systemClock).slice(0, 10)) return day;
  throw new InvalidArgumentError('It must not be in the future.');
}
