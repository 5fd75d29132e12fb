import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { isJsonObject, JsonError, type JsonObject, parseJson } from '../../proof/encoding/json.ts';
import { Failure } from '../failure.ts';
import { writeSecretFile } from '../files/write.ts';
import { type ServiceOperations, storedOperations } from './operations.ts';
import { readPrivateText } from './secret-file.ts';

/** The services that a context can name. */
const SERVICES = ['trust', 'staffing'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** A service at which the user is logged in, with the file that contains the key. */
export interface Context {
  name: string;
  url: string;
  service: ServiceName;
  keyFile: string;
  /** The account of the key at the login; null where the key may not read it. */
  account: string | null;
  /** The operations that the service had at the login, or when one was missing. */
  operations: ServiceOperations;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * The login contexts of a user. Each is a file of its own, `contexts/NAME.json`, so that two logins at once
 * lose neither; `current-context` contains the name of the current one.
 */
export class Contexts {
  /** @param directory the user's configuration directory of this program */
  constructor(private readonly directory: string = configurationDirectory()) {}

  /** Returns the names of all contexts, sorted. */
  names(): string[] {
    const directory = join(this.directory, 'contexts');
    if (statSync(directory, { throwIfNoEntry: false }) === undefined) return [];
    return readdirSync(directory)
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length))
      .filter((name) => NAME.test(name))
      .toSorted();
  }

  /** Returns the name of the current context; null for none, or one that was removed. */
  current(): string | null {
    const path = join(this.directory, 'current-context');
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return null;
    const name = readPrivateText(path, 'file').trim();
    return this.names().includes(name) ? name : null;
  }

  /** @throws Failure (exit code 2) for an unknown name, a file that others can read, or an invalid one */
  read(name: string): Context {
    this.requireKnown(name);
    const path = this.fileOf(name);
    const text = readPrivateText(path, 'context');
    const context = parsed(text);
    if (context === null)
      throw new Failure(`${path} is not a login context`, `remove it, and use countersign login`, 2);
    return { name, ...context };
  }

  /** Writes a context. */
  write({ name, url, service, keyFile, account, operations }: Context): void {
    requireName(name);
    this.create();
    const file = { url, service, key_file: keyFile, account, operations };
    writeSecretFile(this.fileOf(name), `${JSON.stringify(file, null, 2)}\n`);
  }

  /** Stores a key for a context. @returns the path of its file */
  writeKey(name: string, key: string): string {
    requireName(name);
    this.create();
    const path = this.keyFileOf(name);
    writeSecretFile(path, `${key}\n`);
    return path;
  }

  /** Makes a context the current one. @throws Failure for an unknown name */
  use(name: string): void {
    this.requireKnown(name);
    writeSecretFile(join(this.directory, 'current-context'), `${name}\n`);
  }

  /** Removes a context, and the key that a login stored. A key file of the user stays. */
  remove(name: string): void {
    this.requireKnown(name);
    const isCurrent = this.current() === name;
    rmSync(this.keyFileOf(name), { force: true });
    rmSync(this.fileOf(name), { force: true });
    if (isCurrent) rmSync(join(this.directory, 'current-context'), { force: true });
  }

  private requireKnown(name: string): void {
    const names = this.names();
    if (names.includes(name)) return;
    const known =
      names.length === 0 ? 'there is none: use countersign login' : `there are ${names.join(', ')}`;
    throw new Failure(`there is no context ${name}`, known, 2);
  }

  private create(): void {
    mkdirSync(join(this.directory, 'contexts'), { recursive: true, mode: 0o700 });
  }

  private fileOf(name: string): string {
    return join(this.directory, 'contexts', `${name}.json`);
  }

  private keyFileOf(name: string): string {
    return join(this.directory, 'contexts', `${name}.key`);
  }
}

/** Checks the name of a new context. @throws Failure */
export function requireName(name: string): void {
  if (NAME.test(name)) return;
  throw new Failure(
    `${name} cannot be the name of a context`,
    'use 1 to 64 letters, digits, dots, dashes and underscores',
    2,
  );
}

/** Returns the directory for a user's configuration of this program (XDG Base Directory Specification). */
function configurationDirectory({ XDG_CONFIG_HOME, APPDATA }: NodeJS.ProcessEnv = process.env): string {
  const base = XDG_CONFIG_HOME || (process.platform === 'win32' && APPDATA) || join(homedir(), '.config');
  return resolve(base, 'countersign');
}

function parsed(text: string): Omit<Context, 'name'> | null {
  let file: JsonObject;
  try {
    const value = parseJson(text);
    if (!isJsonObject(value)) return null;
    file = value;
  } catch (error) {
    if (error instanceof JsonError) return null;
    throw error;
  }
  const { url, key_file: keyFile, account = null } = file;
  const service = SERVICES.find((known) => known === file.service);
  const operations = storedOperations(file.operations);
  if (typeof url !== 'string' || !URL.canParse(url) || typeof keyFile !== 'string') return null;
  if (service === undefined || operations === null) return null;
  if (account !== null && typeof account !== 'string') return null;
  return { url, service, keyFile, account, operations };
}
