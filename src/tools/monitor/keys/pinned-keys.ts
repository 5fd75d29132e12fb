import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { Failure } from '../../../platform/failure.ts';
import { readText } from '../../../platform/files/read.ts';
import { writeSecretFile } from '../../../platform/files/write.ts';
import { bundlesOf, type LogSource, logSource } from '../../../platform/tlog/source.ts';
import { equalBytes } from '../../../proof/encoding/equal-bytes.ts';
import { isSignedBy } from '../../../proof/log/cross-signing.ts';
import { Frontier, leafHash } from '../../../proof/log/merkle.ts';
import { NoteError } from '../../../proof/log/note.ts';
import { type OpenedCheckpoint, openCheckpoint } from '../../../proof/log/note-signature.ts';
import { isOfItsTime, signsUntil } from './freshness.ts';
import { KeyLogState } from './key-log-state.ts';
import {
  type EndedLogKey,
  type LogKey,
  logKeyOf,
  logKeysText,
  namedLogKeys,
  requireKeyLogKey,
  serviceLogKeys,
  type TrustedLogKeys,
  unique,
  verifiersOf,
} from './log-keys.ts';

/** The name of the file in a monitor's directory. */
export const KEYS_FILE = 'trusted-log-keys';
/** The most key log entries that are read before a trusted signature. A rotation has six entries. */
const AHEAD_MAX = 1024;
const AHEAD_MAX_BYTES = 8 * 2 ** 20;
const ASK_FOR_KEYS =
  'get the log keys in a way that you trust (GET /log/keys/vkeys of the service returns them), and pass them with --log-key';

/** Reads the keys that a monitor stored; there may be none. @throws Failure that names the file */
async function storedKeys(path: string): Promise<TrustedLogKeys> {
  try {
    return await namedLogKeys([path], { mayBeEmpty: true });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.message, `remove ${path}; ${ASK_FOR_KEYS}`, error.exitCode);
  }
}

/**
 * Returns the keys that a monitor stored in its directory, and those of the command line.
 * @throws Failure if there are none, and if they are of different installations
 */
export async function keysOfCopy(state: string, keySources: readonly string[]): Promise<TrustedLogKeys> {
  const path = join(state, KEYS_FILE);
  const fromCommandLine = await namedLogKeys(keySources);
  const hasFile = existsSync(path);
  const stored = hasFile ? await storedKeys(path) : NO_KEYS;
  requireSameOrigin(state, stored.origin, fromCommandLine.origin, 'pass the keys of one installation');
  const keys = unique([...fromCommandLine.keys, ...stored.keys]);
  if (keys.length === 0) throw withoutKeys(`${path} ${hasFile ? 'has no keys' : 'is missing'}`);
  return { origin: stored.origin ?? fromCommandLine.origin, keys };
}

function withoutKeys(reason: string): Failure {
  return new Failure(`there is no trusted log key: ${reason}`, ASK_FOR_KEYS);
}

function requireSameOrigin(state: string, own: string | null, named: string | null, hint: string): void {
  if (own === null || named === null || named === own) return;
  throw new Failure(`${state} is a copy of ${own}, but the log keys belong to ${named}`, hint, 2);
}

const NO_KEYS: TrustedLogKeys = { origin: null, keys: [] };
const OF_SERVICE =
  'the log keys come from the service itself and are pinned from now on; use --log-key to pass keys from another source';

/** The state of the copy from which the pinned keys start. */
export interface PinnedKeysStart {
  /** The common origin of the copy's logs; null before the first round. */
  origin: string | null;
  /** The copy's key log: its number of entries, and its root. */
  keyLog: { size: number; root: Uint8Array };
}

/**
 * The log keys that a monitor trusts, stored in a file in its directory. After the first run, only the key
 * log changes them.
 */
export class PinnedKeys {
  /** The verified part of the key log. */
  known = new KeyLogState();
  private trusted: LogKey[] = [];
  private common = '';
  private hasBegun = false;
  /** Whether the keys come from the service, and nobody was told. */
  private isOfService = false;

  /** @param keySources the keys from the command line */
  constructor(
    private readonly state: string,
    private readonly source: LogSource,
    private readonly keySources: readonly string[],
    private readonly say: (sentence: string) => void,
  ) {}

  /** The common origin of the logs. */
  get origin(): string {
    return this.common;
  }

  /** The trusted keys, including replaced ones; without compromised ones. */
  get keys(): readonly LogKey[] {
    return this.trusted;
  }

  get path(): string {
    return join(this.state, KEYS_FILE);
  }

  /**
   * Loads the keys once: those from the command line and those of previous runs. The keys that the service
   * publishes are used only on the very first run. Otherwise, deleting the key file would replace the keys.
   *
   * @param ofFirstNote returns the origin in the first note; the keys must then have signed that note
   * @throws Failure
   */
  async begin({ origin, keyLog }: PinnedKeysStart, ofFirstNote: () => Promise<string>): Promise<void> {
    if (this.hasBegun) {
      this.mustBeSome();
      return;
    }
    const hasFile = existsSync(this.path);
    const fromCommandLine = await namedLogKeys(this.keySources);
    const stored = hasFile ? await storedKeys(this.path) : NO_KEYS;
    const before = stored.origin ?? origin;
    requireSameOrigin(this.state, before, fromCommandLine.origin, 'pass another directory with --state');
    await this.readKnown(keyLog);
    const pinned = unique([...stored.keys, ...fromCommandLine.keys]);
    const isFirst = !hasFile && origin === null;
    if (pinned.length === 0 && !isFirst)
      throw withoutKeys(`${this.path} ${hasFile ? 'has no keys' : 'is missing, but the copy exists'}`);
    if (isFirst) requireKeyLogKey(pinned);
    const keys = pinned.length > 0 ? pinned : await this.ofService();
    this.common = before ?? fromCommandLine.origin ?? (await ofFirstNote());
    this.trusted = this.keysAfter(this.known, keys);
    this.mustBeSome();
    this.hasBegun = true;
  }

  /**
   * Opens a checkpoint that a trusted key signed while it was allowed to.
   * @throws NoteError, CheckpointError
   */
  open(
    bytes: Uint8Array,
    origin: string,
    now: number,
    keys: readonly LogKey[] = this.trusted,
  ): OpenedCheckpoint {
    const opened = openCheckpoint(nativePrimitives, bytes, verifiersOf(keys, origin));
    if (isOfItsTime(opened.checks, keys, this.known, now)) return opened;
    throw new NoteError('the keys that signed the checkpoint were retired before its time');
  }

  /**
   * Returns the trusted keys, and the keys that new entries add to the key log, if a trusted key of that log
   * signed the entry. It is needed after a long pause, when all previous keys may have been replaced. These
   * entries are not covered by a verified checkpoint yet, so only a limited number is read, and keys that
   * have ended do not count as signers.
   *
   * @param size the size of the key log in the unverified checkpoint
   */
  async vouchedBeyond(size: number, now: number): Promise<readonly LogKey[]> {
    const trusted = this.trusted.filter((key) => key.log === 'keys' && signsUntil(this.known, key) >= now);
    const ahead = this.known.copy();
    if (size <= ahead.size || size - ahead.size > AHEAD_MAX) return trusted;
    let read = 0;
    for await (const { start, bytes, entries } of bundlesOf(this.source, 'keys', ahead.size, size)) {
      read += bytes.length;
      if (read > AHEAD_MAX_BYTES) return trusted;
      for (const [at, entry] of entries.entries())
        if (start + at >= ahead.size) ahead.take(entry, start + at);
    }
    for (const { entry } of ahead.all()) {
      const added = entry.event === 'added' ? logKeyOf(entry) : null;
      if (added?.log !== 'keys') continue;
      const isVouched = entry.signatures.some(({ kid, signature }) => {
        const signer = ahead.keyOf(kid);
        return (
          signer !== null &&
          trusted.some(({ publicKey }) => publicKey === signer.public_key) &&
          isSignedBy(nativePrimitives, entry, signer, signature)
        );
      });
      if (isVouched) trusted.push(added);
    }
    return unique(trusted).filter(({ publicKey }) => ahead.endOf(publicKey)?.event !== 'compromised');
  }

  /** Applies a verified key log. @throws Failure when no trusted key remains */
  learn(known: KeyLogState): void {
    const isFirst = this.known.size === 0;
    this.known = known;
    const before = JSON.stringify(this.trusted);
    this.trusted = this.keysAfter(known, this.trusted);
    // The first key log adds the keys of the other logs.
    if (!isFirst && JSON.stringify(this.trusted) !== before)
      this.say('the key log changed the trusted log keys');
    this.keep();
    this.mustBeSome();
  }

  /** Writes the trusted keys and, as comments, the ended keys with the reason. */
  keep(): void {
    const ended = this.known.logKeys().flatMap((key): EndedLogKey[] => {
      const end = this.known.endOf(key.publicKey);
      return end === null ? [] : [{ ...key, ...end }];
    });
    const text = logKeysText(this.trusted, this.common, ended);
    if (!existsSync(this.path) || readText(this.path) !== text) writeSecretFile(this.path, text);
    // Not before: a run that fails earlier has pinned nothing.
    if (this.isOfService) this.say(OF_SERVICE);
    this.isOfService = false;
  }

  private mustBeSome(): void {
    if (this.trusted.some(({ log }) => log === 'keys')) return;
    throw new Failure(
      'there is no trusted key of the key log: the key log reports all of them as compromised',
      ASK_FOR_KEYS,
    );
  }

  private async ofService(): Promise<LogKey[]> {
    const { keys } = await serviceLogKeys(this.source.location);
    if (keys.length === 0)
      throw new Failure(`${this.source.location} does not return log keys`, 'pass them with --log-key');
    this.isOfService = true;
    return keys;
  }

  /** Returns trusted keys after a key log: adds its cross-signed log keys, and removes compromised ones. */
  private keysAfter(known: KeyLogState, trusted: readonly LogKey[]): LogKey[] {
    return unique([...trusted, ...known.logKeys()]).filter(
      ({ publicKey }) => known.endOf(publicKey)?.event !== 'compromised',
    );
  }

  /** Reads the key log from the copy. @throws Failure for a damaged copy, so that the log is not blamed */
  private async readKnown({ size, root }: PinnedKeysStart['keyLog']): Promise<void> {
    const known = new KeyLogState();
    const frontier = new Frontier(nativePrimitives);
    const copy = logSource(this.state);
    try {
      for await (const { start, entries } of bundlesOf(copy, 'keys', 0, size)) {
        for (const [at, entry] of entries.entries()) {
          known.take(entry, start + at);
          frontier.append(leafHash(nativePrimitives, entry));
        }
      }
      if (!equalBytes(frontier.root(), root)) throw new Failure('its entries do not match its checkpoint');
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw new Failure(
        `the copy in ${join(this.state, 'keys')} is damaged: ${error.message}`,
        'keep it for an investigation, and start another copy with --state',
      );
    }
    this.known = known;
  }
}
