import { derivedHex } from '../../platform/test-service/seed/names.ts';
import { API, type Scene } from './scene.ts';

/** Adds the webhooks of a seed. By default they are set last, and get only events of the test. */
export function addWebhooks(scene: Scene): void {
  const { chronology, seed, ask, ids } = scene;
  for (const [index, entry] of (seed.content.webhooks ?? []).entries()) {
    const { partner, tier = 'sandbox', url, at = 'now' } = entry;
    const path = ['webhooks', index];
    const name = entry.id ?? `webhook ${index}`;
    const key = scene.keyOf(partner, tier, [...path, 'partner']);
    chronology.add(at, path, async () => {
      ids.reserve(
        `wh_${derivedHex('webhook', name).slice(0, 32)}`,
        `whsec_${derivedHex('signing secret', name)}`,
      );
      await ask(`PUT ${API}/webhook`, { key, body: { url } });
    });
  }
}
