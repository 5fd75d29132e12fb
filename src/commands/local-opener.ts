import type { OpenLocal } from '../tools/capture/services.ts';
import type { Services } from './services.ts';

/** Returns what opens the services of --local. Their code is loaded with the first one. */
export function localOpener(services: () => Promise<Services>): OpenLocal {
  return async (directory) => {
    const [{ openLocalService }, loaded] = await Promise.all([import('./local-service.ts'), services()]);
    const definition = loaded.named('trust');
    return openLocalService(definition, loaded.environmentOf(definition), directory);
  };
}
