import { derivedHex } from '../../platform/test-service/seed/names.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { anchorBy, signed } from '../demo/agents.ts';
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

/** The statuses of an engagement that was delivered, whatever became of it. */
const DELIVERED: readonly Entry['status'][] = ['DELIVERED', 'DISPUTED', 'PAID', 'RESOLVED'];
const DISPUTED: readonly Entry['status'][] = ['DISPUTED', 'RESOLVED'];

function addEngagement(scene: Scene, entry: Entry, path: readonly (string | number)[]): void {
  const { chronology, seed, ask, serviceToken } = scene;
  const { task_id, amount, description, deadline, delivery, status = 'HELD', at = 'now' } = entry;
  const hirer = scene.agent(entry.hirer, [...path, 'hirer']);
  const worker = scene.agent(entry.worker, [...path, 'worker']);
  const keys = { hirer: scene.keyFor(entry.hirer, path), worker: scene.keyFor(entry.worker, path) };
  requireDecision(scene, entry, path);
  const delivered = entry.delivered ?? (DELIVERED.includes(status) ? at : undefined);
  const disputed = entry.disputed ?? (DISPUTED.includes(status) ? (delivered ?? at) : undefined);
  for (const member of ['delivered', 'disputed', 'ended'] as const) {
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
    ...(delivery === undefined ? {} : { delivery }),
    ...(deadline === undefined
      ? {}
      : { deadline: timestampOf(chronology.time(deadline, [...path, 'deadline'])) }),
  };
  const name = `/api/v1/passport/engagements/${encodeURIComponent(task_id)}`;
  const line = `POST ${name}`;
  chronology.add(at, path, async () => {
    await ask('POST /api/v1/passport/engagements', { key: keys.hirer, body });
  });
  if (delivered !== undefined) {
    chronology.add(delivered, path, async () => {
      const payload = { task_id, deliverable_digest: derivedHex('deliverable', task_id) };
      if (delivery === 'worker') {
        const { engagement } = await ask(`GET ${name}`, { key: keys.worker });
        const terms_digest = String(Object(engagement).terms_digest);
        const delivering = { ...payload, terms_digest };
        await ask(`${line}/deliver`, {
          body: { payload: delivering, signature: signed(worker, delivering) },
        });
        return;
      }
      const senders = { key: keys.worker, serviceToken };
      await anchorBy(ask, senders, worker, 'task_deliverable', payload);
    });
  }
  if (disputed !== undefined) {
    chronology.add(disputed, path, async () => {
      const reason = entry.dispute_reason ?? 'The delivery is not what was agreed.';
      await ask(`${line}/dispute`, { key: keys.hirer, body: { reason } });
    });
  }
  const ended = entry.ended ?? disputed ?? delivered ?? at;
  const reserve = (what: 'payment' | 'return') =>
    scene.ids.reserve(`rcpt_${derivedHex(what, task_id).slice(0, 32)}`);
  const isPaidByTime = entry.ended === undefined && (entry.delivered ?? entry.disputed) !== undefined;
  if (status === 'PAID' && !isPaidByTime) {
    chronology.add(ended, path, async () => {
      reserve('payment');
      await ask(`${line}/accept`, { key: keys.hirer });
    });
  }
  const expiry = deadline === undefined ? null : chronology.time(deadline, [...path, 'deadline']);
  // The service ends it at its deadline by itself, so the id of the receipt is known a moment before.
  if (status === 'EXPIRED' && expiry !== null && expiry <= chronology.time('now', path))
    chronology.add(timestampOf(expiry - 1), path, async () => reserve('return'));
  if (status === 'CANCELLED') {
    const [act, key] = delivered === undefined ? ['cancel', keys.hirer] : ['refund', keys.worker];
    chronology.add(ended, path, async () => {
      reserve('return');
      await ask(`${line}/${act}`, { key });
    });
  }
  if (status === 'DECLINED') {
    chronology.add(ended, path, async () => {
      reserve('return');
      await ask(`${line}/decline`, { key: keys.worker });
    });
  }
  if (status === 'RESOLVED') {
    const { worker_amount = 0, note = 'Decided by the administrator.' } = entry;
    chronology.add(ended, path, async () => {
      if (worker_amount > 0) reserve('payment');
      if (worker_amount < amount) reserve('return');
      await ask(`${line}/resolve`, {
        key: scene.operator(undefined, path).apiKey,
        body: { worker_amount, note },
      });
    });
  }
}

/** @throws Failure for a decision without its amount, and for the members of a decision without one */
function requireDecision({ seed }: Scene, entry: Entry, path: readonly (string | number)[]): void {
  const { status, worker_amount, note, dispute_reason, disputed } = entry;
  if (status === 'RESOLVED') {
    if (worker_amount === undefined)
      throw seed.problemAt(path, 'is RESOLVED without `worker_amount`: the credits that its worker gets');
  } else if (worker_amount !== undefined || note !== undefined) {
    throw seed.problemAt(path, 'has `worker_amount` or `note`, which only a RESOLVED one has');
  }
  if (dispute_reason !== undefined && disputed === undefined && !DISPUTED.includes(status))
    throw seed.problemAt(path, 'has `dispute_reason`, but nothing disputes it: set `disputed`');
}
