import { Command } from 'commander';
import { examples, GROUPS } from '../platform/command-help.ts';
import { addFlags, manualHelp, SETTING_NAMES_HELP, settingsIn } from '../platform/config/command-line.ts';
import type { Config } from '../platform/config/setting.ts';
import { clearForDemonstration, refuseDemonstration, refuseOtherData } from '../platform/demo/directory.ts';
import { Failure } from '../platform/failure.ts';
import type {
  RunningService,
  ServiceDefinition,
  ServiceEnvironment,
} from '../platform/service-definition.ts';
import { runServer, type ServerDefinition } from './run-server.ts';
import type { Chosen, Services } from './services.ts';

const TEST = [
  '--test',
  'serve an empty service for tests to this machine only: with a clock, faults and a reset below /_test, without limits, in a temporary directory; ends with the process that started it',
] as const;
const CLOCK = [
  '--clock <time>',
  'where the clock of --test starts: it stands at an RFC 3339 time such as 2026-01-01T00:00:00Z, or runs ahead by + and a duration such as +72h',
] as const;

const SEED = [
  '--seed <file>',
  'the data with which --test begins, YAML or JSON; see docs/testing.md',
] as const;
const DEMO = [
  '--demo',
  'first load made-up data with known ids and API keys, and serve it to this machine only; without --data, in a temporary directory',
] as const;

export function serveCommand(services: Services): Command {
  const settings = services.allSettings();
  const command = new Command('serve')
    .description('run a service')
    .helpGroup(GROUPS.serve)
    .addHelpText(
      'after',
      examples(
        ['Run the trust service at http://127.0.0.1:3000', 'countersign serve'],
        ['Try the staffing service with made-up data', 'countersign serve --service staffing --demo'],
      ),
    )
    .option(...DEMO)
    .option(...TEST)
    .option(...CLOCK)
    .option(...SEED);
  const own = [DEMO[0], TEST[0], '--clock', '--seed'];
  const flagged = services.args === null ? settings : settingsIn(services.args, settings, own);
  return manualHelp(addFlags(command, flagged, { serving: true }))
    .addHelpText(
      'after',
      () => `
${SETTING_NAMES_HELP}

Secrets have no flag. COUNTERSIGN_<NAME>_FILE is the path of a file that contains one:
${settings
  .filter(({ secret }) => secret)
  .map(({ env, description }) => `  ${env}\n      ${description}`)
  .join('\n')}

SIGTERM and SIGINT stop the server when its open requests are finished, after 10 s
at most; a second signal stops it at once. SIGHUP reopens log_file.`,
    )
    .action((options: Options, command: Command) => {
      const chosen = services.chosen(command);
      if (options.test === true) return serveTest(chosen, options);
      if (options.clock !== undefined)
        throw new Failure(
          '--clock needs --test',
          'add --test; other services have the time of the machine',
          2,
        );
      if (options.seed !== undefined)
        throw new Failure('--seed needs --test', 'add --test; other services begin without data', 2);
      return options.demo === true ? serveDemo(chosen) : serve(chosen);
    });
}

interface Options {
  demo?: true;
  test?: true;
  clock?: string;
  seed?: string;
}

/** Serves the chosen service. @throws Failure, even for the data directory of a demonstration */
function serve({ definition, config }: Chosen): Promise<void> {
  refuseDemonstration(definition.settings.data.in(config), 'serve');
  const open = (opening: ServiceEnvironment): Promise<RunningService> => {
    // Checks again while the directory is locked: a demonstration may have used it meanwhile.
    refuseDemonstration(opening.directory.path, 'serve');
    return definition.open(opening);
  };
  return runServer(serverDefinition(definition, config, open));
}

/**
 * Serves the demonstration.
 * @throws Failure for conflicting settings, and for a data directory with other data
 */
async function serveDemo({ definition, config: configured }: Chosen): Promise<void> {
  const { demonstrationConfig } = await import('../platform/demo/settings.ts');
  const config = demonstrationConfig(configured, definition);
  refuseOtherData(definition.settings.data.in(config), definition.name);
  const open = (opening: ServiceEnvironment): Promise<RunningService> => {
    clearForDemonstration(opening.directory.path, definition);
    return definition.openDemo(opening);
  };
  return runServer({
    ...serverDefinition(definition, config, open),
    title: `${definition.name} service, demonstration`,
  });
}

/**
 * Serves a test service, until the process that started this one ends.
 * @throws Failure for conflicting options and settings
 */
async function serveTest(
  { definition, config: configured }: Chosen,
  { demo, clock, seed: seedPath }: Options,
): Promise<void> {
  if (demo === true)
    throw new Failure('--test and --demo contradict each other', 'leave one of the two out', 2);
  const { clockStart, seedFile, testConfig } = await import('../platform/test-service/settings.ts');
  const config = testConfig(configured, definition);
  const start = clockStart(clock);
  const seed = seedPath === undefined ? null : seedFile(seedPath);
  const { openTestService } = await import('../platform/test-service/open.ts');
  await runServer({
    ...serverDefinition(definition, config, (opening) =>
      openTestService(definition, opening, { start, seed }),
    ),
    title: `${definition.name} service, TEST`,
  });
}

function serverDefinition(
  definition: ServiceDefinition,
  config: Config,
  open: (opening: ServiceEnvironment) => Promise<RunningService>,
): ServerDefinition {
  return {
    name: definition.name,
    title: `${definition.name} service`,
    settings: definition.settings,
    printSecrets: definition.settings.printSecrets,
    config,
    links: (url) => [
      ['API', url],
      ['Swagger UI', `${url}/swagger`],
    ],
    open,
  };
}
