import { Command } from 'commander';
import { takeDataDirectory } from '../platform/data-directory.ts';
import { createLog } from '../platform/log.ts';
import { openTrustService } from '../trust/service.ts';
import { version } from './version.ts';

export function openApiCommand(): Command {
  return new Command('openapi')
    .description("print the trust service's OpenAPI document")
    .option('--base-url <url>', 'the server URL to name in it', 'http://127.0.0.1:3000')
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
