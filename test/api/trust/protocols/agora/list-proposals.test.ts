import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { enrolledAgent } from '../../../../support/agent.ts';
import { type Agent, Negotiation, PROPOSALS } from '../../../../support/agora.ts';
import { holderOf } from '../../../../support/credits.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

let app: TrustApp;
let buyer: Agent;
let seller: Agent;
let bystander: Agent;

beforeAll(async () => {
  app = await openTrustApp();
  buyer = await enrolledAgent(app);
  seller = await enrolledAgent(app, { sponsor: app.otherId });
  bystander = await enrolledAgent(app);
});
afterAll(() => app.close());

const pathOf = ({ commitment }: Agent) => `${PROPOSALS}?commitment=${commitment}`;
const idsOf = (body: unknown): string[] =>
  Object(body).proposals.map(({ proposal_id }: Record<string, string>) => proposal_id);

describe('the list of the proposals of an agent', () => {
  test('has those that it made and received, newest first, with their newest step', async () => {
    const made = new Negotiation(app, buyer, seller);
    const received = new Negotiation(app, seller, buyer);
    await made.propose();
    await received.propose();
    const accepted = await made.step(seller, 'accept');
    const { status, body } = await app.own.get(pathOf(buyer));
    expect([status, idsOf(body), body.next_cursor]).toEqual([
      200,
      [received.proposalId, made.proposalId],
      null,
    ]);
    expect(Object(body).proposals[1]).toEqual({
      ...accepted.body,
      from_commitment: buyer.commitment,
      to_commitment: seller.commitment,
      steps: 2,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(idsOf((await app.other.get(pathOf(seller))).body)).toEqual(idsOf(body));
  });

  test('is empty for an agent without proposals', async () => {
    expect((await app.own.get(pathOf(bystander))).body).toEqual({ proposals: [], next_cursor: null });
  });

  test.each([
    ['a key of the sponsor reads it', () => app.own, 200],
    ['the holder key of the agent reads it', () => holderOf(app, buyer), 200],
    ['the holder key of another agent of the sponsor is refused', () => holderOf(app, bystander), 403],
    ['a key of another operator is refused', () => app.other, 403],
    ['a request without a key is refused', () => app.anyone, 401],
  ])('%s', async (_, callerOf, expected) => {
    expect((await (await callerOf()).get(pathOf(buyer))).status).toBe(expected);
  });

  test('follows the agent to its next sponsor', async () => {
    const moved = await enrolledAgent(app);
    const deal = new Negotiation(app, moved, seller);
    await deal.propose();
    const path = `/api/v1/passport/agents/${moved.commitment}/sponsor`;
    await app.own.call('PUT', path, { operator_id: app.otherId });
    expect((await app.own.get(pathOf(moved))).status).toBe(403);
    expect(idsOf((await app.other.get(pathOf(moved))).body)).toEqual([deal.proposalId]);
  });

  test.each([
    ['no agent', PROPOSALS, 400],
    ['a commitment that is none', `${PROPOSALS}?commitment=agent-7`, 400],
    ['an agent that never enrolled', `${PROPOSALS}?commitment=${'0'.repeat(64)}`, 404],
  ])('refuses %s', async (_, path, expected) => {
    expect((await app.own.get(path)).status).toBe(expected);
  });
});
