import { afterEach, beforeEach, expect, test } from 'bun:test';
import { audited } from '../../../../support/audit.ts';
import { BackedUpDirectory } from '../../../../support/backed-up-directory.ts';
import { creditedAgent } from '../../../../support/credits.ts';
import { ACP, DELIVERABLE, ENGAGEMENTS, marketOf, SERVICE_TOKEN } from '../../../../support/engagements.ts';

let directory: BackedUpDirectory;

beforeEach(() => {
  directory = new BackedUpDirectory({ service_token: SERVICE_TOKEN });
});
afterEach(() => directory.dispose());

test('an engagement whose delivery and payment a restored backup lacks is delivered by the same evidence and paid once', async () => {
  const { hirer, worker, task } = await directory.served(async (app) => {
    const hirer = await creditedAgent(app, { credits: { promotional: 100 } });
    const worker = await creditedAgent(app);
    const task = await marketOf(app).hire(hirer, worker);
    await app.service.trust.log.publisher.publish();
    return { hirer, worker, task };
  });
  directory.backUp();
  const lost = await directory.served(async (app) => {
    const evidence_event_hash = await marketOf(app).deliver(worker, task);
    const { status, body } = await app.own.post(`${ENGAGEMENTS}/${task}/accept`);
    expect(status).toBe(200);
    return { evidence_event_hash, receipt_id: body.receipt_id };
  });
  await directory.recovered();
  await directory.served(async (app) => {
    const { read, deliver, figures } = marketOf(app);
    expect(await read(task)).toMatchObject({ status: 'HELD', receipt_id: null });
    const { evidence_event_hash } = lost;
    // The log has only the hash of the evidence, so nobody can see what it says.
    const named = { deliverable_digest: DELIVERABLE, evidence_event_hash };
    expect((await app.anyone.post(`${ACP}/${task}/deliver`, named)).status).toBe(400);
    expect(await deliver(worker, task)).toBe(evidence_event_hash);
    expect(await read(task)).toMatchObject({ status: 'DELIVERED', evidence_event_hash });
    const { status, body } = await app.own.post(`${ENGAGEMENTS}/${task}/accept`);
    expect([status, body.receipt_id === lost.receipt_id]).toEqual([200, false]);
    expect((await figures(worker)).promotional.earned).toBe(10);
    expect((await figures(hirer)).promotional).toMatchObject({ spent: 10, locked: 0 });
  });
  expect((await audited(directory.path)).reported).toEqual([]);
});
