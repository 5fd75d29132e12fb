import { Command } from 'commander';
import { examples, GROUPS } from '../platform/command-help.ts';
import { addFlags, manualHelp, SETTING_NAMES_HELP, settingsIn } from '../platform/config/command-line.ts';
import type { Config } from '../platform/config/setting.ts';
import { clearForDemonstration, refuseDemonstration, refuseOtherData } from '../platform/demo/directory.ts';
import type {
  RunningService,
  ServiceDefinition,
  ServiceEnvironment,
} from '../platform/service-definition.ts';
import { runServer, type ServerDefinition } from './run-server.ts';
import type { Chosen, Services } from './services.ts';

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
    .option(...DEMO);
  const flagged = services.args === null ? settings : settingsIn(services.args, settings, [DEMO[0]]);
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
    .action((options: { demo?: true }, command: Command) => {
      const chosen = services.chosen(command);
      return options.demo === true ? serveDemo(chosen) : serve(chosen);
    });
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

function serverDefinition(
  definition: ServiceDefinition,
  config: Config,
  open: (opening: ServiceEnvironment) => Promise<RunningService>,
): ServerDefinition {
  return {
    name: definition.name,
    title: `${definition.name} service`,
    settings: definition.settings,
    config,
    links: (url) => [
      ['API', url],
      ['Swagger UI', `${url}/swagger`],
    ],
    open,
  };
}
