import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { sha256Hex } from '../../../../../src/platform/crypto/crypto.ts';
import { type AccountEntry, NO_RECEIPT } from '../../../../../src/proof/log/log-entry.ts';
import { recoverAccountsLeafIn } from '../../../../../src/trust/receipts/linked/log/recovery.ts';
import { audited } from '../../../../support/audit.ts';
import { BackedUpDirectory } from '../../../../support/backed-up-directory.ts';
import { accountEntries, LINKED, link, sequenceProblems } from '../../../../support/linked.ts';
import { finalized, SUCCESS } from '../../../../support/log.ts';
import type { TrustApp } from '../../../../support/trust-app.ts';

let directory: BackedUpDirectory;
beforeEach(() => {
  directory = new BackedUpDirectory();
});
afterEach(() => directory.dispose());

const publish = (app: TrustApp) => app.service.trust.log.publisher.publish();
const problems = async () => (await audited(directory.path)).reported;

test('acts that a backup lacks are recovered from a copy, and the sequences continue', async () => {
  const pending = await directory.served(async (app) => {
    await link(app.own);
    const { body } = await app.own.issue({ agent_id: 'a' });
    await finalized(app.own, { agent_id: 'b' });
    await publish(app);
    return body.receipt_id;
  });
  directory.backUp();
  const { before, lost } = await directory.served(async (app) => {
    await app.own.finalize(pending, SUCCESS);
    const receipt = await finalized(app.own, { agent_id: 'c' });
    await app.own.revoke(receipt.receipt_id);
    await publish(app);
    return { before: await accountEntries(app), lost: receipt.receipt_id };
  });
  const { accounts } = await directory.recovered();
  expect(accounts).toMatchObject({ tree_size: before.length, recovered: 4 });
  expect(accounts.not_recovered).toEqual([`the receipt ${lost}`]);
  await directory.served(async (app) => {
    expect(await accountEntries(app)).toEqual(before);
    await finalized(app.own, { agent_id: 'a' });
    await link(app.own, false);
    const entries = await accountEntries(app);
    expect(entries.slice(before.length).map(({ event }) => event)).toEqual([
      'issued',
      'finalized',
      'unlinked',
    ]);
    expect(sequenceProblems(entries)).toEqual([]);
  });
  expect(await problems()).toEqual([]);
});

test('an account that was linked, unlinked and linked again after the backup is linked, and fsck finds no gap', async () => {
  const pending = await directory.served(async (app) => {
    const { body } = await app.own.issue();
    await publish(app);
    return body.receipt_id;
  });
  directory.backUp();
  const before = await directory.served(async (app) => {
    await link(app.own);
    await link(app.own, false);
    await app.own.finalize(pending, SUCCESS);
    await link(app.own);
    await finalized(app.own);
    await publish(app);
    return accountEntries(app);
  });
  expect((await directory.recovered()).accounts).toMatchObject({ recovered: 5 });
  await directory.served(async (app) => {
    const { body } = await app.own.call('PUT', LINKED, { linked: true });
    expect(body).toMatchObject({ linked: true, sequence: 5 });
    await finalized(app.own);
    expect((await accountEntries(app)).slice(0, 5)).toEqual(before);
    expect(await accountEntries(app)).toHaveLength(7);
  });
  expect(await problems()).toEqual([]);
});

test('acts that were published a moment before their leaves get these when they are recovered', async () => {
  const ids = await directory.served(async (app) => {
    const unlinked = await app.own.issue();
    await link(app.own);
    const { body } = await app.own.issue();
    const final = await finalized(app.own);
    await publish(app);
    return { unlinked: unlinked.body.receipt_id, pending: body.receipt_id, final: final.receipt_id };
  });
  directory.backUp();
  const { published, all } = await directory.served(async (app) => {
    await app.own.revoke(ids.final);
    await publish(app);
    const response = await app.fetch(new Request('http://localhost/log/accounts/checkpoint'));
    const published = { note: await response.bytes(), leaves: await accountEntries(app) };
    await app.own.finalize(ids.pending, SUCCESS);
    await app.own.finalize(ids.unlinked, SUCCESS);
    await app.own.revoke(ids.pending);
    return { published, all: await accountEntries(app) };
  });
  expect(published.leaves).toHaveLength(5);
  expect(all).toHaveLength(8);
  const { accounts } = await directory.recovered(published.note);
  expect(accounts).toMatchObject({ tree_size: 8, recovered: 4 });
  await directory.served(async (app) => {
    expect(await accountEntries(app)).toEqual(all);
    await finalized(app.own);
    expect(sequenceProblems(await accountEntries(app))).toEqual([]);
  });
  expect(await problems()).toEqual([]);
});

test('an act of which only the log of accounts was recovered is refused when it is repeated', async () => {
  const { id, entry } = await directory.served(async (app) => {
    await link(app.own);
    const { body } = await app.own.issue();
    await publish(app);
    const known = await accountEntries(app);
    const last = known.at(-1);
    if (last === undefined || last.receipt_id === null) throw new Error('nothing was issued');
    const sequences = { sequence: last.sequence + 1, agent_sequence: last.agent_sequence + 1 };
    const act = { event: 'finalized' as const, content_hash: 'ab'.repeat(32) };
    return { id: body.receipt_id, entry: { ...last, ...sequences, ...act } };
  });
  await directory.served(async (app) => {
    const { store, log } = app.service.trust;
    await store.writeAsService((tx) => recoverAccountsLeafIn(tx, log.open.accounts, { account: entry }));
    const refused = await app.own.finalize(id, SUCCESS);
    expect([refused.status, refused.body.reason_code]).toEqual([409, 'receipt_already_finalized']);
    expect(sequenceProblems(await accountEntries(app))).toEqual([]);
    await finalized(app.own);
  });
  expect(await problems()).toEqual([]);
});

describe('a leaf that cannot follow is refused, and nothing of it is stored:', () => {
  const account = 'ac'.repeat(32);
  const agent = 'a9'.repeat(32);
  const at = '2026-05-01T12:00:00.000Z';
  const linked = { account, sequence: 1, event: 'linked', at, ...NO_RECEIPT } as const;
  const issued = (
    changes: Partial<Record<'account' | 'agent', string>>,
    sequence: number,
    agent_sequence: number,
  ) =>
    ({
      account,
      agent,
      ...changes,
      sequence,
      agent_sequence,
      event: 'issued',
      at,
      receipt_id: `rcpt_${sha256Hex(`${sequence} ${agent_sequence}`).slice(0, 32)}`,
      content_hash: 'cd'.repeat(32),
    }) as const;
  const other = { ...linked, account: '0f'.repeat(32) } as const;

  test.each<[string, AccountEntry[], RegExp]>([
    [
      'the second leaf of an unknown account',
      [issued({}, 2, 1)],
      /does not follow the last of the 0 leaves of account/,
    ],
    ['a first leaf that links nothing', [issued({}, 1, 1)], /is not linked/],
    ['a repeated leaf', [linked, linked], /does not follow the last of the 1 leaves of account/],
    ['linking a linked account', [linked, { ...linked, sequence: 2 }], /is linked already/],
    [
      'unlinking an unlinked account',
      [linked, { ...linked, sequence: 2, event: 'unlinked' }, { ...linked, sequence: 3, event: 'unlinked' }],
      /is not linked/,
    ],
    ['a gap of an agent', [linked, issued({}, 2, 2)], /does not follow the last of the 0 leaves of agent/],
    [
      'the agent of another account',
      [linked, issued({}, 2, 1), other, issued({ account: other.account }, 2, 2)],
      /does not follow the last of the 1 leaves of agent/,
    ],
    [
      'a receipt that is issued twice',
      [linked, issued({}, 2, 1), { ...issued({}, 2, 1), sequence: 3, agent_sequence: 2 }],
      /./,
    ],
  ])('%s', async (_, entries, message) => {
    await directory.served(async (app) => {
      const { store, log } = app.service.trust;
      const before = await accountEntries(app);
      const recovered = store.writeAsService(async (tx) => {
        for (const entry of entries) await recoverAccountsLeafIn(tx, log.open.accounts, { account: entry });
      });
      await expect(recovered).rejects.toThrow(message);
      expect(await accountEntries(app)).toEqual(before);
    });
  });
});
