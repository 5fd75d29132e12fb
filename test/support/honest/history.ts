import { Failure } from '../../../src/platform/failure.ts';
import { acceptClock } from '../../../src/trust/log/clock/accept.ts';
import { reportCompromised } from '../../../src/trust/log/keys/report-compromised.ts';
import { rotate } from '../../../src/trust/log/keys/rotate.ts';
import { REQUIRED_KEYS } from '../../../src/trust/log/keys/signing-keys.ts';
import { numbersFrom } from '../account-trials.ts';
import { enrolledAgent } from '../agent.ts';
import type { ApiResponse } from '../client.ts';
import { evidencePath, PAYLOADS, signedEvidence } from '../evidence.ts';
import { accountEntries, link } from '../linked.ts';
import { SUCCESS } from '../log.ts';
import { Holders } from './holders.ts';
import { DAY, HonestService, MINUTE, SECOND } from './service.ts';
import { Watchers } from './watchers.ts';

const EXPIRY = '2099-01-01T00:00:00Z';
const AGENTS = ['a', 'b', 'c'];
const PURPOSES = [...new Set(REQUIRED_KEYS.map(({ purpose }) => purpose))];
const TIMES_OF_NOTHING = [5 * SECOND, 20 * SECOND, 40 * SECOND, 3 * MINUTE, 11 * MINUTE, 45 * MINUTE];

/** A receipt that its operator can still use. */
interface Live {
  id: string;
  state: 'pending' | 'final' | 'revoked';
  /** The step in which it got its newest version. */
  step: number;
}

/** The backup of a database. */
interface Backup {
  name: string;
  step: number;
  /** The number of restarts of the logs before it. */
  restarts: number;
  live: readonly Live[];
}

/** What came of a history. */
export interface History {
  seed: number;
  /** The names of the steps. */
  steps: string[];
  /** What was said that is wrong, or a step that failed. */
  alarms: string[];
  /** How much was verified, by what it was. */
  verified: Record<string, number>;
}

/** A random history of an honest service: what it does, and what happens to it. */
class Story {
  private readonly service = new HonestService();
  private readonly watchers = new Watchers(this.service);
  private readonly holders = new Holders(this.service, this.watchers);
  readonly steps: string[] = [];
  private readonly next: (below: number) => number;
  private live: Live[] = [];
  private backup: Backup | null = null;
  private restarts = 0;
  private backups = 0;
  private renamings = 0;
  private hasBigStep = false;
  private hasLostEntries = false;
  private agent: Awaited<ReturnType<typeof enrolledAgent>> | null = null;
  constructor(seed: number) {
    this.next = numbersFrom(seed);
  }

  private pick<T>(items: readonly T[]): T | undefined {
    return items[this.next(items.length)];
  }

  private get app() {
    return this.service.running;
  }

  get alarms(): string[] {
    return [...this.watchers.alarms, ...this.holders.alarms];
  }

  get verified(): Record<string, number> {
    return this.holders.verified;
  }

  /** Opens the service. Some have a witness from the beginning. */
  async open(): Promise<void> {
    const { settings } = this.service;
    settings['keys.publish_ahead_seconds'] = this.pick(['0', '60', '3600']) ?? '0';
    settings['log.keep_checkpoints_days'] = '1';
    if (this.next(3) === 0) this.demandWitness();
    await this.service.start();
    await this.service.publish();
    if (this.next(3) > 0) await this.watchers.round();
    while (this.next(4) === 0) await this.rename();
    this.agent = await enrolledAgent(this.app);
    if (this.next(3) > 0) await this.setLinked();
  }

  private demandWitness(): void {
    this.service.settings['log.witness_policy'] = this.service.policy;
  }

  /** What can happen, and how often. */
  private readonly acts: [name: string, weight: number, act: () => Promise<void>][] = [
    ['issue', 10, () => this.issue()],
    ['finalize', 10, () => this.finalize()],
    ['revoke', 4, () => this.revoke()],
    ['evidence', 4, () => this.anchor()],
    ['revoke an agent', 1, () => this.revokeAgent()],
    ['link', 4, () => this.setLinked()],
    ['rotate', 3, () => this.rotate()],
    ['report', 2, () => this.report()],
    ['restart', 3, () => this.restart()],
    ['witness', 1, () => this.addWitness()],
    ['restart logs', 1, () => this.restartLogs()],
    ['back up', 2, () => this.backUp()],
    ['recover', 2, () => this.recover()],
    ['lose', 1, () => this.lose()],
    ['small step', 4, () => this.stepClock()],
    ['big step', 1, () => this.bigStep()],
    ['right clock', 2, () => this.rightClock()],
    ['thin', 1, () => this.thin()],
    ['pause', 2, () => this.pause()],
    ['watch', 4, () => this.watchers.round()],
    ['new monitor', 1, () => this.watchers.round({ isNew: true })],
  ];

  /** Does something at random. */
  async step(): Promise<void> {
    const [name, , act] =
      this.pick(this.acts.flatMap((one) => new Array<typeof one>(one[1]).fill(one))) ?? [];
    if (name === undefined || act === undefined) return;
    this.steps.push(name);
    await act();
    await this.service.runTasks();
    const isPublished = this.next(3) > 0;
    const wait = this.pick(TIMES_OF_NOTHING.slice(0, this.next(3) === 0 ? 5 : 3)) ?? SECOND;
    // A server publishes entries within a second: none waits for a minute while monitors read the logs.
    if (isPublished || wait >= 40 * SECOND) await this.publish();
    this.service.wait(wait);
    await this.service.runTasks();
  }

  private async publish(): Promise<void> {
    await this.service.publish();
    await this.holders.save(this.steps.length);
  }

  private taken(what: string, { status, body }: ApiResponse, good: number): boolean {
    if (status === good) return true;
    const mayRefuse = status === 503 && body.reason_code === 'clock_wrong' && this.service.knowsWrongClock;
    if (!mayRefuse) this.watchers.alarms.push(`${what} returned ${status}: ${JSON.stringify(body)}`);
    return false;
  }

  /** Remembers the leaves that an act appended while the dates were wrong. */
  private async dated(act: () => Promise<unknown>): Promise<void> {
    const before = (await accountEntries(this.app)).length;
    const wasWrong = this.service.isDatingWrongly;
    await act();
    if (!wasWrong && !this.service.isDatingWrongly) return;
    for (const { sequence } of await accountEntries(this.app, before)) this.holders.misdated.add(sequence);
  }

  private async issue(): Promise<void> {
    await this.dated(async () => {
      for (let count = 1 + this.next(3); count > 0; count--) {
        const response = await this.app.own.issue({ expiry: EXPIRY, agent_id: this.pick(AGENTS) ?? 'a' });
        if (!this.taken('issue', response, 201)) continue;
        const id = String(response.body.receipt_id);
        if (this.service.isDatingWrongly) this.holders.misdatedIssues.add(id);
        this.live.push({ id, state: 'pending', step: this.steps.length });
        if (this.next(2) === 0) await this.finalize(this.live.at(-1));
      }
    });
  }

  private async finalize(
    receipt = this.pick(this.live.filter(({ state }) => state === 'pending')),
  ): Promise<void> {
    if (receipt === undefined) return;
    await this.dated(async () => {
      const response = await this.app.own.finalize(receipt.id, SUCCESS);
      if (!this.taken('finalize', response, 200)) return;
      this.change(receipt, 'final');
      this.holders.finalized(response.body, this.steps.length);
    });
  }

  private async revoke(): Promise<void> {
    const receipt = this.pick(this.live.filter(({ state }) => state !== 'revoked'));
    if (receipt === undefined) return;
    await this.dated(async () => {
      if (!this.taken('revoke', await this.app.own.revoke(receipt.id), 200)) return;
      this.change(receipt, 'revoked');
      this.holders.revoked(receipt.id, this.steps.length);
    });
  }

  private change(receipt: Live, state: Live['state']): void {
    const changed = { ...receipt, state, step: this.steps.length };
    this.live = this.live.map((one) => (one.id === receipt.id ? changed : one));
  }

  private async anchor(): Promise<void> {
    if (this.agent === null) return;
    const payload = PAYLOADS.otel_genai_trace(crypto.randomUUID());
    const item = signedEvidence(this.agent, 'otel_genai_trace', payload);
    this.taken('evidence', await this.app.own.post(evidencePath(this.agent.commitment), item), 201);
  }

  private async revokeAgent(): Promise<void> {
    const { commitment } = await enrolledAgent(this.app);
    const path = `/api/v1/passport/agents/${commitment}/revoke`;
    this.taken('revoke an agent', await this.app.own.post(path, {}), 200);
  }

  private setLinked(): Promise<void> {
    return this.dated(async () => {
      this.taken('link', await link(this.app.own, this.next(4) > 0), 200);
    });
  }

  private async rotate(): Promise<void> {
    const purpose = this.pick(PURPOSES);
    if (purpose === undefined) return;
    await unlessRefused(() => rotate(this.app.service.trust, purpose));
    this.holders.keysChanged(this.steps.length);
  }

  /** Reports a key. Only one algorithm of a log is ever reported, so that old signatures count. */
  private async report(): Promise<void> {
    const purpose = this.pick(PURPOSES);
    if (purpose === undefined) return;
    const { trust } = this.app.service;
    const algorithm = purpose.length % 2 === 0 ? 'Ed25519' : 'ML-DSA-44';
    const isOfLog = REQUIRED_KEYS.filter((key) => key.purpose === purpose).length > 1;
    const keys = trust.signer
      .all()
      .filter((key) => key.purpose === purpose && (!isOfLog || key.algorithm === algorithm));
    const key = this.pick(keys.filter(({ status }) => status !== 'compromised'));
    if (key === undefined) return;
    await reportCompromised(trust, key.kid);
    if (purpose === 'receipts') this.holders.compromised.add(key.kid);
    this.holders.keysChanged(this.steps.length);
  }

  private async restart(): Promise<void> {
    await this.service.stop();
    this.service.wait(this.pick([SECOND, MINUTE, 30 * MINUTE, this.next(6) === 0 ? 2 * DAY : MINUTE]) ?? 0);
    await this.start();
  }

  private async start(): Promise<void> {
    await this.service.start();
    await this.service.runTasks();
  }

  private async addWitness(): Promise<void> {
    if (!this.service.isInOrder) return;
    this.demandWitness();
    await this.restart();
  }

  private async rename(): Promise<void> {
    this.steps.push('rename');
    await this.watchAll();
    await this.service.stop();
    this.service.settings['log.origin'] = `name-${++this.renamings}.example`;
    await this.start();
    await this.logsWereClosed();
  }

  /** Has the monitor copy all that is published. */
  private async watchAll(): Promise<void> {
    await this.publish();
    await this.watchers.round();
  }

  private async logsWereClosed(): Promise<void> {
    this.restarts++;
    this.watchers.logsWereClosed();
    this.holders.logsWereClosed();
    await this.service.publish();
    await this.watchers.round();
  }

  private async restartLogs(): Promise<void> {
    if (!this.service.isInOrder) return;
    await this.watchAll();
    await this.service.stop();
    const isRestarted = await this.service.restartLogs().then(
      () => true,
      (error: unknown) => {
        // Dates of the future stay in the log that they are in.
        if (error instanceof Failure && this.service.latestDate > this.service.truth()) return false;
        throw error;
      },
    );
    await this.start();
    if (isRestarted) await this.logsWereClosed();
  }

  private async backUp(): Promise<void> {
    await this.publish();
    await this.service.stop();
    const { restarts, live } = this;
    this.backup = { name: `backup-${++this.backups}`, step: this.steps.length, restarts, live: [...live] };
    this.service.backUp(this.backup.name);
    await this.start();
  }

  /** Restores the backup, and recovers the logs from the copy of the monitor. */
  private async recover(): Promise<void> {
    const { backup } = this;
    if (backup === null || backup.restarts !== this.restarts || !this.service.isInOrder) return;
    await this.watchAll();
    await this.service.stop();
    this.service.restore(backup.name);
    await this.service.recover(this.watchers.copy);
    this.holders.recovered();
    this.forgetSince(backup);
    await this.start();
  }

  /** Restores the backup, and starts other logs. What was published since is lost. */
  private async lose(): Promise<void> {
    const { backup } = this;
    if (backup === null || !this.service.isInOrder) return;
    await this.watchAll();
    await this.service.stop();
    this.service.restore(backup.name);
    await this.service.restartLogs();
    this.watchers.hasLoss = true;
    this.hasLostEntries ||= this.live.some(({ state, step }) => state !== 'pending' && step > backup.step);
    this.forgetSince(backup);
    this.holders.forgetKeysSince(backup.step);
    if (!('log.witness_policy' in this.service.settings)) this.holders.hasUncosignedLoss = true;
    await this.start();
    await this.logsWereClosed();
  }

  private forgetSince({ live, step }: Backup): void {
    for (const receipt of this.live) if (receipt.step > step) this.holders.lost.add(receipt.id);
    this.live = live.filter(({ id }) => !this.holders.lost.has(id));
  }

  private async stepClock(): Promise<void> {
    if (!this.service.isInOrder) return;
    this.service.setClock((this.next(51) - 25) * SECOND);
  }

  /** Starts the service with a clock that is far ahead or behind. */
  private async bigStep(): Promise<void> {
    if (this.hasBigStep || !this.service.isInOrder) return;
    this.hasBigStep = true;
    const minutes = this.pick([-120, -30, -10, -3, 10, 30, 120, 30 * 24 * 60]) ?? 0;
    this.steps.push(`clock ${minutes} min`);
    await this.service.stop();
    this.service.wait(MINUTE);
    this.service.setClock(minutes * MINUTE);
    await this.start();
  }

  /** Sets the clock right, while the service runs or at a start, and accepts it. */
  private async rightClock(): Promise<void> {
    const isStopped = this.next(2) === 0;
    if (isStopped) await this.service.stop();
    this.service.setClock(0);
    if (isStopped) await this.start();
    if (this.service.knowsWrongClock && this.next(3) > 0) await acceptClock(this.app.service.trust);
  }

  private async thin(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) {
      await this.publish();
      this.service.wait(this.pick([MINUTE, 11 * MINUTE, 50 * MINUTE]) ?? 0);
      await this.service.runTasks();
    }
    await this.service.runTasks(/^delete old checkpoints$/);
  }

  private async pause(): Promise<void> {
    for (let turn = this.next(6); turn >= 0; turn--) {
      this.service.wait(5 * MINUTE);
      await this.service.runTasks();
    }
  }

  /** Waits until no date is in the future, and has all verified. */
  async finish(withPython: boolean): Promise<void> {
    const { service, watchers, holders } = this;
    service.setClock(0);
    if (service.knowsWrongClock) await acceptClock(this.app.service.trust);
    service.wait(Math.max(0, service.latestDate - service.truth()) + 20 * MINUTE);
    await service.runTasks();
    if (!('log.witness_policy' in service.settings)) {
      await this.addWitness();
      service.wait(MINUTE);
    }
    await this.publish();
    await this.setLinked();
    await this.finalize();
    // Now every log gets another checkpoint.
    service.wait(11 * MINUTE);
    await this.publish();
    await watchers.round();
    await watchers.round({ isNew: true });
    await watchers.auditLogs();
    if (this.hasLostEntries) watchers.requireNamedLoss();
    await holders.verifyAll(this.live, withPython);
    await service.stop();
    await watchers.auditDirectory();
  }

  dispose(): Promise<void> {
    return this.service.dispose();
  }
}

/** Rotations are refused while the clock is wrong, and while another one is not over. */
async function unlessRefused(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (Object(error).code !== 'invalid_state') throw error;
  }
}

/**
 * Makes up a history of an honest service, in which no verifier, monitor or audit may say that anything is
 * wrong.
 * @param seed of the random numbers, so that a history can be repeated
 * @param steps how many
 */
export async function honestHistory(
  seed: number,
  { steps, withPython = false }: { steps: number; withPython?: boolean },
): Promise<History> {
  const story = new Story(seed);
  const failed: string[] = [];
  try {
    await story.open();
    for (let step = 0; step < steps; step++) await story.step();
    await story.finish(withPython);
  } catch (error) {
    failed.push(`failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  } finally {
    await story.dispose();
  }
  const { steps: names, alarms, verified } = story;
  return { seed, steps: names, alarms: [...alarms, ...failed], verified };
}
