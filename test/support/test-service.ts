import pino from 'pino';
import { takeDataDirectory } from '../../src/platform/data-directory.ts';
import { Traffic } from '../../src/platform/http/traffic.ts';
import { noopRecorder } from '../../src/platform/monitoring/recorder.ts';
import type { TestableService } from '../../src/platform/test-service/definition.ts';
import { TestHost } from '../../src/platform/test-service/host.ts';
import { clockStart, testConfig } from '../../src/platform/test-service/settings.ts';
import { staffingServiceDefinition } from '../../src/staffing/definition.ts';
import { staffingModules } from '../../src/staffing/service/modules.ts';
import { trustServiceDefinition } from '../../src/trust/definition.ts';
import { trustModules } from '../../src/trust/service/modules.ts';
import { client } from './client.ts';

const URL = 'http://127.0.0.1:3000';

export const TRUST = trustServiceDefinition(trustModules);
export const STAFFING = staffingServiceDefinition(staffingModules);

/**
 * Opens a test service in this process, as `serve --test` does. @param clock as the option `--clock` has it
 */
export async function openTestService(
  definition: TestableService,
  clock = '2026-01-01T00:00:00Z',
  settings: Record<string, string> = {},
) {
  const directory = takeDataDirectory(':memory:');
  const given = new Map(Object.entries({ check_responses: 'on', ...settings }));
  const lines: string[] = [];
  const failures: unknown[] = [];
  const host = new TestHost(
    definition,
    {
      directory,
      config: testConfig(given, definition),
      log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
      version: 'test',
      recorder: noopRecorder,
      traffic: new Traffic(),
      url: URL,
    },
    { start: clockStart(clock), seed: null },
    (error) => {
      failures.push(error);
      throw error;
    },
  );
  const service = await host.open();
  const app = service.app('/');
  await service.background();
  await app.load();
  const fetch = (request: Request): Promise<Response> => app.fetch(request, '127.0.0.1');
  const { api_key, admin_token, service_token } = service.ready;
  return {
    directory: directory.path,
    ready: service.ready,
    fetch,
    /** A client with the admin key or the admin token. */
    admin: client(fetch, URL, String(admin_token ?? api_key)),
    /** A client with the API key of the ready file. */
    own: client(fetch, URL, String(api_key)),
    service: client(fetch, URL, String(service_token)),
    anyone: client(fetch, URL, null),
    /** Why resets failed. */
    failures,
    /** The log lines so far. */
    logged: () => lines.join(''),
    async close() {
      await service.close();
      directory.release();
    },
  };
}

export type TestService = Awaited<ReturnType<typeof openTestService>>;
