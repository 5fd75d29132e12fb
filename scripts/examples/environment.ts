import pino from 'pino';
import packageJson from '../../package.json';
import type { DataDirectory } from '../../src/platform/data-directory.ts';
import { ScenarioClock } from '../../src/platform/demo/scenario-clock.ts';
import { Traffic } from '../../src/platform/http/traffic.ts';
import { noopRecorder } from '../../src/platform/monitoring/recorder.ts';
import type { ServiceEnvironment } from '../../src/platform/service-definition.ts';

/** The time at which the demonstration ends and the requests of the examples begin. */
const START = Date.parse('2026-05-01T12:00:00Z');
const BETWEEN_REQUESTS_MS = 500;

/** Sends requests to this machine, as a demonstration requires. */
export const ORIGIN = 'http://127.0.0.1';

/** The caller's address. */
export const PEER = '127.0.0.1';

/** Returns a clock for a recording. It stands still between two requests. */
export function recordingClock() {
  const clock = new ScenarioClock(START);
  return { clock, tick: () => clock.advanceTo(clock.now() + BETWEEN_REQUESTS_MS) };
}

/** Returns the environment of a service whose responses are recorded. */
export function environmentOf(
  directory: DataDirectory,
  clock: ScenarioClock,
  config: Readonly<Record<string, string>> = {},
): ServiceEnvironment {
  return {
    directory,
    config: new Map(Object.entries({ rate_limits: 'off', ...config })),
    log: pino({ level: 'silent' }),
    version: packageJson.version,
    recorder: noopRecorder,
    traffic: new Traffic(),
    url: 'https://trust.example',
    clock,
  };
}
