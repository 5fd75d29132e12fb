import type {
  RunningTestService,
  SeedFile,
  TestEnvironment,
} from '../../platform/test-service/definition.ts';
import { loadingClock } from '../../platform/test-service/loading-clock.ts';
import { parseSeed, type Seed } from '../../platform/test-service/seed/read-seed.ts';
import { earliestTime } from '../../platform/test-service/seed/times.ts';
import type { StaffingService } from '../service/service.ts';
import { StaffingSeed } from './schema.ts';
import { StaffingSeeding } from './seed.ts';

/** The seed of a test service, which fills each of its installations. */
export class StaffingFilling {
  /** The parsed seeds: each installation of a test service begins with the same one. */
  private static readonly known = new WeakMap<SeedFile, StaffingFilling>();

  private constructor(private readonly seed: Seed<StaffingSeed>) {}

  /** Parses a seed, once. @throws Failure (exit code 2) for a seed of another form */
  static of(file: SeedFile): StaffingFilling {
    const filling =
      StaffingFilling.known.get(file) ?? new StaffingFilling(parseSeed(file.path, file.text, StaffingSeed));
    StaffingFilling.known.set(file, filling);
    return filling;
  }

  /** Returns where the clock of an installation begins. @param end the start of the test clock */
  startOf(end: number): number {
    return earliestTime(StaffingSeed, this.seed.content, end);
  }

  /** Fills an installation. @throws Failure for what the service refuses */
  async fill(
    service: RunningTestService & Pick<StaffingService, 'staffing'>,
    environment: TestEnvironment,
  ): Promise<void> {
    const { ids, end } = environment;
    const clock = await loadingClock(service, environment);
    const { admin_token, api_key } = service.ready;
    const first = {
      adminToken: String(admin_token),
      apiKey: typeof api_key === 'string' ? api_key : null,
    };
    await new StaffingSeeding(this.seed, { service, first, ids }, end).perform(clock);
  }
}
