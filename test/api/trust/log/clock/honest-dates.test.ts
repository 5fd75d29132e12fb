import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import {
  isWithin,
  type KeptCheckpoint,
  KeptCheckpoints,
} from '../../../../../src/proof/account/kept-checkpoints.ts';
import { parseJson } from '../../../../../src/proof/encoding/json.ts';
import { readTrustedKeys } from '../../../../../src/proof/keys/trusted-keys.ts';
import { readLogKeys } from '../../../../../src/proof/log/log-keys.ts';
import { LOG_NAMES } from '../../../../../src/proof/log/log-names.ts';
import { readLogProof } from '../../../../../src/proof/log/log-proof.ts';
import { judgePackage } from '../../../../../src/proof/package/verdict.ts';
import { judge } from '../../../../../src/proof/receipt/verdict.ts';
import { Monitor } from '../../../../../src/tools/monitor/monitor.ts';
import { acceptClock } from '../../../../../src/trust/log/clock/accept.ts';
import { reportCompromised } from '../../../../../src/trust/log/keys/report-compromised.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { audited } from '../../../../support/audit.ts';
import { evidencePath, PAYLOADS, signedEvidence } from '../../../../support/evidence.ts';
import { accountEntries, link } from '../../../../support/linked.ts';
import { SUCCESS } from '../../../../support/log.ts';
import { scratch } from '../../../../support/process.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const EXPIRY = '2099-01-01T00:00:00Z';

/** A receipt with a proof of it that its holder saved. */
interface Saved {
  receipt: unknown;
  proof: Uint8Array;
}

/** What the monitor says about the clock of the service itself, and rightly. */
const OF_THE_CLOCK = /was signed in the future|minutes old/;

/** An honest service whose clock is not always right, those who watch it, and holders of receipts. */
class World {
  readonly saved: Saved[] = [];
  /** The checkpoints of the log of accounts, with the right time at which witnesses cosigned them. */
  private readonly kept: KeptCheckpoint[] = [];
  /** The leaves of accounts that were written while the service could not know that its clock was wrong. */
  private readonly unnoticed = new Set<number>();
  private cosigned: string | null = null;
  /** Packages of the agent, up to the end of the day. */
  readonly packages: Uint8Array[] = [];
  readonly problems: string[] = [];
  private readonly pending: unknown[] = [];
  private readonly directory = scratch();
  private readonly time = new VirtualTime(Date.now() - 500 * DAY);
  /** By how much the clock is wrong, in milliseconds. */
  private wrongBy = 0;
  private app: TrustApp | null = null;
  private agent: Awaited<ReturnType<typeof enrolledAgent>> | null = null;

  private constructor(private readonly isReported: boolean) {}

  /** Starts a service with a right clock. @param isReported whether each step reports the key of receipts */
  static async open(isReported: boolean): Promise<World> {
    const world = new World(isReported);
    const app = await world.start();
    world.agent = await enrolledAgent(app);
    await link(app.own);
    for (let index = 0; index < 60; index++)
      world.pending.push((await app.own.issue({ expiry: EXPIRY })).body.receipt_id);
    return world;
  }

  private get data(): string {
    return join(this.directory.path, 'data');
  }

  private get running(): TrustApp {
    if (this.app === null) throw new Error('the service does not run');
    return this.app;
  }

  private truth(): number {
    return this.time.now() - this.wrongBy;
  }

  /** Makes the clock wrong by this much. */
  set(wrongBy: number): void {
    this.time.jump(wrongBy - this.wrongBy);
    this.wrongBy = wrongBy;
  }

  async start(): Promise<TrustApp> {
    this.app = await openTrustApp({}, this.time, this.data);
    return this.app;
  }

  async stop(): Promise<void> {
    await this.running.close();
    this.app = null;
  }

  /** Stops the service, and starts it with a clock that is wrong by so much. */
  async restart(wrongBy: number): Promise<void> {
    await this.stop();
    this.time.advance(MINUTE);
    this.set(wrongBy);
    await this.start();
  }

  get isWrong(): boolean {
    return this.running.service.trust.clockWatch.look() !== null;
  }

  accept = () => acceptClock(this.running.service.trust);

  wait = (ms: number): void => this.time.advance(ms);

  /** Does something of everything that is dated, saves the proofs, and lets the others watch. */
  async work({ isUnnoticed = false } = {}): Promise<void> {
    const app = this.running;
    const { trust } = app.service;
    const before = (await accountEntries(app)).length;
    const finished: unknown[] = [];
    for (let turn = 0; turn < 2; turn++) {
      const issued = await app.own.issue({ expiry: EXPIRY });
      expect([201, 503]).toContain(issued.status);
      const done = await app.own.finalize(this.pending.pop(), SUCCESS);
      expect(done.status).toBe(200);
      finished.push(done.body);
      await this.anchor();
      expect((await app.own.revoke(this.pending.pop())).status).toBe(200);
      await this.publish(finished);
      this.wait(20 * SECOND);
    }
    await this.savePackage();
    if (this.isReported) {
      await reportCompromised(trust, trust.signer.activeKey('receipts').kid);
      await this.publish([]);
    }
    const after = (await accountEntries(app)).length;
    if (isUnnoticed) for (let index = before; index < after; index++) this.unnoticed.add(index);
    await this.watch();
    this.wait(40 * SECOND);
  }

  private async anchor(): Promise<void> {
    const { agent } = this;
    if (agent === null) throw new Error('no agent is enrolled');
    const payload = PAYLOADS.otel_genai_trace(crypto.randomUUID());
    const item = signedEvidence(agent, 'otel_genai_trace', payload);
    const { status } = await this.running.own.post(evidencePath(agent.commitment), item);
    expect([201, 503]).toContain(status);
  }

  private async savePackage(): Promise<void> {
    const endOfDay = new Date(Math.ceil((this.time.now() + 1) / DAY) * DAY).toISOString();
    const path = `/api/v1/compliance/packages/${this.agent?.commitment}?to=${endOfDay}`;
    const response = await this.running.fetch(new Request(`http://localhost${path}`));
    expect([200, 503]).toContain(response.status);
    if (response.status === 200) this.packages.push(new Uint8Array(await response.arrayBuffer()));
  }

  private async publish(finished: readonly unknown[]): Promise<void> {
    const { log } = this.running.service.trust;
    await log.publisher.publish();
    const { response, rootHash } = log.publisher.latest('accounts');
    // A checkpoint keeps the first cosignature of each witness.
    const now = this.truth();
    if (response.checkpoint_id !== this.cosigned)
      this.kept.push({ size: response.tree_size, root: rootHash, at: now, by: now });
    this.cosigned = response.checkpoint_id;
    for (const receipt of finished) {
      const path = `http://localhost/api/v1/receipts/${Object(receipt).receipt_id}/proof`;
      const response = await this.running.fetch(new Request(path));
      // Without a checkpoint that covers it, there is no proof yet.
      if (response.status === 200)
        this.saved.push({ receipt, proof: new Uint8Array(await response.arrayBuffer()) });
    }
  }

  /** A round of a monitor whose clock is right. */
  async watch(state = 'monitor'): Promise<void> {
    const fetched = async (path: string) => {
      const response = await this.running.fetch(new Request(`http://localhost/log/${path}`));
      expect([path, response.status]).toEqual([path, 200]);
      return new Uint8Array(await response.arrayBuffer());
    };
    const source = { location: 'the service', read: fetched };
    const keys: string[] = [];
    for (const name of LOG_NAMES)
      keys.push(
        ...Buffer.from(await fetched(`${name}/vkeys`))
          .toString()
          .split('\n'),
      );
    const named = keys.filter((line) => line !== '' && !line.startsWith('#'));
    const listener = { say: () => undefined, progress: () => undefined };
    const path = join(this.directory.path, state);
    const monitor = new Monitor(path, source, named, { now: () => this.truth() }, listener);
    try {
      const { problems } = await monitor.round();
      this.problems.push(...problems.filter((problem) => !OF_THE_CLOCK.test(problem)));
    } finally {
      monitor.close();
    }
  }

  /** Lets all dates of the past become past, with a clock that is right. */
  async settle(ms: number): Promise<void> {
    this.set(0);
    const { clockWatch, log } = this.running.service.trust;
    if (clockWatch.look() !== null) await this.accept();
    this.wait(ms);
    await log.publisher.publish();
    await this.watch();
  }

  /** What holders of saved proofs find wrong with the newest list of keys. */
  async disowned(): Promise<unknown[]> {
    const { body } = await this.running.anyone.get('/api/v1/transparency/keys');
    const list = parseJson(JSON.stringify(body));
    const keys = readTrustedKeys(nativePrimitives, list);
    const { trusted } = readLogKeys(nativePrimitives, list);
    const packages = this.packages.flatMap((saved) => {
      const options = { keys, logKeys: trusted, now: this.truth() };
      const { verdict, problems } = judgePackage(nativePrimitives, saved, options);
      return verdict === 'valid' || verdict === 'key_compromised' ? [] : [{ verdict, problems }];
    });
    const receipts = this.saved.flatMap(({ receipt, proof }) => {
      const { verdict, checks, notes } = judge(nativePrimitives, parseJson(JSON.stringify(receipt)), {
        keys,
        now: this.truth(),
        proof: { proof: readLogProof(nativePrimitives, proof), keys: trusted },
      });
      const isValid = verdict === 'valid' && checks.proof === 'ok' && notes === undefined;
      return isValid ? [] : [{ verdict, problems: [`proof: ${checks.proof}`, ...(notes ?? [])] }];
    });
    return [...packages, ...receipts];
  }

  /** The leaves of the account that `verify --complete` finds outside the times of the cosigned checkpoints. */
  async outOfTime(): Promise<unknown[]> {
    const kept = new KeptCheckpoints(this.kept);
    const leaves = await accountEntries(this.running);
    return leaves.flatMap(({ event, at }, index) => {
      const times = kept.timesOf(index);
      return this.unnoticed.has(index) || isWithin(Date.parse(at), times)
        ? []
        : [{ index, event, at, times }];
    });
  }

  async close(): Promise<string[]> {
    await this.stop();
    const { reported } = await audited(this.data);
    this.directory.dispose();
    return reported.map(({ sentence }) => sentence);
  }
}

/** What happens to the clock; the time after which no date is in the future any more. */
const STORIES: [story: string, act: (world: World) => Promise<void>, settles: number][] = [
  ['is always right', (world) => world.work(), HOUR],
  [
    'is 10 minutes behind at a start, and then set right',
    async (world) => {
      await world.restart(-10 * MINUTE);
      await world.work();
      world.set(0);
      await world.work();
    },
    HOUR,
  ],
  [
    'is 10 minutes behind at a start, and reaches the newest data',
    async (world) => {
      await world.restart(-10 * MINUTE);
      await world.work();
      world.wait(12 * MINUTE);
      await world.work({ isUnnoticed: true });
    },
    HOUR,
  ],
  [
    'is little more than a minute behind the newest data at a start',
    async (world) => {
      await world.restart(-170 * SECOND);
      await world.work({ isUnnoticed: true });
      await world.work({ isUnnoticed: true });
    },
    HOUR,
  ],
  [
    'is 2 hours ahead at a start, and right at the next, where it is accepted',
    async (world) => {
      await world.restart(2 * HOUR);
      await world.work({ isUnnoticed: true });
      await world.restart(0);
      await world.accept();
      await world.work();
      await world.restart(0);
      await world.work();
    },
    3 * HOUR,
  ],
  [
    'is 2 hours ahead at a start, and right at the next, where nobody accepts it',
    async (world) => {
      await world.restart(2 * HOUR);
      await world.work({ isUnnoticed: true });
      await world.restart(0);
      await world.work({ isUnnoticed: true });
      world.wait(2 * HOUR);
      await world.work();
    },
    3 * HOUR,
  ],
  [
    'is 200 days ahead at a start, and right at the next',
    async (world) => {
      await world.restart(200 * DAY);
      await world.work({ isUnnoticed: true });
      await world.restart(0);
      if (world.isWrong) await world.accept();
      await world.work();
    },
    201 * DAY,
  ],
  [
    'goes ahead and back in small steps while it runs',
    async (world) => {
      for (const wrongBy of [50, 100, 150, 100, 50, 0, -50, -100]) {
        world.set(wrongBy * SECOND);
        await world.work({ isUnnoticed: Math.abs(wrongBy) > 60 });
      }
    },
    HOUR,
  ],
  [
    'goes back in small steps, one right after the other',
    async (world) => {
      for (const wrongBy of [-50, -100, -150]) {
        world.set(wrongBy * SECOND);
        expect(world.isWrong).toBe(false);
      }
      await world.work({ isUnnoticed: true });
    },
    HOUR,
  ],
  [
    'is set back by 5 minutes while it runs, and set right',
    async (world) => {
      world.set(-5 * MINUTE);
      await world.work();
      world.set(0);
      await world.work();
    },
    HOUR,
  ],
  [
    'is set ahead by 2 hours while it runs, and set right',
    async (world) => {
      world.set(2 * HOUR);
      await world.work();
      world.set(0);
      await world.work();
    },
    HOUR,
  ],
  [
    'is set ahead and accepted while it runs, and set right and accepted',
    async (world) => {
      world.set(2 * HOUR);
      await world.accept();
      await world.work({ isUnnoticed: true });
      world.set(0);
      await world.work({ isUnnoticed: true });
      await world.accept();
      await world.work();
    },
    3 * HOUR,
  ],
  [
    'is set ahead for an hour, in which no checkpoint is signed, and is behind at the next start',
    async (world) => {
      world.set(2 * HOUR);
      await world.work();
      world.wait(HOUR);
      await world.work();
      await world.restart(-20 * MINUTE);
      await world.work();
    },
    HOUR,
  ],
];

describe.each(STORIES)('an honest service whose clock %s', (_, act, settles) => {
  test.each([
    ['has only dates that fit', false],
    ['has only dates that fit, and reports stolen keys meanwhile', true],
  ])('%s', async (_what, isReported) => {
    const world = await World.open(isReported);
    await world.work();
    world.wait(80 * SECOND);
    await world.work();
    await act(world);
    await world.settle(settles);
    await world.work();
    await world.watch('later monitor');
    expect(world.saved.length).toBeGreaterThan(4);
    expect(world.packages.length).toBeGreaterThan(0);
    expect(await world.disowned()).toEqual([]);
    expect(world.problems).toEqual([]);
    expect(await world.outOfTime()).toEqual([]);
    expect(await world.close()).toEqual([]);
  });
});
