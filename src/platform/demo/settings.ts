import type { platformSettings } from '../config/platform-settings.ts';
import type { Config, Setting } from '../config/setting.ts';
import { Failure } from '../failure.ts';
import { isThisMachine } from '../network/addresses.ts';

/** The settings that a demonstration checks. */
interface Judged {
  settings: ReturnType<typeof platformSettings>;
  /** The service's settings that a demonstration sets itself, or that would connect to other machines. */
  notInDemo: readonly Setting[];
}

/** The settings of a service that only this machine may use. */
interface Local {
  settings: ReturnType<typeof platformSettings>;
  /** The service's settings that it must not have. */
  refused: readonly Setting[];
  /** The option that makes it local. */
  option: '--demo' | '--test';
}

/** Why only this machine may use it. */
const REASONS = { '--demo': 'its API keys are public', '--test': 'its data is made up' };

/**
 * Returns the given settings of a demonstration, with a temporary data directory if none was given.
 * @throws Failure (exit code 2) for settings that contradict a demonstration
 */
export function demonstrationConfig(config: Config, { settings, notInDemo }: Judged): Config {
  return localConfig(config, { settings, refused: notInDemo, option: '--demo' });
}

/**
 * Returns the given settings of a service that only this machine may use, with a temporary data directory if
 * none was given.
 * @throws Failure (exit code 2) for settings that contradict this
 */
export function localConfig(config: Config, { settings, refused, option }: Local): Config {
  const { host, baseUrl, metricsHost, trustedProxies, data } = settings;
  const refusal = refusalOf(option);
  for (const setting of [host, metricsHost]) {
    const address = setting.in(config);
    if (!isThisMachine(address)) throw refusal(setting, address, 'use 127.0.0.1, ::1 or localhost');
  }
  const url = baseUrl.in(config);
  if (url !== null && !isThisMachine(new URL(url).hostname)) {
    throw refusal(baseUrl, url, 'specify an address of this machine, or leave it out');
  }
  for (const setting of [trustedProxies, ...refused]) {
    const text = config.get(setting.key);
    if (text === undefined || text === 'off') continue;
    throw refusal(setting, setting.secret ? null : text, 'leave one of the two out');
  }
  return config.has(data.key) ? config : new Map([...config, [data.key, ':memory:']]);
}

/**
 * Returns the settings for creating the data: the defaults, the given values of `unchanged`, and `own`. A
 * given quota or minimum stake could refuse requests of the scenario; it takes effect with the first request
 * of a client.
 */
export function scenarioConfig(
  config: Config,
  unchanged: readonly Setting[],
  own: readonly (readonly [key: string, value: string])[],
): Config {
  const keys = unchanged.map(({ key }) => key);
  return new Map([...[...config].filter(([key]) => keys.includes(key)), ['rate_limits', 'off'], ...own]);
}

const refusalOf =
  (option: Local['option']) =>
  ({ key }: Setting, value: string | null, hint: string): Failure => {
    const assignment = value === null ? key : `${key} ${value}`;
    return new Failure(
      `${assignment} contradicts ${option}: ${REASONS[option]}, so it stays on this machine`,
      hint,
      2,
    );
  };
