import { derivedHex } from '../../platform/test-service/seed/names.ts';
import { anchorBy } from '../demo/agents.ts';
import type { Scene } from './scene.ts';
import type { EntryOf } from './schema.ts';

type Entry = EntryOf<'engagements'>;

/** Adds the engagements of a seed: one agent hires another, which may deliver and be paid. */
export function addEngagements(scene: Scene): void {
  for (const [index, entry] of (scene.seed.content.engagements ?? []).entries())
    addEngagement(scene, entry, ['engagements', index]);
}

/**
 * Adds checks that the engagements are at the end what the seed says. The service pays, cancels and ends them
 * by itself when they are due.
 */
export function checkEngagements(scene: Scene): void {
  const { chronology, seed, ask } = scene;
  for (const [index, { task_id, hirer, status = 'HELD' }] of (seed.content.engagements ?? []).entries()) {
    const path = ['engagements', index];
    const line = `GET /api/v1/passport/engagements/${encodeURIComponent(task_id)}`;
    chronology.add('now', path, async () => {
      const { engagement } = await ask(line, { key: scene.keyFor(hirer, path) });
      const found = Object(engagement);
      if (found.status === status) return;
      throw seed.problemAt(path, `is ${found.status} since ${found.updated_at}, so it cannot be ${status}`);
    });
  }
}

function addEngagement(scene: Scene, entry: Entry, path: readonly (string | number)[]): void {
  const { chronology, seed, ask, serviceToken } = scene;
  const { task_id, amount, description, deadline, status = 'HELD', at = 'now' } = entry;
  const hirer = scene.agent(entry.hirer, [...path, 'hirer']);
  const worker = scene.agent(entry.worker, [...path, 'worker']);
  const keys = { hirer: scene.keyFor(entry.hirer, path), worker: scene.keyFor(entry.worker, path) };
  const delivered = entry.delivered ?? (status === 'DELIVERED' || status === 'PAID' ? at : undefined);
  for (const member of ['delivered', 'ended'] as const) {
    const time = entry[member];
    if (time === undefined) continue;
    if (chronology.time(time, [...path, member]) < chronology.time(at, [...path, 'at']))
      throw seed.problemAt(path, `is ${member} before it begins: its time \`at\` is ${at}`);
  }
  const body = {
    task_id,
    hirer_commitment: hirer.commitment,
    worker_commitment: worker.commitment,
    amount,
    description,
    ...(deadline === undefined
      ? {}
      : { deadline: new Date(chronology.time(deadline, [...path, 'deadline'])).toISOString() }),
  };
  const line = `POST /api/v1/passport/engagements/${encodeURIComponent(task_id)}`;
  chronology.add(at, path, async () => {
    await ask('POST /api/v1/passport/engagements', { key: keys.hirer, body });
  });
  if (delivered !== undefined) {
    chronology.add(delivered, path, async () => {
      const payload = { task_id, deliverable_digest: derivedHex('deliverable', task_id) };
      const senders = { key: keys.worker, serviceToken };
      await anchorBy(ask, senders, worker, 'task_deliverable', payload);
    });
  }
  // An acceptance, unless the service pays by itself when it is due.
  if (status === 'PAID' && (entry.ended !== undefined || entry.delivered === undefined)) {
    chronology.add(entry.ended ?? at, path, async () => {
      scene.ids.reserve(`rcpt_${derivedHex('payment', task_id).slice(0, 32)}`);
      await ask(`${line}/accept`, { key: keys.hirer });
    });
  }
  if (status === 'CANCELLED') {
    const [act, key] = delivered === undefined ? ['cancel', keys.hirer] : ['refund', keys.worker];
    chronology.add(entry.ended ?? delivered ?? at, path, async () => {
      await ask(`${line}/${act}`, { key });
    });
  }
}
