import pino from 'pino';
import { takeDataDirectory } from '../../src/platform/data-directory.ts';
import { KnownIds } from '../../src/platform/demo/known-ids.ts';
import { ScenarioClock } from '../../src/platform/demo/scenario-clock.ts';
import type { LoadingClock } from '../../src/platform/test-service/loading-clock.ts';
import { parseSeed } from '../../src/platform/test-service/seed/read-seed.ts';
import { earliestTime } from '../../src/platform/test-service/seed/times.ts';
import { StaffingSeed } from '../../src/staffing/seed/schema.ts';
import { StaffingSeeding } from '../../src/staffing/seed/seed.ts';
import { openStaffingService } from '../../src/staffing/service/service.ts';
import { TrustSeed } from '../../src/trust/seed/schema.ts';
import { TrustSeeding } from '../../src/trust/seed/seed.ts';
import { openTrustService } from '../../src/trust/service/service.ts';
import { giveSampleRegistry } from './sample-registry.ts';
import { putDatabase } from './trust-app.ts';

/** The start of the test clock of services with a seed. */
export const SEED_END = Date.parse('2026-01-01T00:00:00.000Z');

const ADMIN_KEY = `pp_${'ab'.repeat(32)}`;
const SERVICE_TOKEN = `svc_${'ab'.repeat(32)}`;

/**
 * Opens a trust service in this process with the data of a seed.
 * @param text of the file `seed.yaml`
 * @param settings further settings, by their keys
 */
export async function openSeededTrust(text: string, settings: Readonly<Record<string, string>> = {}) {
  const seed = parseSeed('seed.yaml', text, TrustSeed);
  const directory = takeDataDirectory(':memory:');
  putDatabase(directory.path);
  const clock = new ScenarioClock(earliestTime(TrustSeed, seed.content, SEED_END));
  const ids = new KnownIds();
  const config = new Map([
    ['rate_limits', 'off'],
    ['bootstrap_api_key', ADMIN_KEY],
    ['service_token', SERVICE_TOKEN],
    ['webhooks.allow_private', 'on'],
    ['check_responses', 'on'],
    ...Object.entries(settings),
  ]);
  const service = await openTrustService(directory, config, pino({ level: 'silent' }), {
    version: 'test',
    url: 'http://127.0.0.1:3000',
    clock,
    ids,
    loopbackOnly: true,
    resolve: async () => ['127.0.0.1'],
  });
  const { tasks } = await service.background();
  const close = async (): Promise<void> => {
    await service.close();
    directory.release();
  };
  const seedClock: LoadingClock = {
    now: () => clock.now(),
    async advanceTo(time) {
      clock.advanceTo(time);
      for (const task of tasks) await task.run();
    },
  };
  try {
    const first = {
      operatorId: service.firstStart.operatorId,
      apiKey: ADMIN_KEY,
      serviceToken: SERVICE_TOKEN,
    };
    await new TrustSeeding(seed, { service, first, ids }, SEED_END).perform(seedClock);
  } catch (error) {
    await close();
    throw error;
  }
  /** Advances the clock, and runs every task of the scheduler. */
  const advanceTo = (time: number) => seedClock.advanceTo(time);
  return { service, directory, apiKey: ADMIN_KEY, serviceToken: SERVICE_TOKEN, close, clock, advanceTo };
}

const ADMIN_TOKEN = `adm_${'ab'.repeat(32)}`;

/** Opens a staffing service in this process with the data of a seed. @param text of the file `seed.yaml` */
export async function openSeededStaffing(text: string) {
  const seed = parseSeed('seed.yaml', text, StaffingSeed);
  const directory = takeDataDirectory(':memory:');
  giveSampleRegistry(directory.path);
  const clock = new ScenarioClock(earliestTime(StaffingSeed, seed.content, SEED_END));
  const ids = new KnownIds();
  const config = new Map([
    ['rate_limits', 'off'],
    ['admin_token', ADMIN_TOKEN],
    ['bootstrap_email', 'partner@test-service.example'],
    ['webhooks.allow_private', 'on'],
    ['check_responses', 'on'],
  ]);
  const service = await openStaffingService(directory, config, pino({ level: 'silent' }), {
    version: 'test',
    clock,
    ids,
    loopbackOnly: true,
    resolve: async () => ['127.0.0.1'],
  });
  const close = async (): Promise<void> => {
    await service.close();
    directory.release();
  };
  const seedClock: LoadingClock = {
    now: () => clock.now(),
    advanceTo: async (time) => clock.advanceTo(time),
  };
  const { apiKey } = service.firstStart;
  try {
    const first = { adminToken: ADMIN_TOKEN, apiKey };
    await new StaffingSeeding(seed, { service, first, ids }, SEED_END).perform(seedClock);
  } catch (error) {
    await close();
    throw error;
  }
  return { service, apiKey: String(apiKey), adminToken: ADMIN_TOKEN, close };
}
