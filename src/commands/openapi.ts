import { Command } from 'commander';
import { examples, GROUPS } from '../platform/command-help.ts';
import { takeDataDirectory } from '../platform/data-directory.ts';
import { Failure } from '../platform/failure.ts';
import { Traffic } from '../platform/http/traffic.ts';
import { createLog } from '../platform/monitoring/log.ts';
import { noopRecorder } from '../platform/monitoring/recorder.ts';
import type { ServiceDefinition } from '../platform/service-definition.ts';
import { type JsonValue, parseJson } from '../proof/encoding/json.ts';
import type { Services } from './services.ts';
import { version } from './version.ts';

const FLAGS = ['service', 'base_url'];

export function openApiCommand(services: Services): Command {
  const command = new Command('openapi')
    .description("print a service's OpenAPI document")
    .helpGroup(GROUPS.program)
    .addHelpText(
      'after',
      examples([
        'Write the document of the staffing service to a file',
        'countersign openapi --service staffing > staffing.json',
      ]),
    )
    .option('--admin', 'print the document of the operations for the administrator, of the staffing service');
  return services
    .flags(command, FLAGS)
    .action(async ({ admin = false }: { admin?: boolean }, self: Command) => {
      const { definition, config } = services.chosen(self);
      const baseUrl =
        definition.settings.baseUrl.in(config) ?? `http://127.0.0.1:${definition.settings.port.in(config)}`;
      const document = await documentOf(definition, baseUrl, admin);
      if (document === null) {
        throw new Failure(
          `the ${definition.name} service has no document for the administrator`,
          'repeat the command without --admin',
          2,
        );
      }
      process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    });
}

/**
 * Returns the OpenAPI document of a service with default settings, which is opened in memory for it.
 * @param isAdmin whether it is the document for the administrator
 * @returns null if the service has no such document
 */
export async function documentOf(
  definition: ServiceDefinition,
  baseUrl: string,
  isAdmin: boolean,
): Promise<JsonValue> {
  const directory = takeDataDirectory(':memory:');
  try {
    const { log } = await createLog('silent');
    const service = await definition.open({
      directory,
      config: new Map(),
      log,
      version,
      recorder: noopRecorder,
      traffic: new Traffic(),
      url: baseUrl,
    });
    const path = `${isAdmin ? '/admin' : ''}/openapi.json`;
    const response = await service.app(baseUrl).fetch(new Request(`http://localhost${path}`));
    const document = response.ok ? parseJson(await response.text()) : null;
    await service.close();
    return document;
  } finally {
    directory.release();
  }
}
