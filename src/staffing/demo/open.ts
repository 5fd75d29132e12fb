import pino from 'pino';
import type { Config } from '../../platform/config/setting.ts';
import type { DataDirectory } from '../../platform/data-directory.ts';
import { apiClient } from '../../platform/demo/api-client.ts';
import { KnownIds } from '../../platform/demo/known-ids.ts';
import { openWithReceiver, resolveToLoopback } from '../../platform/demo/receiver.ts';
import { DAY_MS, ScenarioClock } from '../../platform/demo/scenario-clock.ts';
import { scenarioConfig } from '../../platform/demo/settings.ts';
import { announcementOf, type Demonstration } from '../../platform/http/openapi/demonstration.ts';
import {
  commanded,
  type RunningService,
  type ServiceEnvironment,
} from '../../platform/service-definition.ts';
import type { StaffingModule } from '../module.ts';
import { type OpenOptions, openStaffingService } from '../service/service.ts';
import { webhooksSettings } from '../webhooks/settings.ts';
import { DEMO_ADMIN_TOKEN, DEMO_KEY } from './known.ts';
import { STORY_DAYS, tellStory } from './story.ts';

const DEMONSTRATION: Demonstration = {
  note:
    'It has a registry of 2,000 made-up clinicians, and two partners with requisitions of the last three weeks. The examples of all ' +
    'operations name what is there. Press "Execute": the keys are filled in already.',
  authorized: { apiKey: DEMO_KEY, adminToken: DEMO_ADMIN_TOKEN },
  tokens: { apiKey: DEMO_KEY, adminToken: DEMO_ADMIN_TOKEN },
};

/**
 * Opens the staffing service with the data of the demonstration, in an empty directory whose lock this process holds.
 * @throws Error for a request of the story that is refused
 */
export async function openStaffingDemo(
  opening: ServiceEnvironment,
  modules: readonly StaffingModule[],
): Promise<RunningService> {
  return openWithReceiver(opening.config, async (receiver, config) => {
    const { directory, log, version, recorder, traffic } = opening;
    const kept = { version, modules, resolve: resolveToLoopback, loopbackOnly: true };
    await load(directory, config, receiver, kept);
    const service = await openStaffingService(directory, config, log, {
      ...kept,
      recorder,
      traffic,
      demonstration: DEMONSTRATION,
    });
    return {
      ...service,
      background: async () => commanded(await service.background(), directory.path, service.staffing, log),
      ready: { admin_token: DEMO_ADMIN_TOKEN, api_key: DEMO_KEY },
      announcement: announcementOf([
        ['API key', DEMO_KEY],
        ['Admin token', DEMO_ADMIN_TOKEN],
      ]),
    };
  });
}

/**
 * Loads the data, whose story ends now, by the service's own rules: opens the service with a clock that stands in the past, sends it
 * requests in this process, and closes it.
 */
async function load(
  directory: DataDirectory,
  config: Config,
  receiver: string,
  circumstances: OpenOptions,
): Promise<void> {
  const end = Date.now();
  const clock = new ScenarioClock(end - STORY_DAYS * DAY_MS);
  const ids = new KnownIds();
  const kept = [webhooksSettings.allowPrivateWebhooks];
  const telling = scenarioConfig(config, kept, [['admin_token', DEMO_ADMIN_TOKEN]]);
  // What is lost with the power now is made anew by the next start.
  const passing: DataDirectory = { ...directory, durability: 'memory' };
  const service = await openStaffingService(passing, telling, pino({ level: 'silent' }), {
    ...circumstances,
    clock,
    ids,
  });
  try {
    await tellStory({ ask: apiClient(service.app('/')), clock, ids, end, receiver });
  } finally {
    await service.close();
  }
}
