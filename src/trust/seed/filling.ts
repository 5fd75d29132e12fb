import type {
  RunningTestService,
  SeedFile,
  TestEnvironment,
} from '../../platform/test-service/definition.ts';
import { loadingClock } from '../../platform/test-service/loading-clock.ts';
import { parseSeed, type Seed } from '../../platform/test-service/seed/read-seed.ts';
import { earliestTime } from '../../platform/test-service/seed/times.ts';
import type { TrustService } from '../service/service.ts';
import { TrustSeed } from './schema.ts';
import { TrustSeeding } from './seed.ts';

/** The seed of a test service, which fills each of its installations. */
export class TrustFilling {
  /** The parsed seeds: each installation of a test service begins with the same one. */
  private static readonly known = new WeakMap<SeedFile, TrustFilling>();

  private constructor(private readonly seed: Seed<TrustSeed>) {}

  /** Parses a seed, once. @throws Failure (exit code 2) for a seed of another form */
  static of(file: SeedFile): TrustFilling {
    const filling =
      TrustFilling.known.get(file) ?? new TrustFilling(parseSeed(file.path, file.text, TrustSeed));
    TrustFilling.known.set(file, filling);
    return filling;
  }

  /** Returns where the clock of an installation begins. @param end the start of the test clock */
  startOf(end: number): number {
    return earliestTime(TrustSeed, this.seed.content, end);
  }

  /** Fills an installation, and publishes its logs. @throws Failure for what the service refuses */
  async fill(
    service: RunningTestService & Pick<TrustService, 'trust' | 'firstStart'>,
    environment: TestEnvironment,
  ): Promise<void> {
    const { ids, end } = environment;
    const clock = await loadingClock(service, environment);
    const { operatorId, apiKey, serviceToken } = service.firstStart;
    if (apiKey === null || serviceToken === null) throw new Error('a test service has no key of its own');
    const first = { operatorId, apiKey, serviceToken };
    await new TrustSeeding(this.seed, { service, first, ids }, end).perform(clock);
    await service.publish();
  }
}
