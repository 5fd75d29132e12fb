import { resolveToLoopback } from '../../platform/demo/receiver.ts';
import { appByUrl } from '../../platform/test-service/app-by-url.ts';
import type {
  RunningTestService,
  SeedFile,
  TestEnvironment,
} from '../../platform/test-service/definition.ts';
import { TEST_ANNOUNCEMENT, TEST_SERVICE } from '../../platform/test-service/description.ts';
import { operatorsSettings } from '../operators/settings.ts';
import type { TrustModule } from '../service/module.ts';
import { openTrustService, type TrustService } from '../service/service.ts';
import { webhooksSettings } from '../webhooks/settings.ts';
import { testModule } from './module.ts';

/** An open installation of the trust service as a test service. */
export interface TrustTest extends RunningTestService, Pick<TrustService, 'trust' | 'webhooks'> {}

/** The members of the ready file, which every installation of a test service has. */
interface Ready {
  operator_id?: unknown;
  api_key?: unknown;
  service_token?: unknown;
}

/**
 * Opens an installation in an empty directory that this process has locked. Its webhooks go to this machine
 * only, whatever the name of their host.
 */
export async function openTrustTest(
  environment: TestEnvironment,
  modules: readonly TrustModule[],
): Promise<TrustTest> {
  const {
    directory,
    config,
    log,
    clockFrom,
    end,
    ids,
    origin,
    control,
    ready,
    keep: _,
    ...options
  } = environment;
  const filling = await fillingOf(environment.seed);
  const clock = clockFrom(filling?.startOf(end) ?? end);
  const { operator_id, api_key, service_token }: Ready = ready ?? {};
  if (typeof operator_id === 'string') ids.reserve(operator_id);
  const settings = new Map([
    ...config,
    ...secretOf(operatorsSettings.bootstrapApiKey.key, api_key),
    ...secretOf(operatorsSettings.serviceToken.key, service_token),
    [webhooksSettings.allowPrivateWebhooks.key, 'on'],
  ]);
  const service = await openTrustService(directory, settings, log, {
    ...options,
    ...{ modules, clock, ids, resolve: resolveToLoopback, loopbackOnly: true },
    demonstration: TEST_SERVICE,
    testing: { origin, module: testModule(control) },
  });
  const { firstStart, trust, webhooks } = service;
  const opened: TrustTest = {
    ...service,
    app: appByUrl(service.app),
    clock,
    deliveries: { dueAt: () => null, settle: () => webhooks.dispatcher.idle() },
    publish: () => trust.log.publisher.publish(),
    ready: {
      operator_id: firstStart.operatorId,
      api_key: firstStart.apiKey,
      service_token: firstStart.serviceToken,
    },
    announcement: [
      ...TEST_ANNOUNCEMENT,
      `  Operator id    ${firstStart.operatorId}`,
      `  API key        ${firstStart.apiKey}`,
      `  Service token  ${firstStart.serviceToken}`,
    ],
  };
  try {
    await filling?.fill({ ...opened, firstStart }, environment);
    return opened;
  } catch (error) {
    await service.close();
    throw error;
  }
}

function secretOf(key: string, value: unknown): (readonly [string, string])[] {
  return typeof value === 'string' ? [[key, value]] : [];
}

/** Reads a seed; its code is loaded only then. @throws Failure (exit code 2) for a seed of another form */
async function fillingOf(seed: SeedFile | null) {
  if (seed === null) return null;
  const { TrustFilling } = await import('../seed/filling.ts');
  return TrustFilling.of(seed);
}
