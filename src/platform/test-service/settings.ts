import type { Config } from '../config/setting.ts';
import { localConfig } from '../demo/settings.ts';
import { Failure } from '../failure.ts';
import { readText, requireFile } from '../files/read.ts';
import type { ClockStart } from './clock.ts';
import type { SeedFile, TestableService } from './definition.ts';
import { CLOCK_FORM, parseClockStart } from './times.ts';

/**
 * Returns the settings of a test service: the given ones, and no limits where none is given. Its data is
 * always in a temporary directory of its own.
 * @throws Failure (exit code 2) for settings that contradict a test service
 */
export function testConfig(config: Config, definition: TestableService): Config {
  const { settings, notInTest, testDefaults } = definition;
  const { data } = settings;
  if (config.has(data.key) && data.in(config) !== ':memory:') {
    throw new Failure(
      `${data.key} ${data.in(config)} contradicts --test: a test service has a temporary directory of its own`,
      `leave ${data.key} out; a directory with data is served without --test`,
      2,
    );
  }
  const local = localConfig(config, { settings, refused: notInTest, option: '--test' });
  return new Map([...testDefaults, ...local, [data.key, ':memory:']]);
}

/** Returns where the clock starts. @param given `--clock` @throws Failure (exit code 2) */
export function clockStart(given: string | undefined): ClockStart {
  const start = given === undefined ? parseClockStart('+0s') : parseClockStart(given);
  if (start !== null) return start;
  throw new Failure(
    `--clock ${given} is not the start of a clock`,
    `use ${CLOCK_FORM}; a time from 2000 to 2099`,
    2,
  );
}

/** A thousand receipts take 200 kB. */
const SEED_LIMITS = { maxBytes: 8 * 2 ** 20 };

/** Reads the file of a seed. @throws Failure that names the file */
export function seedFile(path: string): SeedFile {
  requireFile(path);
  return { path, text: readText(path, SEED_LIMITS) };
}
