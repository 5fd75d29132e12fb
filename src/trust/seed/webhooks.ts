import { derivedHex } from '../../platform/test-service/seed/names.ts';
import type { Scene } from './scene.ts';

/** Adds the webhooks of a seed. By default they are created last, and get only events of the test. */
export function addWebhooks(scene: Scene): void {
  const { chronology, seed, ask, ids } = scene;
  for (const [index, { id, operator, url, events, all, secret, at }] of (
    seed.content.webhooks ?? []
  ).entries()) {
    const path = ['webhooks', index];
    const name = id ?? `webhook ${index}`;
    const { apiKey } = scene.operator(operator, [...path, 'operator']);
    chronology.add(at ?? 'now', path, async () => {
      ids.reserve(
        `wh_${derivedHex('webhook', name).slice(0, 32)}`,
        secret ?? `whk_${derivedHex('webhook secret', name)}`,
        `whsec_${derivedHex('signing secret', name)}`,
      );
      await ask('POST /api/v1/webhooks', { key: apiKey, body: { url, events, all } });
    });
  }
}
