import pino from 'pino';
import type { Config } from '../../platform/config/setting.ts';
import type { DataDirectory } from '../../platform/data-directory.ts';
import { apiClient } from '../../platform/demo/api-client.ts';
import { KnownIds } from '../../platform/demo/known-ids.ts';
import { openWithReceiver, resolveToLoopback } from '../../platform/demo/receiver.ts';
import { ScenarioClock } from '../../platform/demo/scenario-clock.ts';
import { scenarioConfig } from '../../platform/demo/settings.ts';
import { Failure } from '../../platform/failure.ts';
import { announcementOf, type Demonstration } from '../../platform/http/openapi/demonstration.ts';
import type { RunningService, ServiceEnvironment } from '../../platform/service-definition.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { DAY_MS } from '../../platform/time/units.ts';
import { processorSettings } from '../billing/processor/settings.ts';
import { payInSandbox } from '../billing/sandbox/in-process.ts';
import { scoreAgents } from '../evidence/reputation/score-agents.ts';
import {
  DEMO_API_KEY,
  DEMO_OPERATOR_ID,
  DEMO_OTHER_KEY,
  DEMO_OTHER_OPERATOR_ID,
  DEMO_SERVICE_TOKEN,
  DEMO_SETTLEMENT_SECRET,
} from '../http/example-ids.ts';
import { logSettings } from '../log/settings.ts';
import { createOperator } from '../operators/create-operator.ts';
import { setStake } from '../pages/dashboard/set-stake.ts';
import { paymentsSettings } from '../payments/settings.ts';
import { recordHeads } from '../receipts/heads/record-heads.ts';
import type { TrustModule } from '../service/module.ts';
import type { OpenOptions } from '../service/open-context.ts';
import { openTrustService, type TrustService } from '../service/service.ts';
import { webhooksSettings } from '../webhooks/settings.ts';
import { runScenario, SCENARIO_DAYS } from './scenario.ts';
import { exampleRequests, type Spares } from './spares.ts';

/** The setting with which a rail can settle payments. Another secret in the configuration replaces it. */
const SETTLEMENTS = [paymentsSettings.x402.secret.key, DEMO_SETTLEMENT_SECRET] as const;

/** A running demonstration. */
interface TrustDemo extends RunningService, Pick<TrustService, 'trust' | 'webhooks'> {}

/**
 * Opens the trust service with the demonstration's data, in an empty directory that this process has locked.
 * @throws Error if the service refuses a request of the scenario
 */
export async function openTrustDemo(
  opening: ServiceEnvironment,
  modules: readonly TrustModule[],
): Promise<TrustDemo> {
  return openWithReceiver(withSandbox(opening.config), async (receiver, config) => {
    const { directory, log, ...options } = opening;
    const { version, url, clock = systemClock } = opening;
    const shared = { modules, resolve: resolveToLoopback, loopbackOnly: true };
    const spares = await load(directory, config, receiver, clock.now(), { version, url, ...shared });
    const service = await openTrustService(directory, new Map([SETTLEMENTS, ...config]), log, {
      ...options,
      ...shared,
      demonstration: { ...DEMONSTRATION, requests: () => requests() },
    });
    const requests = exampleRequests(apiClient(service.app('/')), service.trust.clock, spares);
    return {
      ...service,
      ready: {
        operator_id: service.firstStart.operatorId,
        api_key: DEMO_API_KEY,
        service_token: DEMO_SERVICE_TOKEN,
      },
      announcement: announcementOf([
        ['Operator id', DEMO_OPERATOR_ID],
        ['API key', DEMO_API_KEY],
        ['Service token', DEMO_SERVICE_TOKEN],
      ]),
    };
  });
}

/**
 * Returns the settings with the sandbox as payment processor.
 * @throws Failure (exit code 2) for another processor
 */
function withSandbox(config: Config): Config {
  const { processor } = processorSettings;
  if (processor.in(config) !== 'stripe') return new Map([...config, [processor.key, 'sandbox']]);
  throw new Failure(
    `${processor.key} stripe contradicts --demo: nobody pays for made-up data`,
    'leave one of the two out; --demo takes payments with the built-in sandbox',
    2,
  );
}

/**
 * Loads the data of a scenario that ends at `end`: opens the service with a clock in the past, sends it
 * requests in this process, and closes it. So all rules of the service apply to the data.
 */
async function load(
  directory: DataDirectory,
  config: Config,
  receiver: string,
  end: number,
  options: OpenOptions,
): Promise<Spares> {
  const clock = new ScenarioClock(end - SCENARIO_DAYS * DAY_MS);
  const ids = new KnownIds();
  ids.reserve(DEMO_OPERATOR_ID);
  const passedOn = [logSettings.logOrigin, webhooksSettings.allowPrivateWebhooks];
  const client = scenarioConfig(config, passedOn, [
    ['agents.pow_difficulty', '1'],
    ['bootstrap_api_key', DEMO_API_KEY],
    ['service_token', DEMO_SERVICE_TOKEN],
    SETTLEMENTS,
    [processorSettings.processor.key, 'sandbox'],
  ]);
  // Durability is not needed: the next start loads the data again.
  const volatileDirectory: DataDirectory = { ...directory, durability: 'memory' };
  const silent = pino({ level: 'silent' });
  const loadOptions = { ...options, clock, ids };
  const service = await openTrustService(volatileDirectory, client, silent, loadOptions);
  const { trust, webhooks } = service;
  const isSending = (): boolean => {
    const { waiting, running } = webhooks.dispatcher.stats();
    return waiting + running > 0;
  };
  try {
    const app = service.app('/');
    const spares = await runScenario({
      ask: apiClient(app),
      clock,
      ids,
      end,
      receiver,
      async createOtherOperator() {
        await setStake(trust, DEMO_OPERATOR_ID, 100_000);
        ids.reserve(DEMO_OTHER_OPERATOR_ID, DEMO_OTHER_KEY);
        const other = await createOperator(trust, { name: 'Harbour Logistics', admin: false });
        await setStake(trust, other.operator_id, 50_000);
      },
      payOrder: (sessionId) => payInSandbox(trust, (request) => app.fetch(request), sessionId),
      async settle() {
        await recordHeads(trust);
        await trust.log.publisher.publish();
        while (isSending()) await Bun.sleep(1);
      },
    });
    // Else the leaderboard by score has no order until the scheduler first computes it.
    await scoreAgents(trust);
    return spares;
  } finally {
    await service.close();
  }
}

const DEMONSTRATION: Demonstration = {
  kind: 'demo',
  note:
    'It has four operators, twelve agents, and receipts, evidence and webhooks of the last five weeks. The examples of all operations name ' +
    'what is there. Press "Execute": the API key is filled in already.',
  authorized: { apiKey: DEMO_API_KEY },
  tokens: { apiKey: DEMO_API_KEY, serviceToken: DEMO_SERVICE_TOKEN },
};
