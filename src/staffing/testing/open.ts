import { resolveToLoopback } from '../../platform/demo/receiver.ts';
import { appByUrl } from '../../platform/test-service/app-by-url.ts';
import type {
  RunningTestService,
  SeedFile,
  TestEnvironment,
} from '../../platform/test-service/definition.ts';
import { TEST_ANNOUNCEMENT, TEST_SERVICE } from '../../platform/test-service/description.ts';
import { CHECKSUM } from '../accounts/keys/key-format.ts';
import { accountsSettings } from '../accounts/settings.ts';
import { adminSettings } from '../admin/settings.ts';
import type { StaffingModule } from '../service/module.ts';
import { openStaffingService, type StaffingService } from '../service/service.ts';
import { webhooksSettings } from '../webhooks/settings.ts';
import { testModule } from './module.ts';

/** An open installation of the staffing service as a test service. */
export interface StaffingTest extends RunningTestService, Pick<StaffingService, 'staffing'> {}

/** The members of the ready file, which every installation of a test service has. */
interface Ready {
  admin_token?: unknown;
  api_key?: unknown;
}

/** The address of the partner whose sandbox key is in the ready file. */
const PARTNER = 'partner@test-service.example';

/**
 * Opens an installation in an empty directory that this process has locked. Its webhooks go to this machine
 * only, whatever the name of their host.
 */
export async function openStaffingTest(
  environment: TestEnvironment,
  modules: readonly StaffingModule[],
): Promise<StaffingTest> {
  const { directory, config, log, version, recorder, traffic, clockFrom, end, ids, control, ready } =
    environment;
  const filling = await fillingOf(environment.seed);
  const clock = clockFrom(filling?.startOf(end) ?? end);
  const { admin_token, api_key }: Ready = ready ?? {};
  if (typeof api_key === 'string') ids.reserve(api_key.slice(0, -CHECKSUM));
  const settings = new Map([
    [accountsSettings.bootstrapEmail.key, PARTNER],
    ...config,
    ...(typeof admin_token === 'string' ? [[adminSettings.adminToken.key, admin_token] as const] : []),
    [webhooksSettings.allowPrivateWebhooks.key, 'on'],
  ]);
  const service = await openStaffingService(directory, settings, log, {
    ...{ version, recorder, traffic, modules, clock, ids },
    ...{ resolve: resolveToLoopback, loopbackOnly: true },
    demonstration: TEST_SERVICE,
    testing: testModule(control),
    // Retries are due at times that a test can know.
    random: () => 0.5,
  });
  environment.keep(['registry']);
  const { staffing, firstStart } = service;
  const opened: StaffingTest = {
    ...service,
    app: appByUrl(service.app),
    clock,
    deliveries: {
      dueAt: (after) => staffing.sender.dueAt(after),
      settle: () => staffing.sender.work(),
    },
    publish: async () => undefined,
    ready: { admin_token: firstStart.adminToken ?? admin_token, api_key: firstStart.apiKey },
    announcement: [
      ...TEST_ANNOUNCEMENT,
      `  Admin token  ${firstStart.adminToken ?? admin_token}`,
      `  API key      ${firstStart.apiKey}`,
    ],
  };
  try {
    await filling?.fill(opened, environment);
    return opened;
  } catch (error) {
    await service.close();
    throw error;
  }
}

/** Reads a seed; its code is loaded only then. @throws Failure (exit code 2) for a seed of another form */
async function fillingOf(seed: SeedFile | null) {
  if (seed === null) return null;
  const { StaffingFilling } = await import('../seed/filling.ts');
  return StaffingFilling.of(seed);
}
