import type { RunningService, ServiceEnvironment } from '../service-definition.ts';
import type { TestableService } from './definition.ts';
import { TestHost, type TestOptions } from './host.ts';
import { whenParentEnds } from './parent.ts';

/** The time that a service without parent has to end, in milliseconds. */
const END_MS = 2000;

/**
 * Opens a test service in an empty directory that this process has locked. It ends the process when its
 * parent has ended, and when a reset fails.
 */
export async function openTestService(
  definition: TestableService,
  environment: ServiceEnvironment,
  options: TestOptions,
): Promise<RunningService> {
  const { log } = environment;
  const host = new TestHost(definition, environment, options, (err) => {
    log.fatal({ err }, 'the test service could not be reset');
    process.exit(1);
  });
  const service = await host.open();
  const stopLooking = whenParentEnds(() => {
    log.info('the process that started this test service has ended');
    setTimeout(() => process.exit(0), END_MS);
    process.kill(process.pid, 'SIGTERM');
  });
  return {
    ...service,
    async close() {
      stopLooking();
      await service.close();
    },
  };
}
