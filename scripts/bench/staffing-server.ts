import '../../src/platform/node-env.ts';

import { resolve } from 'node:path';
import { Elysia } from 'elysia';
import { takeDataDirectory } from '../../src/platform/data-directory.ts';
import { keyed } from '../../src/platform/http/auth/keyed.ts';
import { listen } from '../../src/platform/http/server.ts';
import { Traffic } from '../../src/platform/http/traffic.ts';
import { createLog } from '../../src/platform/monitoring/log.ts';
import { SearchQuery } from '../../src/staffing/clinicians/schema.ts';
import type { StaffingModule } from '../../src/staffing/service/module.ts';
import { staffingModules } from '../../src/staffing/service/modules.ts';
import { openStaffingService } from '../../src/staffing/service/service.ts';

/**
 * The staffing service with a baseline: a no-op GET that reads and validates the same query. Prints its URL
 * and a key. `threads`: the number of reader threads.
 */
const [data = '', threads] = process.argv.slice(2);
const { log } = await createLog('warn');
const directory = takeDataDirectory(resolve(data));
const config = new Map([
  ['bootstrap_email', 'bench@firm.example'],
  ['rate_limits', 'off'],
  ...(threads === undefined ? [] : [['search_threads', threads] as const]),
]);
const nobody = {
  authenticate: async () => ({}),
  authorize: null,
  idempotencyScope: () => '',
  idempotency: { find: async () => null, save: async () => undefined },
};
const yardstick = {
  routes: () => [
    new Elysia().use(keyed(nobody)).get('/noop', () => ({ ok: true }), { keyed: true, query: SearchQuery }),
  ],
};
const modules: readonly StaffingModule[] = [
  ...staffingModules,
  { name: 'yardstick', server: async () => ({ server: yardstick }) },
];
const traffic = new Traffic();
const service = await openStaffingService(directory, config, log, { version: 'bench', modules, traffic });
const server = listen('127.0.0.1', 0, null, traffic);
server.serve(service.app('/'));
process.stdout.write(`${server.url} ${service.firstStart.apiKey}\n`);
process.on('SIGTERM', async () => {
  await server.stop(1000);
  await service.close();
  directory.release();
  process.exit(0);
});
