import { apiClient } from '../../platform/demo/api-client.ts';
import type { KnownIds } from '../../platform/demo/known-ids.ts';
import type { LoadingClock } from '../../platform/test-service/loading-clock.ts';
import { Chronology } from '../../platform/test-service/seed/chronology.ts';
import type { Seed } from '../../platform/test-service/seed/read-seed.ts';
import type { StaffingService } from '../service/service.ts';
import { addClinicians, addSuppressions } from './clinicians.ts';
import { addPartners } from './partners.ts';
import { addRequisitions } from './requisitions.ts';
import { type FirstSecrets, Scene } from './scene.ts';
import type { StaffingSeed } from './schema.ts';
import { addWebhooks } from './webhooks.ts';

/** An open service without data but its registry, and the secrets of its first start. */
export interface Seeded {
  service: Pick<StaffingService, 'staffing' | 'app'>;
  first: FirstSecrets;
  ids: KnownIds;
}

/**
 * Fills a service with a seed, by requests to its API and acts of its administrator, in the order of time.
 */
export class StaffingSeeding {
  private readonly chronology: Chronology;

  /**
   * @param end the start of the test clock, in milliseconds since 1970
   * @throws Failure for a seed that contradicts itself
   */
  constructor(seed: Seed<StaffingSeed>, { service, first, ids }: Seeded, end: number) {
    this.chronology = new Chronology(seed, end);
    const ask = apiClient(service.app('/'));
    const scene = new Scene(seed, this.chronology, ask, ids, service.staffing, first);
    addClinicians(scene);
    addPartners(scene);
    addRequisitions(scene);
    addSuppressions(scene);
    addWebhooks(scene);
  }

  /** Performs the seed up to the start of the test clock. @throws Failure for what the service refuses */
  perform(clock: LoadingClock): Promise<void> {
    return this.chronology.perform(clock);
  }
}
