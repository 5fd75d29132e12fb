import { Command } from 'commander';
import { examples, GROUPS } from '../platform/command-help.ts';
import { takeDataDirectory } from '../platform/data-directory.ts';
import { Traffic } from '../platform/http/traffic.ts';
import { createLog } from '../platform/monitoring/log.ts';
import { noopRecorder } from '../platform/monitoring/recorder.ts';
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
    );
  return services.flags(command, FLAGS).action(async (_options: object, self: Command) => {
    const { definition, config } = services.chosen(self);
    const baseUrl =
      definition.settings.baseUrl.in(config) ?? `http://127.0.0.1:${definition.settings.port.in(config)}`;
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
      const response = await service.app(baseUrl).fetch(new Request('http://localhost/openapi.json'));
      process.stdout.write(`${JSON.stringify(await response.json(), null, 2)}\n`);
      await service.close();
    } finally {
      directory.release();
    }
  });
}
