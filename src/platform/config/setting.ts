import { BlockList, isIP } from 'node:net';

/** The error for an invalid value. The message is a predicate, such as "is not a number from 0 to 65535". */
export class InvalidValue extends Error {
  override readonly name = 'InvalidValue';
}

/**
 * The definition of a setting, from which flags, environment variables, file keys, help and documentation
 * follow.
 */
interface SettingOptions<T> {
  /** A phrase without full stop. */
  description: string;
  /**
   * What also holds for a command that runs a service. The help of other commands with this setting leaves it
   * out.
   */
  whenServing?: string;
  /** The placeholder of the value in help, such as `<number>`. */
  argument: string;
  fallback: T;
  /** @throws InvalidValue */
  parse(text: string): T;
  /** The fallback in help and documentation. Default: its text, or `none` for null. */
  fallbackText?: string;
  /**
   * The setting has no flag, because other users can read command lines. It has a `_FILE` variant and is
   * masked in output.
   */
  secret?: true;
}

/** The description of a setting for help and documentation. */
export interface SettingDocs {
  readonly key: string;
  readonly flag: string;
  readonly env: string;
  readonly argument: string;
  readonly description: string;
  readonly whenServing?: string | undefined;
  readonly fallbackText: string;
  readonly secret: boolean;
  /**
   * The heading of its flag in the help of a command for several services; undefined for a setting of all of
   * them.
   */
  readonly helpGroup?: string | undefined;
}

/** The texts of the settings that are not at their default, by key. See `resolveSettings`. */
export type Config = ReadonlyMap<string, string>;

/**
 * A setting. All its names follow from its key, `tls_cert` or `limits.public_reads`: the flag `--tls-cert`,
 * the variable `COUNTERSIGN_TLS_CERT`, and the key itself in the file.
 */
export class Setting<T = unknown> implements SettingDocs {
  readonly description: string;
  readonly whenServing: string | undefined;
  readonly argument: string;
  readonly fallbackText: string;
  readonly secret: boolean;
  private readonly fallback: T;
  readonly parse: (text: string) => T;

  constructor(
    readonly key: string,
    about: SettingOptions<T>,
  ) {
    this.description = about.description;
    this.whenServing = about.whenServing;
    this.argument = about.argument;
    this.fallback = about.fallback;
    this.fallbackText = about.fallbackText ?? (about.fallback === null ? 'none' : String(about.fallback));
    this.secret = about.secret === true;
    this.parse = about.parse;
  }

  /** The flag without its leading dashes. */
  get flag(): string {
    return this.key.replace(/[._]/g, '-');
  }

  get env(): string {
    return `COUNTERSIGN_${this.key.replaceAll('.', '_').toUpperCase()}`;
  }

  /** Returns the effective value. @throws InvalidValue */
  in(config: Config): T {
    const text = config.get(this.key);
    return text === undefined ? this.fallback : this.parse(text);
  }
}

type Optional<T> = Omit<SettingOptions<T>, 'parse' | 'argument'> & { argument?: string };

/**
 * Returns how the start-up output shows a secret: in full when this start created it, else only that it is
 * configured.
 */
export function shownAtStart(secret: string | null, setting: Setting<string | null>, config: Config): string {
  return setting.in(config) === null ? String(secret) : 'as configured';
}

/** Returns a setting whose value is any text. */
export function text<T extends string | null>(key: string, about: Optional<T | string>): Setting<T | string> {
  return new Setting<T | string>(key, { argument: '<text>', ...about, parse: (value) => value });
}

/** Returns a setting for an IP address or a host name. An IPv6 address may be in brackets. */
export function address(key: string, about: Optional<string>): Setting<string> {
  const parse = (value: string): string => {
    const bare = value.replace(/^\[(.*)\]$/, '$1');
    const isName = /^(?=.{1,253}$)[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]*[a-z0-9])*$/i.test(bare);
    if (isIP(bare) === 0 && !isName) throw new InvalidValue('is not an IP address or a host name');
    return bare;
  };
  return new Setting<string>(key, { argument: '<address>', ...about, parse });
}

/** Returns a setting for an integer from `least` to `most`. */
export function integer<T extends number | null>(
  key: string,
  least: number,
  most: number,
  about: Optional<T | number>,
): Setting<T | number> {
  const parse = (value: string): number => {
    const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidValue(`is not a whole number from ${least} to ${most}`);
  };
  return new Setting<T | number>(key, { argument: '<number>', ...about, parse });
}

/** Returns a setting for one of some names. */
export function choice<const Name extends string>(
  key: string,
  names: readonly Name[],
  about: Optional<Name>,
): Setting<Name> {
  const parse = (value: string): Name => {
    const name = names.find((known) => known === value);
    if (name === undefined) throw new InvalidValue(`is not one of ${names.join(', ')}`);
    return name;
  };
  return new Setting<Name>(key, { argument: `<${names.join('|')}>`, ...about, parse });
}

/** Returns a setting for on or off. Its flag without a value means on. */
export function toggle(key: string, about: Omit<Optional<'on' | 'off'>, 'fallback'>): Setting<'on' | 'off'> {
  return choice(key, ['on', 'off'], { ...about, argument: '[on|off]', fallback: 'off' });
}

/**
 * Returns a setting for text that matches `pattern`. @param reason the message of the InvalidValue for other
 * text
 */
export function textMatching<T extends string | null>(
  key: string,
  pattern: RegExp,
  reason: string,
  about: Optional<T | string>,
): Setting<T | string> {
  const parse = (value: string): string => {
    if (!pattern.test(value)) throw new InvalidValue(reason);
    return value;
  };
  return new Setting<T | string>(key, { argument: '<text>', ...about, parse });
}

/** Returns a setting for the URL at which clients reach the service. Removes slashes from its end. */
export function baseUrl(key: string, about: Optional<string | null>): Setting<string | null> {
  const parse = (value: string): string => {
    const url = URL.canParse(value) ? new URL(value) : null;
    const plain = url !== null && `${url.search}${url.hash}${url.username}${url.password}` === '';
    if (!plain || !/^https?:$/.test(url.protocol)) {
      throw new InvalidValue('is not an http:// or https:// URL without query, fragment and user');
    }
    return value.replace(/\/+$/, '');
  };
  return new Setting<string | null>(key, { argument: '<url>', ...about, parse });
}

/** Returns a setting for IP addresses and networks in CIDR notation, separated by commas. */
export function networks(key: string, about: Omit<Optional<BlockList>, 'fallback'>): Setting<BlockList> {
  return new Setting<BlockList>(key, {
    argument: '<addresses>',
    ...about,
    fallback: new BlockList(),
    fallbackText: about.fallbackText ?? 'none',
    parse: networksOf,
  });
}

function networksOf(value: string): BlockList {
  const list = new BlockList();
  for (const part of value.split(',').map((piece) => piece.trim())) {
    const [address = '', bits, ...rest] = part.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const most = family === 'ipv6' ? 128 : 32;
    const width = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (isIP(address) === 0 || rest.length > 0 || !(width <= most)) {
      throw new InvalidValue(`has "${part}", which is not an address or a network such as 10.0.0.0/8`);
    }
    list.addSubnet(address, width, family);
  }
  return list;
}
