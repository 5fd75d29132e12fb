import { enroll } from '../demo/agents.ts';
import type { Scene } from './scene.ts';

/** Adds the agents of a seed: they enroll, and may be revoked. */
export function addAgents(scene: Scene): void {
  const { chronology, seed, ask } = scene;
  const commitments = new Set<string>();
  for (const [label, entry] of Object.entries(seed.content.agents ?? {})) {
    const path = ['agents', label];
    const { operator, at, revoked, revocation_reason: reason } = entry;
    const agent = scene.agent(label, path);
    if (commitments.has(agent.commitment))
      throw seed.problemAt([...path, 'seed'], 'is the key of another agent of the seed');
    commitments.add(agent.commitment);
    const key = operator === null ? undefined : scene.operator(operator, [...path, 'operator']).apiKey;
    chronology.add(at, path, () => enroll(ask, agent, key));
    if (revoked === undefined) continue;
    chronology.add(revoked, [...path, 'revoked'], async () => {
      const caller = { key: scene.keyFor(label, path), body: { reason } };
      await ask(`POST /api/v1/passport/agents/${agent.commitment}/revoke`, caller);
    });
  }
}
