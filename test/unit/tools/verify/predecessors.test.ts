import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { type AccountEntry, accountEntryText } from '../../../../src/proof/log/log-entry.ts';
import type { Receipt } from '../../../../src/proof/receipt/receipt.ts';
import { completeStories } from '../../../support/complete-stories.ts';
import {
  FINAL,
  KEYS,
  LeafWriter,
  OTHER,
  pendingReceipt,
  version,
  writeAccountLog,
} from '../../../support/made-account.ts';
import { hasPython } from '../../../support/python.ts';
import { rootOfEntries } from '../../../support/small-log.ts';

const stories = completeStories();
const { path, verified } = stories;
afterAll(() => stories.dispose());

/**
 * A log: how many logs before it the one is of which it continues a backup, with which share of that it begins,
 * and how many receipts of its own it has.
 */
interface Plan {
  back: number;
  share: number;
  acts: number;
}

const plans = fc.array(
  fc.record({
    back: fc.integer({ min: 1, max: 4 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    acts: fc.integer({ min: 0, max: 4 }),
  }),
  { minLength: 2, maxLength: 5 },
);

/** Makes logs of which each continues a backup of one before, and what they have of one account. */
function made(plan: readonly Plan[]) {
  const start = Date.now() - 3_600_000;
  let minutes = 1;
  let receipts = 0;
  type Act = (writer: LeafWriter) => void;
  const logs: { acts: Act[]; entries: AccountEntry[]; kept: { size: number; time: number }[] }[] = [];
  /** The newest version of each receipt, in the order of issue. */
  const issued: Receipt[] = [];
  for (const [index, { back, share, acts: count }] of plan.entries()) {
    const parent = logs[Math.max(0, index - back)];
    const acts: Act[] = parent?.acts.slice(0, Math.max(1, Math.round(share * parent.acts.length))) ?? [];
    const begin = acts.length;
    const time = (): number => start + minutes++ * 30_000;
    const kept = [{ size: begin, time: time() }];
    if (index === 0) {
      const at = time();
      acts.push((writer) => writer.link('linked', at));
    }
    for (let act = 0; act < count; act++) {
      const at = time();
      const receipt = pendingReceipt(++receipts, at, { agent_id: `agent-${receipts % 2}` });
      const final = version(receipt, FINAL);
      issued.push(final);
      acts.push((writer) => writer.act('issued', receipt, at));
      acts.push((writer) => writer.act('finalized', final, at + 1));
      acts.push((writer) => writer.act('issued', { ...receipt, operator_id: OTHER }, at + 2));
    }
    const writer = new LeafWriter();
    for (const act of acts) act(writer);
    kept.push({ size: acts.length, time: time() });
    logs.push({ acts, entries: writer.entries, kept });
  }
  return { logs, issued };
}

const rootOf = (entries: readonly AccountEntry[]): string => rootOfEntries(entries.map(accountEntryText));

test('with the copies of all closed logs, exactly the receipts of all of them are complete, in the order of issue', async () => {
  await fc.assert(
    fc.asyncProperty(plans, fc.nat(), async (plan, chosen) => {
      const { logs, issued: receipts } = made(plan);
      const id = crypto.randomUUID();
      const names = logs.map((_, index) => path(`${id}-${index}`));
      const newest = logs.length - 1;
      for (const [index, { entries, kept }] of logs.entries()) {
        const isNewest = index === newest;
        const times = isNewest ? [...kept, { size: entries.length, time: Date.now() }] : kept;
        const origin = isNewest ? {} : { origin: `log-${index}.example/accounts` };
        writeAccountLog(names[index] ?? '', { entries, kept: times, ...origin });
      }
      const closed_logs = logs.slice(0, -1).map(({ entries }, index) => ({
        ...{ log: 'accounts', origin: `log-${index}.example/accounts`, certain: true },
        ...{ tree_size: entries.length, root_hash: rootOf(entries) },
      }));
      const keys = path(`${id}.json`);
      writeFileSync(keys, JSON.stringify({ ...JSON.parse(KEYS), closed_logs }));
      const predecessor = names.slice(0, -1);
      const options = { log: names[newest] ?? '', keys };
      const whole = await verified(receipts, { ...options, predecessor });
      expect([whole.problems, whole.isComplete]).toEqual([[], true]);
      if (receipts.length === 0) return;
      const kindsOf = async (list: readonly Receipt[]): Promise<unknown[]> =>
        (await verified(list, { ...options, predecessor })).problems.map((problem) => problem.split(' ')[0]);
      const place = chosen % receipts.length;
      expect(await kindsOf(receipts.toSpliced(place, 1))).toEqual(['missing']);
      const [moved] = receipts.slice(place);
      if (moved !== undefined && receipts.length > 1) {
        const others = receipts.toSpliced(place, 1);
        const other = (place + 1 + (chosen % others.length)) % receipts.length;
        expect(await kindsOf(others.toSpliced(other, 0, moved))).toContain('reordered');
      }
      const alone = await verified(receipts, options);
      expect(alone.isComplete).toBe(false);
    }),
    { numRuns: 30 },
  );
});

test('a closed log that is read in place of the one that continues it is refused with both names', async () => {
  const closed = made([{ back: 1, share: 1, acts: 1 }]).logs[0]?.entries ?? [];
  const origin = 'log-0.example/accounts';
  const kept = [
    { size: 0, time: Date.now() - 3_600_000 },
    { size: closed.length, time: Date.now() },
  ];
  writeAccountLog(path('closed'), { entries: closed, kept, origin });
  const ends = { tree_size: closed.length, root_hash: rootOf(closed) };
  const closed_logs = [{ log: 'accounts', origin, certain: true, ...ends }];
  for (const [keys, hint] of [
    [{ closed_logs }, 'read made.example/accounts, which continues it, with --log, and this copy with --p'],
    [{}, 'read made.example/accounts with --log; if the service now continues log-0.example/accounts, '],
  ] as const) {
    writeFileSync(path('list.json'), JSON.stringify({ ...JSON.parse(KEYS), ...keys }));
    const error = await verified([], { log: path('closed'), keys: path('list.json') }).catch(Object);
    expect(error.message).toEndWith(`wrong_log: ${origin} was read, and made.example/accounts is meant`);
    expect(error.hint).toStartWith(hint);
  }
});

test('an account whose link or unlinking was lost was not linked meanwhile', async () => {
  const now = Date.now();
  const ago = (minutes: number): number => now - minutes * 60_000;
  /** Verifies a log that continues the first entries of a closed one. */
  const continued = async (
    common: (writer: LeafWriter) => void,
    lost: (writer: LeafWriter) => void,
    later: (writer: LeafWriter) => void,
    list: readonly Receipt[],
  ) => {
    const id = crypto.randomUUID();
    const [closed, log] = [new LeafWriter(), new LeafWriter()];
    for (const write of [common, lost]) write(closed);
    for (const write of [common, later]) write(log);
    const shared = new LeafWriter();
    common(shared);
    const begin = shared.entries.length;
    const origin = 'log-0.example/accounts';
    const atClose = { size: closed.entries.length, time: ago(20) };
    writeAccountLog(path(`${id}-0`), {
      ...{ entries: closed.entries, origin },
      kept: [{ size: 0, time: ago(50) }, atClose],
    });
    writeAccountLog(path(id), {
      entries: log.entries,
      kept: [
        { size: begin, time: ago(15) },
        { size: log.entries.length, time: Date.now() },
      ],
    });
    const ends = { tree_size: closed.entries.length, root_hash: rootOf(closed.entries) };
    const closed_logs = [{ log: 'accounts', origin, certain: true, ...ends }];
    writeFileSync(path(`${id}.json`), JSON.stringify({ ...JSON.parse(KEYS), closed_logs }));
    const options = { log: path(id), keys: path(`${id}.json`), predecessor: [path(`${id}-0`)] };
    return (await verified(list, options)).problems;
  };
  const receipts = [30, 5].map((minutes, index) => pendingReceipt(index, ago(minutes)));
  const [first, second] = receipts;
  if (first === undefined || second === undefined) throw new Error('there are two receipts');
  const links = (writer: LeafWriter): void => writer.link('linked', ago(40));
  const other = (writer: LeafWriter): void => writer.link('linked', ago(45), OTHER);
  const issues = (receipt: Receipt) => (writer: LeafWriter) =>
    writer.act('issued', receipt, Date.parse(receipt.issued_at));
  const both =
    (...all: ((writer: LeafWriter) => void)[]) =>
    (writer: LeafWriter): void => {
      for (const write of all) write(writer);
    };
  const linksAgain = (writer: LeafWriter): void => writer.link('linked', ago(10));
  const unlinks = (writer: LeafWriter): void => writer.link('unlinked', ago(25));
  expect(
    await continued(other, both(links, issues(first)), both(linksAgain, issues(second)), receipts),
  ).toEqual(['unlinked null 2']);
  expect(await continued(both(other, links, issues(first)), unlinks, issues(second), receipts)).toEqual([
    'unlinked null 3',
  ]);
  const nothing = (): void => undefined;
  expect(await continued(other, both(links, issues(first)), nothing, receipts)).toEqual([
    'unproven 2 null',
    'unlinked null 2',
  ]);
  expect(await continued(both(other, links), issues(first), issues(second), [second])).toEqual([
    'missing null 2',
  ]);
});

test.skipIf(!hasPython)('src/tools/python/verify.py says the same of them', async () => {
  const { stories: count, differences, reasons } = await stories.heldAgainstPython();
  expect(count).toBeGreaterThan(60);
  expect(differences).toEqual([]);
  const wrongLog =
    'wrong_log: log-0.example/accounts was read, and made.example/accounts is meant: read made';
  expect(reasons.filter((reason) => reason.startsWith(wrongLog))).toHaveLength(2);
});
