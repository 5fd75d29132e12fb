import { expect } from 'bun:test';
import { client } from './client.ts';
import { journalOf, verifiedJournal } from './credit-journal.ts';
import { ENGAGEMENTS } from './engagements.ts';
import { expectedFigures, expectedTier } from './ledger-accounts.ts';
import type { LedgerModel } from './ledger-model.ts';
import type { World } from './ledger-world.ts';

/**
 * Verifies every journal of a simulation, and compares public figures, tiers, wallets and tasks with the
 * model. Each paid task has a receipt, which the entry of its worker names, and no other task has one.
 */
export async function mustAgree(world: World, model: LedgerModel): Promise<void> {
  const receipts = new Map<unknown, unknown>();
  for (const index of model.agents.keys()) await agentMustAgree(world, model, index, receipts);
  for (const id of model.tasks.keys()) await taskMustAgree(world, model, id, receipts);
  const paid = [...model.tasks.values()].filter(({ status }) => status === 'PAID');
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
  const balances = verifiedJournal(commitment, entries);
  const named = { promotional: 0, paid: 0, sandbox: 0, ...balances };
  expect([commitment, named]).toEqual([commitment, model.agent(index).available]);
  expect(verifiedJournal(commitment, await journalOf(anyone, commitment))).toEqual(balances);
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
  expect([id, receipts.has(id)]).toEqual([id, status === 'PAID']);
  expect([id, receipts.get(id) ?? null]).toEqual([id, body.receipt_id ?? null]);
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
