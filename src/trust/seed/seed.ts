import { apiClient } from '../../platform/demo/api-client.ts';
import type { KnownIds } from '../../platform/demo/known-ids.ts';
import type { LoadingClock } from '../../platform/test-service/loading-clock.ts';
import { Chronology } from '../../platform/test-service/seed/chronology.ts';
import type { Seed } from '../../platform/test-service/seed/read-seed.ts';
import type { TrustService } from '../service/service.ts';
import { addAgents } from './agents.ts';
import { addCredits } from './credits.ts';
import { addEngagements, checkEngagements } from './engagements.ts';
import { addEvidence } from './evidence.ts';
import { addApiKeys, addOperators, addStatuses } from './operators.ts';
import { addReceipts } from './receipts.ts';
import { Scene } from './scene.ts';
import type { TrustSeed } from './schema.ts';
import { addWebhooks } from './webhooks.ts';

/** An open service without data, and the secrets of its first start. */
export interface Seeded {
  service: Pick<TrustService, 'trust' | 'app'>;
  first: { operatorId: string; apiKey: string; serviceToken: string };
  ids: KnownIds;
}

/**
 * Fills a service with a seed, by requests to its API and acts of its administrator, in the order of time.
 */
export class TrustSeeding {
  private readonly chronology: Chronology;

  /**
   * @param end the start of the test clock, in milliseconds since 1970
   * @throws Failure for a seed that contradicts itself
   */
  constructor(seed: Seed<TrustSeed>, { service, first, ids }: Seeded, end: number) {
    this.chronology = new Chronology(seed, end);
    const scene = new Scene(seed, this.chronology, apiClient(service.app('/')), ids, service.trust, first);
    addOperators(scene);
    addAgents(scene);
    addApiKeys(scene);
    addCredits(scene);
    addEvidence(scene);
    addReceipts(scene);
    addEngagements(scene);
    checkEngagements(scene);
    addWebhooks(scene);
    addStatuses(scene);
  }

  /** Performs the seed up to the start of the test clock. @throws Failure for what the service refuses */
  perform(clock: LoadingClock): Promise<void> {
    return this.chronology.perform(clock);
  }
}
