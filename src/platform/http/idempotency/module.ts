import type { Migration } from '../../store/migrations/schema.ts';
import type { Store } from '../../store/store.ts';
import type { Clock } from '../../time/clock.ts';

/** The services that the module uses. */
export interface IdempotencyServices {
  store: Pick<Store, 'writeAsService'>;
  clock: Clock;
}

/**
 * Returns the module of the first responses to requests with an Idempotency-Key, which deletes the old ones.
 * @param migrations the service's migrations that create the table `idempotency`
 * @param servicesOf returns the store and the clock of the running service
 */
export function idempotencyModule<Running>(
  migrations: readonly Migration[],
  servicesOf: (running: Running) => IdempotencyServices,
) {
  return {
    name: 'idempotency',
    migrations,
    async server() {
      const { deleteOldResponses } = await import('./service.ts');
      const tasks = (running: Running) => {
        const { store, clock } = servicesOf(running);
        return [
          {
            name: 'forget old answers',
            everyMs: 600_000,
            waitsForClock: true,
            run: () => deleteOldResponses(store, clock),
          },
        ];
      };
      return { server: { tasks } };
    },
  };
}
