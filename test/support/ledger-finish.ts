import { expect } from 'bun:test';
import { client } from './client.ts';
import { journalOf, poolJournalOf, verifiedJournal } from './credit-journal.ts';
import { ENGAGEMENTS } from './engagements.ts';
import { expectedFigures, expectedTier } from './ledger-accounts.ts';
import { isPaid, type LedgerModel } from './ledger-model.ts';
import { CLASSES } from './ledger-portions.ts';
import type { World } from './ledger-world.ts';

/**
 * Verifies every journal of a simulation, and compares public figures, tiers, wallets and tasks with the
 * model. Each task that ended has a receipt, and each paid one that which the entry of its worker names.
 */
export async function mustAgree(world: World, model: LedgerModel): Promise<void> {
  const receipts = new Map<unknown, unknown>();
  for (const index of model.agents.keys()) await agentMustAgree(world, model, index, receipts);
  for (const index of model.operators.keys()) await poolMustAgree(world, model, index);
  for (const id of model.tasks.keys()) await taskMustAgree(world, model, id, receipts);
  const paid = [...model.tasks.values()].filter(isPaid);
  expect(new Set(receipts.values()).size).toBe(paid.length);
}

async function agentMustAgree(
  world: World,
  model: LedgerModel,
  index: number,
  receipts: Map<unknown, unknown>,
): Promise<void> {
  const { own, anyone } = world.app;
  const commitment = world.participants.agents[index]?.commitment ?? '';
  const entries = await journalOf(own, commitment);
  for (const { kind, reference, receipt_id } of entries)
    if (kind === 'ESCROW_RELEASE') receipts.set(reference, receipt_id);
  const sums = verifiedJournal(commitment, entries);
  for (const name of CLASSES) {
    const { granted, earned, spent, locked, available } = model.agent(index);
    const expected = {
      granted: granted[name],
      earned: earned[name],
      spent: spent[name],
      locked: locked[name],
      available: available[name],
    };
    const none = { granted: 0, earned: 0, spent: 0, locked: 0, available: 0 };
    expect([commitment, name, sums[name] ?? none]).toEqual([commitment, name, expected]);
  }
  expect(verifiedJournal(commitment, await journalOf(anyone, commitment))).toEqual(sums);
  const path = `/api/v1/passport/agents/${commitment}`;
  const { tier, evaluation_reason } = (await anyone.get(`${path}/access-tier`)).body;
  expect([commitment, tier, evaluation_reason]).toEqual([commitment, ...expectedTier(model, index)]);
  const { subject_commitment: _, ...figures } = (await anyone.get(`${path}/credits`)).body;
  expect(figures).toEqual(expectedFigures(model, index));
  const reader = readerFor(world, model, index);
  if (reader === null) return;
  const { body } = await reader.get(`/api/v1/agent-pay/wallet?subject_commitment=${commitment}`);
  const held = heldOf(model, index);
  expect([commitment, body.withdrawable, body.held]).toEqual([commitment, model.withdrawable(index), held]);
}

/** A closed operator has no key, and its pool is empty. */
async function poolMustAgree({ app, participants }: World, model: LedgerModel, index: number): Promise<void> {
  const { isClosed, pool } = model.operator(index);
  if (isClosed) return;
  const reader = client(app.fetch, 'http://localhost', participants.issuerKeys[index] ?? null);
  const operatorId = String((await reader.get('/api/v1/operator/status')).body.operator_id);
  const sums = verifiedJournal(operatorId, await poolJournalOf(reader));
  for (const name of CLASSES)
    expect([operatorId, name, sums[name]?.available ?? 0]).toEqual([operatorId, name, pool[name]]);
}

async function taskMustAgree(
  world: World,
  model: LedgerModel,
  id: string,
  receipts: ReadonlyMap<unknown, unknown>,
): Promise<void> {
  const { status, digest, hirer, deadline, acceptBy } = model.task(id);
  const { body } = await world.app.anyone.get(`/api/v1/acp/task/${id}`);
  const statuses = status === 'EXPIRED' ? ['expired', 'cancelled'] : [status.toLowerCase()];
  expect(statuses).toContain(String(body.status));
  expect([id, receipts.has(id)]).toEqual([id, isPaid(model.task(id))]);
  if (isPaid(model.task(id))) expect([id, receipts.get(id)]).toEqual([id, body.receipt_id]);
  const isOpen = ['held', 'delivered', 'disputed'].includes(String(body.status));
  expect([id, body.receipt_id === null]).toEqual([id, isOpen]);
  if (status === 'PAID' || status === 'DELIVERED') expect(body.deliverable_digest).toBe(digest);
  const reader = readerFor(world, model, hirer);
  if (reader === null || (status !== 'HELD' && status !== 'DELIVERED')) return;
  const { engagement } = (await reader.get(`${ENGAGEMENTS}/${id}`)).body;
  const shown = Object(engagement);
  const since = model.stillSince(hirer);
  expect([id, shown.stands_still_since ?? null]).toEqual([id, textOf(since)]);
  // The times of one that stands still move when it goes on.
  if (since !== null) return;
  expect([id, shown.deadline ?? null, shown.accept_by ?? null]).toEqual([
    id,
    textOf(deadline),
    textOf(acceptBy),
  ]);
}

const textOf = (time: number | null) => (time === null ? null : new Date(time).toISOString());

/** Returns a client that may read what belongs to an agent; null if its sponsor is not active. */
function readerFor({ app, participants }: World, model: LedgerModel, index: number) {
  const { sponsor } = model.agent(index);
  const operator = sponsor ?? 0;
  if (!model.operator(operator).isActive) return null;
  return client(app.fetch, 'http://localhost', participants.issuerKeys[operator] ?? null);
}

/** Returns what an agent cannot withdraw yet, as its wallet lists it. */
function heldOf(model: LedgerModel, index: number): { amount: number; until: string }[] {
  const held = new Map<number, number>();
  for (const { maturesAt, amount } of model.lots.of(model.creditsOf(index), 'paid'))
    if (maturesAt > model.now()) held.set(maturesAt, (held.get(maturesAt) ?? 0) + amount);
  return [...held].map(([time, amount]) => ({ amount, until: new Date(time).toISOString() }));
}
