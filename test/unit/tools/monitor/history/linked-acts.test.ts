import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import type { LogSource } from '../../../../../src/platform/tlog/source.ts';
import { readReceiptEntry } from '../../../../../src/proof/log/log-entry.ts';
import { LOG_NAMES } from '../../../../../src/proof/log/log-names.ts';
import { Frontier, leafHash } from '../../../../../src/proof/log/merkle.ts';
import { encodeEntries, parseTilePath } from '../../../../../src/proof/log/tiles.ts';
import { EntryHistory } from '../../../../../src/tools/monitor/history/history.ts';
import { MUST_HAVE_MS } from '../../../../../src/tools/monitor/history/missing.ts';
import { LinkedService, type MadeReceipt } from '../../../../support/linked-service.ts';

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-linked-acts-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));

const LOGS = ['receipts', 'revocations', 'accounts'] as const;
type Log = (typeof LOGS)[number];
const SECOND = 1000;
const ACCOUNTS = 3;

/** A monitor of a service: its history, and how far it has read each log. */
class Watch {
  readonly sizes = { receipts: 0, revocations: 0, accounts: 0 };
  readonly seconds = { receipts: 0, revocations: 0, accounts: 0 };
  private history: EntryHistory;
  private hasCaughtUp = false;

  constructor(
    private readonly service: LinkedService,
    private readonly state: string | null,
  ) {
    if (state !== null) mkdirSync(state, { recursive: true });
    this.history = state === null ? EntryHistory.temporary() : EntryHistory.open(state);
  }

  private get source(): LogSource {
    return {
      location: 'copy',
      read: async (path) => {
        const [log = '', ...rest] = path.split('/');
        const name = LOG_NAMES.find((known) => known === log);
        const tile = parseTilePath(rest.join('/'));
        if (name === undefined || tile === null) throw new Error(`${path} is not there`);
        return encodeEntries(this.service.texts(name).slice(tile.index * 256, tile.index * 256 + tile.width));
      },
    };
  }

  /** Opens the history again, as the next `monitor --once` does. */
  reopen(): void {
    if (this.state === null) return;
    this.history.close();
    this.history = EntryHistory.open(this.state);
    this.hasCaughtUp = false;
  }

  close(): void {
    this.history.close();
  }

  private treeOf(name: Log) {
    const frontier = new Frontier(nativePrimitives);
    for (const entry of this.service.texts(name).slice(0, this.sizes[name]))
      frontier.append(leafHash(nativePrimitives, entry));
    return { size: this.sizes[name], root: frontier.root() };
  }

  /** Reads what a log had published at a time. @returns the problems, as `log index: what` */
  async read(name: Log, published: number, signed: number): Promise<string[]> {
    const problems: string[] = [];
    if (!this.hasCaughtUp && this.state !== null) {
      const trees = Object.fromEntries(LOGS.map((log) => [log, this.treeOf(log)]));
      await this.history.catchUp(this.source, trees, {
        begin: () => problems.splice(0),
        progress: () => undefined,
        settled: () => undefined,
        entryProblems: (log, found) =>
          problems.push(...found.map(({ index, what }) => `${log} ${index}: ${what}`)),
      });
      this.hasCaughtUp = true;
    }
    const report = (index: number, what: string) => void problems.push(`${name} ${index}: ${what}`);
    const { entries } = this.service;
    for (let index = this.sizes[name]; index < entries[name].length; index++) {
      const entry = entries[name][index];
      if (entry === undefined || entry.at > published) break;
      this.sizes[name] = index + 1;
      const what = this.history.take(name, Buffer.from(entry.text), index);
      if (what !== null) report(index, what);
      if (name === 'receipts')
        for (const found of this.history.finalize(readReceiptEntry(entry.text), index))
          report(found.index, found.what);
    }
    for (const { index, what } of this.history.settle()) report(index, what);
    if (this.state !== null) this.history.commit(name, this.treeOf(name));
    this.seconds[name] = Math.max(this.seconds[name], Math.floor(signed / SECOND));
    return problems;
  }

  /** Compares the logs. @param isStored false if the process is killed before it stored the problems */
  async compare(isStored = true): Promise<string[]> {
    const of = (name: Log) => ({ size: this.sizes[name], seconds: this.seconds[name] });
    const logs = { receipts: of('receipts'), revocations: of('revocations'), accounts: of('accounts') };
    const problems = await this.history.compare(this.source, logs);
    if (isStored && this.state !== null) this.history.commitCompared();
    return problems.map(({ log, index, what }) => `${log} ${index}: ${what}`);
  }

  /** A round that reads everything, long after. */
  async last(): Promise<string[]> {
    const at = this.service.now + MUST_HAVE_MS + SECOND;
    const problems: string[] = [];
    for (const name of LOGS) problems.push(...(await this.read(name, at, at)));
    problems.push(...(await this.compare()));
    return problems;
  }
}

/** What a service and its monitor do, by random numbers. */
interface Step {
  kind: 'link' | 'unlink' | 'issue' | 'finalize' | 'revoke' | 'clock' | 'round' | 'reopen';
  /** Which account or receipt. */
  pick: number;
  /** How much later the step is. */
  later: number;
  /** By how much each log was published before it is read, and its checkpoint signed before that. */
  lags: number[];
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom<Step['kind'][]>(
    ...(['link', 'unlink', 'issue', 'issue', 'issue', 'finalize', 'finalize', 'revoke'] as const),
    ...(['clock', 'round', 'round', 'reopen'] as const),
  ),
  pick: fc.nat(),
  later: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 2 * SECOND }),
    fc.integer({ min: 0, max: 1800 * SECOND }),
  ),
  lags: fc.array(fc.integer({ min: 0, max: SECOND }), { minLength: 3, maxLength: 3 }),
});

/** Does what a step says, if that is possible. */
function act(service: LinkedService, { kind, pick, later }: Step): void {
  service.now += later;
  const ready = service.receipts.filter(
    ({ state }) => state === 'issued' || (kind === 'revoke' && state === 'finalized'),
  );
  const receipt = ready[pick % Math.max(ready.length, 1)];
  if (kind === 'link' || kind === 'unlink') service.setLinked(pick % ACCOUNTS, kind === 'link');
  if (kind === 'issue') service.issue(pick % ACCOUNTS);
  if (kind === 'finalize' && receipt !== undefined) service.finalize(receipt);
  if (kind === 'revoke' && receipt !== undefined) service.revoke(receipt);
  // The dates are at least those of the oldest of the newest checkpoints.
  if (kind === 'clock') service.behind = pick % (600 * SECOND);
}

/** Runs a service and its monitor. @returns the problems that were found */
async function run(service: LinkedService, watch: Watch, steps: readonly Step[]): Promise<string[]> {
  const problems: string[] = [];
  for (const taken of steps) {
    act(service, taken);
    if (taken.kind === 'reopen') watch.reopen();
    if (taken.kind !== 'round') continue;
    for (const [at, name] of LOGS.entries()) {
      // Others act while the logs are read one after the other.
      act(service, { ...taken, kind: taken.pick % 2 === 0 ? 'finalize' : 'revoke', later: 7 });
      const published = service.now - (taken.lags[at] ?? 0);
      problems.push(...(await watch.read(name, published, published)));
    }
    problems.push(...(await watch.compare(taken.pick % 5 !== 0)));
  }
  return problems;
}

const stepsTo = (maxLength: number) => fc.array(step, { minLength: 5, maxLength });

/** Each lie is told to a service with an account 0 that stays linked, about a receipt that nobody else uses. */
const LIES: [string, string, (service: LinkedService) => `${Log} ${number}`][] = [
  [
    'a finalization without an entry',
    'receipts has no right entry of that',
    (service) => `accounts ${service.leaf('finalized', service.issue(0).id)}`,
  ],
  [
    'a revocation without an entry',
    'revocations has no right entry of that',
    (service) => {
      const receipt = service.issue(0);
      service.finalize(receipt);
      return `accounts ${service.leaf('revoked', receipt.id)}`;
    },
  ],
  [
    'a finalization with another content_hash',
    'its content_hash is not that of entry',
    (service) => {
      const { id } = service.issue(0);
      service.finalizedEntry(id);
      return `accounts ${service.leaf('finalized', id, { hash: 'e'.repeat(64) })}`;
    },
  ],
  [
    'a finalization with another content_hash, and an entry that comes later',
    'its content_hash is not that of entry',
    (service) => {
      const { id } = service.issue(0);
      const leaf = service.leaf('finalized', id, { hash: 'e'.repeat(64) });
      service.now += 60 * SECOND;
      service.finalizedEntry(id);
      return `accounts ${leaf}`;
    },
  ],
  [
    'a revocation with another content_hash',
    'its content_hash is not that of entry',
    (service) => {
      const { id } = service.issue(0);
      service.revokedEntry(id);
      return `accounts ${service.leaf('revoked', id, { hash: 'e'.repeat(64) })}`;
    },
  ],
  ...(['issued', 'finalized', 'revoked'] as const).flatMap((event) =>
    [0, 1].map((account): (typeof LIES)[number] => [
      `two leaves ${event}, the second in account ${account}`,
      `is ${event} a second time: the leaves of this receipt begin at index`,
      (service) => {
        const receipt = service.issue(0);
        if (event !== 'issued') service.finalize(receipt);
        if (event === 'revoked') service.revoke(receipt);
        service.setLinked(account, true);
        return `accounts ${service.leaf(event, receipt.id, { account })}`;
      },
    ]),
  ),
  [
    'a finalization after a revocation',
    'is finalized after it was revoked',
    (service) => {
      const receipt = service.issue(0);
      service.revoke(receipt);
      service.finalizedEntry(receipt.id);
      return `accounts ${service.leaf('finalized', receipt.id)}`;
    },
  ],
  ...(['finalized', 'revoked'] as const).flatMap((event): (typeof LIES)[number][] => [
    [
      `an issue after the receipt was ${event}`,
      'is issued after another act',
      (service) => {
        service.setLinked(0, false);
        const receipt = service.issue(0);
        service.setLinked(0, true);
        if (event === 'finalized') service.finalize(receipt);
        else service.revoke(receipt);
        return `accounts ${service.leaf('issued', receipt.id)}`;
      },
    ],
    [
      `an entry that a receipt is ${event}, without its leaf`,
      `is ${event}, and accounts has no leaf of that`,
      (service) => {
        const { id } = service.issue(0);
        return event === 'finalized'
          ? `receipts ${service.finalizedEntry(id)}`
          : `revocations ${service.revokedEntry(id)}`;
      },
    ],
  ]),
];

describe('the acts of linked accounts', () => {
  const states = (): string => join(scratch, crypto.randomUUID());

  /** A file waits for the disk at each round, so most histories are in memory. */
  test.each([
    ['in memory', 250, 80, () => null],
    ['in a file', 6, 25, states],
  ])(
    'of an honest service are never a problem, whenever a monitor reads the logs, %s',
    async (_name, numRuns, max, of) => {
      await fc.assert(
        fc.asyncProperty(stepsTo(max), async (taken) => {
          const service = new LinkedService(ACCOUNTS);
          const watch = new Watch(service, of());
          try {
            expect(await run(service, watch, taken)).toEqual([]);
            expect([await watch.last(), await watch.compare()]).toEqual([[], []]);
          } finally {
            watch.close();
          }
          // As fsck reads them, and as a monitor reads a copy of an earlier version.
          const audit = new Watch(service, of());
          if (of() !== null) for (const name of LOGS) audit.sizes[name] = service.entries[name].length;
          expect(await audit.last()).toEqual([]);
          audit.close();
        }),
        { numRuns },
      );
    },
  );

  test.each(LIES)('are found if there is %s, in any history', async (_name, what, lie) => {
    await fc.assert(
      fc.asyncProperty(stepsTo(80), stepsTo(80), fc.nat(7), async (before, after, number) => {
        const service = new LinkedService(ACCOUNTS);
        const watch = new Watch(service, number === 0 ? states() : null);
        await run(service, watch, before);
        service.setLinked(0, true);
        const known = new Set<MadeReceipt>(service.receipts);
        const entry = lie(service);
        // Nobody else acts on the receipt of the lie, and its account stays linked.
        for (const receipt of service.receipts) if (!known.has(receipt)) receipt.state = 'revoked';
        const others = after.filter(({ kind, pick }) => kind !== 'unlink' || pick % ACCOUNTS !== 0);
        const problems = [...(await run(service, watch, others)), ...(await watch.last())];
        watch.close();
        expect(problems.some((problem) => problem.startsWith(`${entry}: `) && problem.includes(what))).toBe(
          true,
        );
        const audit = new Watch(service, null);
        expect((await audit.last()).filter((problem) => problem.startsWith(`${entry}: `))).toHaveLength(1);
        audit.close();
      }),
      { numRuns: 20 },
    );
  });
});
