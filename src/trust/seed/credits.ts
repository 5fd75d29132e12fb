import type { Scene } from './scene.ts';

/** Adds the credits that operators grant to agents, and those that agents transfer to each other. */
export function addCredits(scene: Scene): void {
  const { chronology, seed, ask } = scene;
  for (const [index, { to, amount, operator, memo, at }] of (seed.content.grants ?? []).entries()) {
    const path = ['grants', index];
    const { commitment } = scene.agent(to, [...path, 'to']);
    const { apiKey } = scene.operator(operator, [...path, 'operator']);
    chronology.add(at, path, async () => {
      const body = { subject_commitment: commitment, amount, memo };
      await ask('POST /api/v1/passport/credits/grants', { key: apiKey, body });
    });
  }
  for (const [index, { from, to, amount, kind, memo, at }] of (seed.content.transfers ?? []).entries()) {
    const path = ['transfers', index];
    const body = {
      from_commitment: scene.agent(from, [...path, 'from']).commitment,
      to_commitment: scene.agent(to, [...path, 'to']).commitment,
      amount,
      kind,
      memo,
    };
    chronology.add(at ?? 'now', path, async () => {
      await ask('POST /api/v1/passport/credits/transfers', { key: scene.keyFor(from, path), body });
    });
  }
}
