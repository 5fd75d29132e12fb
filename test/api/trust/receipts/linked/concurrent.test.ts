import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { AccountEntry } from '../../../../../src/proof/log/log-entry.ts';
import { audited } from '../../../../support/audit.ts';
import { concurrently } from '../../../../support/client.ts';
import { accountEntries, link, sequenceProblems } from '../../../../support/linked.ts';
import { SUCCESS } from '../../../../support/log.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(() => app.close());

/** What is wrong with the order of the events of each account and each receipt. */
function orderProblems(entries: readonly AccountEntry[]): string[] {
  const problems: string[] = [];
  const linked = new Map<string, boolean>();
  const events = new Map<string, string[]>();
  for (const { account, event, receipt_id } of entries) {
    if ((linked.get(account) ?? false) === (event === 'linked')) problems.push(`${event} of ${account}`);
    linked.set(account, event !== 'unlinked');
    if (receipt_id !== null) events.set(receipt_id, [...(events.get(receipt_id) ?? []), event]);
  }
  for (const [id, order] of events)
    if (!/^(issued)?,?(finalized)?,?(revoked)?$/.test(order.join(','))) problems.push(`${order} of ${id}`);
  return problems;
}

const ACTS = ['link', 'unlink', 'issue', 'issue', 'issue', 'finalize', 'finalize', 'revoke'] as const;

test('any interleaving of concurrent acts gives dense sequences, leaves only while linked, and an audit without problems', async () => {
  const callers = [app.own, app.other];
  const act = fc.record({
    who: fc.nat(1),
    agent: fc.constantFrom('a', 'b', 'c', 'd'),
    what: fc.constantFrom(...ACTS),
    which: fc.nat(1000),
  });
  const acts = fc.array(act, { minLength: 20, maxLength: 120 });
  await fc.assert(
    fc.asyncProperty(acts, fc.integer({ min: 2, max: 64 }), async (list, width) => {
      const known: unknown[][] = [[], []];
      const changed = { linked: 0, issued: 0 };
      const { length } = await accountEntries(app);
      const statuses = await concurrently(list, width, async ({ who, agent, what, which }) => {
        const caller = callers[who] ?? app.own;
        const receipts = known[who] ?? [];
        if (what === 'link' || what === 'unlink') {
          changed.linked++;
          return (await link(caller, what === 'link')).status;
        }
        const id = receipts[which % Math.max(1, receipts.length)];
        if (what === 'issue' || id === undefined) {
          changed.issued++;
          const { status, body } = await caller.issue({ agent_id: agent });
          receipts.push(body.receipt_id);
          return status;
        }
        return (what === 'finalize' ? await caller.finalize(id, SUCCESS) : await caller.revoke(id)).status;
      });
      expect(statuses.filter((status) => ![200, 201, 409].includes(status))).toEqual([]);
      const entries = await accountEntries(app, length);
      expect(entries.filter(({ event }) => event.endsWith('linked')).length).toBeLessThanOrEqual(
        changed.linked,
      );
      expect(entries.filter(({ event }) => event === 'issued').length).toBeLessThanOrEqual(changed.issued);
    }),
    { numRuns: 25 },
  );
  const entries = await accountEntries(app);
  expect(entries.length).toBeGreaterThan(100);
  expect(sequenceProblems(entries)).toEqual([]);
  expect(orderProblems(entries)).toEqual([]);
  expect((await audited(app.directory)).reported).toEqual([]);
});

test('acts that fail beside others leave no gap', async () => {
  for (const caller of [app.own, app.other]) await link(caller);
  const { length } = await accountEntries(app);
  const answers = await Promise.all(
    Array.from({ length: 90 }, (_, at) =>
      // A third names a receipt that does not exist: its unit is rolled back among others of the same
      // transaction.
      app.own.issue(at % 3 === 0 ? { prev_receipt_hash: 'ab'.repeat(32) } : { agent_id: `agent-${at % 5}` }),
    ),
  );
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(30);
  const entries = await accountEntries(app);
  expect(entries.length - length).toBe(60);
  expect(sequenceProblems(entries)).toEqual([]);
});
