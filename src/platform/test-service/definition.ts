import type { Setting } from '../config/setting.ts';
import type { KnownIds } from '../demo/known-ids.ts';
import type { RunningService, ServiceDefinition, ServiceEnvironment } from '../service-definition.ts';
import type { Triggers } from '../triggers/trigger.ts';
import type { Deliveries } from './advance.ts';
import type { TestClock } from './clock.ts';
import type { TestControl } from './control.ts';

/** A file with data, as it was read. */
export interface SeedFile {
  path: string;
  text: string;
}

/** What an installation of a test service is opened with. */
export interface TestEnvironment extends Omit<ServiceEnvironment, 'clock'> {
  ids: KnownIds;
  /**
   * Returns the clock of the installation, which stands at `time` until the installation is open. Data that
   * is loaded at first has dates from then until `end`.
   */
  clockFrom(time: number): TestClock;
  /** Where the clock goes when the installation is open, in milliseconds since 1970. */
  end: number;
  /** The name of its logs. */
  origin: string;
  /**
   * The ready file of the installation before, whose ids and secrets this one has; null for the first one.
   */
  ready: Readonly<Record<string, unknown>> | null;
  control: TestControl;
  /** The file with the data that every installation begins with; null for none. */
  seed: SeedFile | null;
  /**
   * Keeps files of the data directory for later installations: those that are made when the service is
   * opened, and that take long. Called before the data of a seed changes them.
   */
  keep(names: readonly string[]): void;
}

/** An open installation of a test service. */
export interface RunningTestService extends RunningService {
  clock: TestClock;
  deliveries: Deliveries;
  /** Publishes what was written, until it is covered by what the service signs. */
  publish(): Promise<void>;
}

/** A service that can be started with `--test`. */
export interface TestableService extends ServiceDefinition {
  /** The settings that would connect a test service to other machines, or that it sets itself. */
  notInTest: readonly Setting[];
  /** The settings, by key, that a test service has unless others are given: no limit, and little work. */
  testDefaults: readonly (readonly [key: string, value: string])[];
  /** Opens an installation in an empty directory, with the data that it begins with. */
  openTest(environment: TestEnvironment): Promise<RunningTestService>;
  /** Returns how the events of its webhooks are made to happen. */
  triggers(): Promise<Triggers>;
}
