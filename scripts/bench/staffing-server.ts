import '../../src/platform/production.ts';

import { resolve } from 'node:path';
import { Elysia } from 'elysia';
import { takeDataDirectory } from '../../src/platform/data-directory.ts';
import { createApp } from '../../src/platform/http/app.ts';
import { keyed } from '../../src/platform/http/keyed.ts';
import { Limits } from '../../src/platform/http/limits.ts';
import { listen } from '../../src/platform/http/server.ts';
import { createLog } from '../../src/platform/log.ts';
import { staffingRoutes } from '../../src/staffing/app.ts';
import { SearchQuery } from '../../src/staffing/clinicians/schema.ts';
import { staffingDialect } from '../../src/staffing/dialect.ts';
import { openStaffingService } from '../../src/staffing/service.ts';
import { staffingSettings } from '../../src/staffing/settings.ts';

/** The staffing service with a yardstick: a GET that reads and validates the same query and does nothing. Prints its URL and a key. */
const [data = ''] = process.argv.slice(2);
const { log } = createLog('warn');
const directory = takeDataDirectory(resolve(data));
const config = new Map([
  ['bootstrap_email', 'bench@firm.example'],
  ['rate_limits', 'off'],
]);
const { staffing, firstStart, close } = await openStaffingService(directory, config, log, 'bench');
const limits = new Limits({ on: false, trustedProxies: staffingSettings.trustedProxies.in(config) });
const nobody = {
  authenticate: async () => ({}),
  idempotencyScope: () => '',
  idempotency: { find: () => undefined, keep: () => undefined },
};
const noop = new Elysia()
  .use(keyed(nobody))
  .get('/noop', () => ({ ok: true }), { keyed: true, query: SearchQuery });
const server = listen('127.0.0.1', 0, null);
server.answer(
  createApp(staffingDialect, log, limits, [...staffingRoutes(staffing, limits, 'bench'), noop], () => null),
);
process.stdout.write(`${server.url} ${firstStart.apiKey}\n`);
process.on('SIGTERM', async () => {
  await server.stop(1000);
  await close();
  directory.release();
  process.exit(0);
});
