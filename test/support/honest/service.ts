import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { logSource } from '../../../src/platform/tlog/source.ts';
import { LOG_NAMES } from '../../../src/proof/log/log-names.ts';
import { formatVerifierKey, signatureLine } from '../../../src/proof/log/note.ts';
import { showClock } from '../../../src/trust/log/clock/show.ts';
import { refuseFutureEntries } from '../../../src/trust/log/lifecycle/future-entries.ts';
import { restartLogs } from '../../../src/trust/log/lifecycle/restart.ts';
import { type RecoveredLogs, recoverLogs } from '../../../src/trust/log/recovery/recover.ts';
import type { LogCommandContext } from '../../../src/trust/service/context.ts';
import type { TrustModule } from '../../../src/trust/service/module.ts';
import { trustModules } from '../../../src/trust/service/modules.ts';
import { withServiceStopped } from '../../../src/trust/service/open-context.ts';
import { newNoteSigner } from '../../unit/proof/log/signed-notes.ts';
import { scratch } from '../process.ts';
import { openTrustApp, type TrustApp } from '../trust-app.ts';
import { VirtualTime } from '../virtual-time.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const DAY = 24 * 60 * MINUTE;
/** Two clocks may differ by this much. */
const CLOCKS_DIFFER_MS = 60 * SECOND;
const SILENT = pino({ level: 'silent' });
/** What runs by itself in a server. */
const TASKS = /^(?:publish checkpoints|activate keys|watch the clock|ask .*)$/;

/** A data directory with an honest service, its clock, which is not always right, and a witness. */
export class HonestService {
  private readonly directory = scratch();
  private readonly time = new VirtualTime(Date.now() - 500 * DAY);
  /** By how much the clock is wrong, in milliseconds. */
  private wrongBy = 0;
  /** The latest time that a clock ahead had. */
  private latestWrong = 0;
  private app: TrustApp | null = null;
  private readonly server: Bun.Server<undefined>;
  private readonly witness = newNoteSigner('w.example/honest', 'cosignature');
  private readonly witnessServer: Bun.Server<undefined>;
  readonly settings: Record<string, string> = {};

  constructor() {
    this.server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) => this.running.fetch(request),
    });
    this.witnessServer = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: async (request) => {
        const [, note = ''] = (await request.text()).split(/\n\n(.*)/s);
        const text = `${note.split('\n\n')[0]}\n`;
        return new Response(signatureLine(this.witness.sign(text, Math.floor(this.truth() / SECOND))));
      },
    });
  }

  /** The URL of the service, which stays the same when it is restarted. */
  get url(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  /** The path of a file beside the data directory. */
  path(name: string): string {
    return join(this.directory.path, name);
  }

  file(name: string, content: string | Uint8Array): string {
    writeFileSync(this.path(name), content);
    return this.path(name);
  }

  get data(): string {
    return this.path('data');
  }

  get running(): TrustApp {
    if (this.app === null) throw new Error('the service does not run');
    return this.app;
  }

  /** The right time, in milliseconds since 1970. */
  truth(): number {
    return this.time.now() - this.wrongBy;
  }

  /** Makes the clock wrong by this many milliseconds. */
  setClock(wrongBy: number): void {
    this.time.jump(wrongBy - this.wrongBy);
    this.wrongBy = wrongBy;
    this.noteTime();
  }

  wait(ms: number): void {
    this.time.advance(ms);
    this.noteTime();
  }

  private noteTime(): void {
    if (this.wrongBy > CLOCKS_DIFFER_MS) this.latestWrong = Math.max(this.latestWrong, this.time.now());
  }

  /** Whether the clock is right, and no date of before is in the future. */
  get isInOrder(): boolean {
    return Math.abs(this.wrongBy) <= CLOCKS_DIFFER_MS && this.isPast && !this.knowsWrongClock;
  }

  /** The time until which dates of the past can be in the future. */
  get latestDate(): number {
    return this.latestWrong;
  }

  private get isPast(): boolean {
    return this.latestWrong <= this.truth();
  }

  get knowsWrongClock(): boolean {
    return this.running.service.trust.clockWatch.look() !== null;
  }

  /** Whether the service dates wrongly without knowing it, or by a date of the future that it takes for right. */
  get isDatingWrongly(): boolean {
    if (!this.isPast) return true;
    return Math.abs(this.wrongBy) > CLOCKS_DIFFER_MS && !this.knowsWrongClock;
  }

  /** The policy of those who trust the witness. */
  get policy(): string {
    const port = this.witnessServer.port;
    const line = `witness w ${formatVerifierKey(this.witness.key)} http://127.0.0.1:${port}\n`;
    return this.file('witnesses.policy', `${line}quorum w\n`);
  }

  async start(): Promise<TrustApp> {
    this.app = await openTrustApp(this.settings, this.time, this.data);
    return this.app;
  }

  async stop(): Promise<void> {
    await this.running.close();
    this.app = null;
  }

  /** Whether the service knows that its clock is right. */
  private async isConfirmed(): Promise<boolean> {
    return (await showClock(this.running.service.trust)).state === 'right';
  }

  /** Runs the tasks that a server runs all the time. */
  async runTasks(pick = TASKS): Promise<void> {
    const { service } = this.running;
    const isRight = await this.isConfirmed();
    for (const task of (await service.background()).tasks)
      if (pick.test(task.name) && (isRight || !('waitsForClock' in task && task.waitsForClock)))
        await task.run();
  }

  /** Publishes all entries, and has them cosigned. */
  async publish(): Promise<void> {
    await this.running.service.trust.log.publisher.publish();
    await this.runTasks(/^ask /);
  }

  /** Copies the database of the service, which is stopped. */
  backUp(name: string): void {
    cpSync(join(this.data, 'trust.db'), this.path(name));
  }

  restore(name: string): void {
    cpSync(this.path(name), join(this.data, 'trust.db'));
    for (const suffix of ['-wal', '-shm'])
      if (existsSync(join(this.data, `trust.db${suffix}`))) throw new Error('the service was not stopped');
  }

  /** Recovers the logs of the stopped service from a copy. */
  recover(copy: string): Promise<RecoveredLogs> {
    return this.whileStopped((context, path) => recoverLogs(context, path, logSource(copy), () => undefined));
  }

  /**
   * Restarts the logs of the stopped service.
   * @throws Failure where entries are dated in the future
   */
  restartLogs(): Promise<unknown> {
    return this.whileStopped(async (context, path) => {
      await refuseFutureEntries(context);
      return restartLogs(context, path);
    });
  }

  /** Runs a command on the stopped service, by the clock of the service. */
  private whileStopped<T>(act: (context: LogCommandContext, path: string) => Promise<T>): Promise<T> {
    return withServiceStopped(this.data, new Map(), SILENT, trustModules, async (opened, path) => {
      const context = { ...opened, clock: this.time };
      const modules: readonly TrustModule[] = trustModules;
      const loaded = await Promise.all(modules.map((module) => module.logContents?.()));
      const contents = loaded.flatMap((module) => module?.logContents(context) ?? []);
      return act({ ...context, contents }, path);
    });
  }

  /** Reads a public file of the logs. */
  async read(path: string): Promise<Uint8Array> {
    const response = await this.running.fetch(new Request(`http://localhost/log/${path}`));
    if (response.status !== 200) throw new Error(`${path} has status ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  }

  /** The lines of the published keys of the logs. */
  async logKeys(): Promise<string[]> {
    const lines: string[] = [];
    for (const name of LOG_NAMES)
      lines.push(
        ...Buffer.from(await this.read(`${name}/vkeys`))
          .toString()
          .split('\n'),
      );
    return lines.filter((line) => line !== '' && !line.startsWith('#'));
  }

  async dispose(): Promise<void> {
    await this.app?.close();
    await this.server.stop(true);
    await this.witnessServer.stop(true);
    this.directory.dispose();
  }
}
