import { randomBytes } from 'node:crypto';
import { testOrigin } from '../../proof/log/test-origin.ts';
import type { Control } from '../control/server.ts';
import { KnownIds } from '../demo/known-ids.ts';
import type { GrowingApp } from '../http/documented-app.ts';
import { Refusal } from '../http/errors/errors.ts';
import type { Peer } from '../http/request/rate-limits.ts';
import { lazy } from '../lazy.ts';
import type { Metric } from '../monitoring/metrics.ts';
import { type Scheduler, schedule } from '../scheduler.ts';
import type { RunningService, ServiceEnvironment } from '../service-definition.ts';
import { systemTimers } from '../time/clock.ts';
import { withTimeout } from '../time/timeout.ts';
import { type Advancing, advance } from './advance.ts';
import { FaultTargets, lostResponse } from './apply-fault.ts';
import { type ClockStart, startTime, TestClock } from './clock.ts';
import type { TestControl } from './control.ts';
import type { RunningTestService, SeedFile, TestableService } from './definition.ts';
import { Faults } from './faults.ts';
import { TEST_PATH } from './paths.ts';
import { Template } from './template.ts';

/** How long a reset waits for requests under way. Those that take longer are refused. */
const GRACE_MS = 1000;

/** How a test service is started. */
export interface TestOptions {
  start: ClockStart;
  seed: SeedFile | null;
}

/** One installation of the service, from its opening or a reset to the next reset. */
interface Installation {
  service: RunningTestService;
  app: GrowingApp;
  targets: () => Promise<FaultTargets>;
  /** Its tasks, which start when it serves; null before. */
  background: { advancing: Advancing; control: Control; metrics: readonly Metric[] } | null;
  /** Aborted when a reset begins. */
  ending: AbortController;
  /** What refuses each request that still runs. */
  running: Set<() => void>;
}

/**
 * A service that can be reset while it is served: an application in front of the installation that runs. A
 * reset closes this one and opens a new one in the same directory, with the same API keys and tokens.
 */
export class TestHost implements TestControl {
  private readonly known = new Faults();
  private readonly template: Template;
  private serving: Promise<Installation>;
  private current: Installation | null = null;
  /** The application of the newest installation, even while the next one is opened. */
  private last: GrowingApp | null = null;
  private resetting: Promise<void> | null = null;
  /** The advances, one after the other. */
  private advancing: Promise<unknown> = Promise.resolve();
  private whenIdle: (() => void) | null = null;
  private ready: Readonly<Record<string, unknown>> | null = null;
  private serverUrl = '/';

  /** @param failed ends the process after a reset that failed */
  constructor(
    private readonly definition: TestableService,
    private readonly environment: ServiceEnvironment,
    private readonly options: TestOptions,
    private readonly failed: (error: unknown) => never,
  ) {
    this.template = new Template(environment.directory.path);
    this.template.create(definition.name);
    this.serving = this.install();
  }

  /** Returns the service as the listener serves it, once its first installation is open. */
  async open(): Promise<RunningService> {
    const { service } = await this.serving;
    return {
      app: (serverUrl) => this.app(serverUrl),
      background: async () => {
        const installation = await this.serving;
        await this.startBackground(installation);
        const metrics = installation.background?.metrics ?? [];
        const stop = (): Promise<void> => Promise.resolve();
        return {
          tasks: [],
          metrics: metrics.map((metric) => this.metric(metric)),
          control: () => ({ stop }),
        };
      },
      ready: { test: true, ...service.ready },
      announcement: service.announcement,
      checkFiles: () => this.current?.service.checkFiles() ?? null,
      close: async () => {
        await this.resetting;
        await this.close(await this.serving);
      },
    };
  }

  clock() {
    const { clock } = this.installation().service;
    return { time: clock.now(), isRunning: clock.isRunning };
  }

  advance(target: (now: number) => number) {
    const turn = this.advancing.then(async () => {
      const { background, ending, service } = this.installation();
      if (background === null) throw new Refusal('overloaded', { isExpected: true });
      const time = target(service.clock.now());
      const done = await advance(background.advancing, time, ending.signal);
      if (ending.signal.aborted) {
        const message =
          'The service was reset while its clock was advanced. Advance the clock of the new installation.';
        throw new Refusal('overloaded', { message, isExpected: true });
      }
      return { ...done, ...this.clock() };
    });
    this.advancing = turn.catch(() => undefined);
    return turn;
  }

  reset(): Promise<void> {
    this.resetting ??= this.replace().finally(() => {
      this.resetting = null;
    });
    return this.resetting;
  }

  readonly faults: TestControl['faults'] = {
    all: () => this.known.all,
    add: async (fault) => {
      (await this.installation().targets()).check(fault);
      this.known.add(fault);
    },
    clear: () => this.known.clear(),
  };

  private installation(): Installation {
    if (this.current === null) throw new Refusal('overloaded', { isExpected: true });
    return this.current;
  }

  /** Opens an installation with the files of the template. */
  private async install(): Promise<Installation> {
    const { definition, environment } = this;
    const { start, seed } = this.options;
    const end = startTime(start);
    const service = await definition.openTest({
      ...environment,
      ids: new KnownIds(),
      clockFrom: (time) => new TestClock(time, start),
      end,
      origin: testOrigin(randomBytes(8).toString('hex')),
      ready: this.ready,
      control: this,
      seed,
      keep: (names) => this.template.add(names),
    });
    service.clock.begin();
    this.ready = service.ready;
    const app = service.app(this.serverUrl);
    this.last = app;
    this.current = {
      service,
      app,
      targets: lazy(async () => new FaultTargets(await app.declared())),
      background: null,
      ending: new AbortController(),
      running: new Set(),
    };
    return this.current;
  }

  private async startBackground(installation: Installation): Promise<void> {
    const { service } = installation;
    const { tasks, metrics, control } = await service.background();
    const { log, recorder } = this.environment;
    const scheduler: Scheduler = schedule(tasks, { log, recorder, timers: systemTimers });
    const { clock, deliveries } = service;
    const advancing: Advancing = { clock, scheduler, tasks, deliveries, publish: () => service.publish() };
    installation.background = { advancing, control: control(), metrics };
  }

  private async replace(): Promise<void> {
    const former = await this.serving;
    const { promise, resolve } = Promise.withResolvers<Installation>();
    this.serving = promise;
    try {
      await this.close(former);
      this.template.restore(this.definition.database, this.environment.log);
      this.known.clear();
      const installation = await this.install();
      await this.startBackground(installation);
      await installation.app.load();
      resolve(installation);
    } catch (error) {
      this.failed(error);
    }
  }

  /** Closes an installation when its requests have ended, or were refused. */
  private async close({ ending, running, background, service }: Installation): Promise<void> {
    ending.abort();
    if (running.size > 0) {
      const idle = new Promise<void>((resolve) => (this.whenIdle = resolve));
      await withTimeout(idle, GRACE_MS, () => undefined);
    }
    for (const refuse of running) refuse();
    await this.advancing;
    await background?.advancing.scheduler.stop();
    await background?.control.stop();
    this.current = null;
    await service.close();
  }

  private app(serverUrl: string): GrowingApp {
    this.serverUrl = serverUrl;
    const app = (): GrowingApp => {
      if (this.last === null) throw new Error('no installation was opened');
      return this.last;
    };
    return {
      load: async () => (await this.serving).app.load(),
      declared: async () => (await this.serving).app.declared(),
      payerOf: (request, peer) => app().payerOf(request, peer),
      verifiedPayerOf: async (request) => (await this.serving).app.verifiedPayerOf(request),
      // An advance waits for the timeouts of receivers that do not respond.
      takesLong: isControl,
      unavailable: (request) => app().unavailable(request),
      busy: (request) => app().busy(request),
      fetch: async (request, peer) => {
        const installation = await this.serving;
        return isControl(request)
          ? installation.app.fetch(request, peer)
          : this.counted(installation, request, peer);
      },
    };
  }

  /** Performs a request, which a reset waits for, with the fault of its operation. */
  private async counted(installation: Installation, request: Request, peer: Peer = null): Promise<Response> {
    const { app, running } = installation;
    const { promise: refused, resolve } = Promise.withResolvers<Response>();
    const refuse = (): void => resolve(app.unavailable(request));
    running.add(refuse);
    try {
      return await Promise.race([refused, this.faulty(installation, request, peer)]);
    } finally {
      running.delete(refuse);
      if (running.size === 0) this.whenIdle?.();
    }
  }

  private async faulty({ app, targets }: Installation, request: Request, peer: Peer): Promise<Response> {
    if (this.known.isEmpty) return app.fetch(request, peer);
    const known = await targets();
    const operation = known.operationOf(request);
    const fault = operation === null ? null : this.known.take(operation);
    if (fault === null) return app.fetch(request, peer);
    if (fault.delayMs > 0) await Bun.sleep(fault.delayMs);
    if (fault.status !== null) return known.responseOf(fault.status, request);
    const response = await app.fetch(request, peer);
    if (!fault.losesResponse) return response;
    await response.body?.cancel();
    return lostResponse();
  }

  private metric(metric: Metric): Metric {
    const read: Metric['read'] = async () => {
      const now = (await this.serving).background?.metrics.find(({ name }) => name === metric.name);
      return now?.read() ?? [];
    };
    return { ...metric, read };
  }
}

/** Returns whether a request is for one of the routes that only a test service has. */
function isControl({ url }: Request): boolean {
  return URL.parse(url)?.pathname.startsWith(TEST_PATH) === true;
}
