import { Command } from 'commander';
import { addFlags, manualHelp, NAMES } from '../platform/config/command-line.ts';
import { host } from './hosting.ts';
import type { Chosen, Services } from './services.ts';

export function serveCommand(services: Services): Command {
  const secrets = services.allSettings().filter(({ secret }) => secret);
  return manualHelp(addFlags(new Command('serve').description('run a service'), services.allSettings()))
    .addHelpText(
      'after',
      `
${NAMES}

Secrets have no flag. COUNTERSIGN_NAME_FILE names a file that holds one:
${secrets.map(({ env, description }) => `  ${env}\n      ${description}`).join('\n')}

SIGTERM and SIGINT let what is running finish (10 s); a second one ends at
once. SIGHUP opens a log_file anew.`,
    )
    .action((_options, command: Command) => serve(services.chosen(command)));
}

/** Serves the service that was chosen. */
function serve({ kind, config }: Chosen): Promise<void> {
  return host({
    name: kind.name,
    title: `${kind.name} service`,
    settings: kind.settings,
    config,
    places: (url) => [
      ['API', url],
      ['Swagger UI', `${url}/swagger`],
    ],
    open: (opening) => kind.open(opening),
  });
}
