import pino from 'pino';
import type { Config } from '../../platform/config/setting.ts';
import type { DataDirectory } from '../../platform/data-directory.ts';
import { apiClient } from '../../platform/demo/api-client.ts';
import { KnownIds } from '../../platform/demo/known-ids.ts';
import { openWithReceiver, resolveToLoopback } from '../../platform/demo/receiver.ts';
import { ScenarioClock } from '../../platform/demo/scenario-clock.ts';
import { scenarioConfig } from '../../platform/demo/settings.ts';
import { announcementOf, type Demonstration } from '../../platform/http/openapi/demonstration.ts';
import type { RunningService, ServiceEnvironment } from '../../platform/service-definition.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { DAY_MS } from '../../platform/time/units.ts';
import { DEMO_ADMIN_TOKEN, DEMO_KEY } from '../http/example-ids.ts';
import { registrySettings } from '../registry/settings.ts';
import type { StaffingModule } from '../service/module.ts';
import { type OpenOptions, openStaffingService, type StaffingService } from '../service/service.ts';
import { webhooksSettings } from '../webhooks/settings.ts';
import { runScenario, SCENARIO_DAYS } from './scenario.ts';

/** @param clinicians their number in the registry */
const demonstration = (clinicians: number): Demonstration => ({
  kind: 'demo',
  note:
    `It has a registry of ${clinicians.toLocaleString('en')} made-up clinicians, and two partners with ` +
    'requisitions of the last three weeks. The examples of all operations name what is there. Press "Execute": the keys are filled in already.',
  authorized: { apiKey: DEMO_KEY, adminToken: DEMO_ADMIN_TOKEN },
  tokens: { apiKey: DEMO_KEY, adminToken: DEMO_ADMIN_TOKEN },
});

/** A running demonstration. */
interface StaffingDemo extends RunningService, Pick<StaffingService, 'staffing'> {}

/**
 * Opens the staffing service with the data of the demonstration, in an empty directory whose lock this
 * process holds.
 * @throws Error when a request of the scenario is refused
 */
export async function openStaffingDemo(
  opening: ServiceEnvironment,
  modules: readonly StaffingModule[],
): Promise<StaffingDemo> {
  return openWithReceiver(opening.config, async (receiver, config) => {
    const { directory, log, version, recorder, traffic, clock = systemClock } = opening;
    const options = { version, modules, resolve: resolveToLoopback, loopbackOnly: true };
    await load(directory, config, receiver, clock.now(), options);
    const service = await openStaffingService(directory, config, log, {
      ...options,
      recorder,
      traffic,
      clock,
      demonstration: demonstration(registrySettings.sample.in(config)),
    });
    return {
      ...service,
      ready: { admin_token: DEMO_ADMIN_TOKEN, api_key: DEMO_KEY },
      announcement: announcementOf([
        ['API key', DEMO_KEY],
        ['Admin token', DEMO_ADMIN_TOKEN],
      ]),
    };
  });
}

/**
 * Loads the data up to the time `end` by the service's own rules: opens the service with a clock in the past,
 * sends the scenario's requests in this process, and closes the service.
 */
async function load(
  directory: DataDirectory,
  config: Config,
  receiver: string,
  end: number,
  options: OpenOptions,
): Promise<void> {
  const clock = new ScenarioClock(end - SCENARIO_DAYS * DAY_MS);
  const ids = new KnownIds();
  const unchanged = [webhooksSettings.allowPrivateWebhooks, registrySettings.sample];
  const scenarioSettings = scenarioConfig(config, unchanged, [['admin_token', DEMO_ADMIN_TOKEN]]);
  // Data that a power failure loses now is created again by the next start.
  const inMemory: DataDirectory = { ...directory, durability: 'memory' };
  const service = await openStaffingService(inMemory, scenarioSettings, pino({ level: 'silent' }), {
    ...options,
    clock,
    ids,
  });
  try {
    await runScenario({ ask: apiClient(service.app('/')), clock, ids, end, receiver });
  } finally {
    await service.close();
  }
}
