import { Command, InvalidArgumentError } from 'commander';
import { Complaint } from '../platform/config/setting.ts';
import { takeDataDirectory } from '../platform/data-directory.ts';
import { createLog } from '../platform/log.ts';
import { openTrustService } from '../trust/service.ts';
import { trustSettings } from '../trust/settings.ts';
import { version } from './version.ts';

export function openApiCommand(): Command {
  return new Command('openapi')
    .description("print the trust service's OpenAPI document")
    .option('--base-url <url>', 'the server URL to name in it', serverUrl, 'http://127.0.0.1:3000')
    .action(async ({ baseUrl }: { baseUrl: string }) => {
      const directory = takeDataDirectory(':memory:');
      try {
        const service = await openTrustService(directory, new Map(), createLog('silent').log, version);
        const response = await service.app(baseUrl).fetch(new Request('http://localhost/openapi.json'));
        process.stdout.write(`${await response.text()}\n`);
        await service.close();
      } finally {
        directory.release();
      }
    });
}

function serverUrl(text: string): string {
  try {
    return trustSettings.baseUrl.parse(text) ?? text;
  } catch (error) {
    if (error instanceof Complaint) throw new InvalidArgumentError(`It ${error.message}.`);
    throw error;
  }
}
