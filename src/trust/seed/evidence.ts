import { parseJson } from '../../proof/encoding/json.ts';
import type { SentType } from '../../proof/evidence/source-types.ts';
import { anchorBy } from '../demo/agents.ts';
import type { Scene } from './scene.ts';

/** Adds the evidence of a seed, which the agents sign. */
export function addEvidence(scene: Scene): void {
  const { chronology, seed, ask, serviceToken } = scene;
  for (const [index, item] of (seed.content.evidence ?? []).entries()) {
    const path = ['evidence', index];
    const agent = scene.agent(item.agent, [...path, 'agent']);
    const sender = item.operator;
    const key =
      sender === undefined
        ? scene.keyFor(item.agent, path)
        : scene.operator(sender, [...path, 'operator']).apiKey;
    const sourceType: SentType = item.source_type;
    const payload = parseJson(JSON.stringify(item.payload));
    chronology.add(item.at ?? 'now', path, async () => {
      await anchorBy(ask, { key, serviceToken }, agent, sourceType, Object(payload));
    });
  }
}
