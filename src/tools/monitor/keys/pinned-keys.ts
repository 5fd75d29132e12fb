import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { Failure } from '../../../platform/failure.ts';
import { readText } from '../../../platform/files/read.ts';
import { writeSecretFile } from '../../../platform/files/write.ts';
import { isSignedBy } from '../../../platform/tlog/cross-signing.ts';
import { bundlesOf, type LogSource, logSource } from '../../../platform/tlog/source.ts';
import { equalBytes } from '../../../proof/encoding/equal-bytes.ts';
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
  serviceLogKeys,
  unique,
  verifiersOf,
} from './log-keys.ts';

/** The name of the file in a monitor's directory. */
export const KEYS_FILE = 'trusted-log-keys';
/** So much of a key log is read before anybody whom this one trusts has signed it: some rotations, each of six entries. */
const AHEAD_MAX = 1024;
const AHEAD_MAX_BYTES = 8 * 2 ** 20;
const ASK_FOR_KEYS =
  'get the log keys in a way that you trust (GET /log/receipts/vkeys of the service returns them), and pass them with --log-key';

/** What the keys of a monitor begin with. */
export interface PinnedKeysStart {
  /** What the logs of the copy have in common in their names; null before the first round. */
  origin: string | null;
  /** The copy's key log: how many entries it has, and what they hash to. */
  keyLog: { size: number; root: Uint8Array };
}

/** The keys by which a monitor believes a log, in a file of its directory. They change only as the key log says. */
export class PinnedKeys {
  /** The key log, as far as it was followed. */
  known = new KeyLogState();
  private trusted: LogKey[] = [];
  private common = '';
  private hasBegun = false;

  /** @param named keys that were given on the command line */
  constructor(
    private readonly state: string,
    private readonly source: LogSource,
    private readonly named: readonly string[],
    private readonly say: (sentence: string) => void,
  ) {}

  /** What the names of the logs have in common. */
  get origin(): string {
    return this.common;
  }

  /** Those that are trusted: none that was reported, and those that were rotated out too. */
  get keys(): readonly LogKey[] {
    return this.trusted;
  }

  get path(): string {
    return join(this.state, KEYS_FILE);
  }

  /**
   * Finds the keys to begin with, once: those that were named, and those of the runs before. The service's own are taken where
   * nothing was ever held, and never again: whoever took the keys away could put his own in their place.
   *
   * @param ofFirstNote the name that the first note gives itself, which the keys then have to have signed
   * @throws Failure
   */
  async begin({ origin, keyLog }: PinnedKeysStart, ofFirstNote: () => Promise<string>): Promise<void> {
    if (this.hasBegun) {
      this.mustBeSome();
      return;
    }
    const isThere = existsSync(this.path);
    const named = await namedLogKeys(this.named);
    const kept = isThere ? await namedLogKeys([this.path]) : { origin: null, keys: [] };
    const before = kept.origin ?? origin;
    if (before !== null && named.origin !== null && named.origin !== before)
      throw new Failure(
        `${this.state} is of ${before}, and the log keys are of ${named.origin}`,
        'name another directory with --state',
        2,
      );
    await this.readKnown(keyLog);
    const held = unique([...kept.keys, ...named.keys]);
    const isFirst = !isThere && origin === null;
    if (held.length === 0 && !isFirst) {
      const why = isThere ? `${this.path} names none` : `${this.path} is not there, and the copy is`;
      throw new Failure(`no log key is left that could be trusted: ${why}`, ASK_FOR_KEYS);
    }
    const keys = held.length > 0 ? held : await this.ofService();
    this.common = before ?? named.origin ?? (await ofFirstNote());
    this.trusted = this.toldBy(this.known, keys);
    this.mustBeSome();
    this.hasBegun = true;
  }

  /** Opens a checkpoint that a trusted key has signed in its time. @throws NoteError, CheckpointError */
  open(
    bytes: Uint8Array,
    origin: string,
    now: number,
    keys: readonly LogKey[] = this.trusted,
  ): OpenedCheckpoint {
    const opened = openCheckpoint(nativePrimitives, bytes, verifiersOf(keys, origin));
    if (isOfItsTime(opened.checks, keys, this.known, now)) return opened;
    throw new NoteError('the keys that signed the checkpoint were retired before');
  }

  /**
   * The trusted keys and those that new entries of the key log add, as far as a trusted one has signed the entry: after a long time
   * none of the former ones may sign any more. Nobody has signed what is read here, so little of it is, and no key vouches in it
   * whose time had ended before.
   *
   * @param size of the key log, as a checkpoint says
   */
  async vouchedBeyond(size: number, now: number): Promise<readonly LogKey[]> {
    const trusted = this.trusted.filter((key) => signsUntil(this.known, key) >= now);
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
      if (entry.event !== 'added' || entry.purpose !== 'log') continue;
      const isVouched = entry.signatures.some(({ kid, signature }) => {
        const signer = ahead.named(kid);
        return (
          signer !== null &&
          trusted.some(({ publicKey }) => publicKey === signer.public_key) &&
          isSignedBy(entry, signer, signature)
        );
      });
      if (isVouched) trusted.push(logKeyOf(entry));
    }
    return unique(trusted).filter(({ publicKey }) => ahead.endOf(publicKey)?.event !== 'compromised');
  }

  /** Takes up what a key log says that a trusted key has signed. @throws Failure where it leaves no key to trust */
  learn(known: KeyLogState): void {
    this.known = known;
    const before = this.trusted.map(({ publicKey }) => publicKey);
    this.trusted = this.toldBy(known, this.trusted);
    if (this.trusted.map(({ publicKey }) => publicKey).join() !== before.join())
      this.say('the log keys have changed, as the key log says');
    this.keep();
    this.mustBeSome();
  }

  /** Writes down whom the log is believed to be signed by, and who was and how that ended. */
  keep(): void {
    const ended = this.known.logKeys().flatMap((entry): EndedLogKey[] => {
      const end = this.known.endOf(entry.public_key);
      return end === null ? [] : [{ ...logKeyOf(entry), ...end }];
    });
    const text = logKeysText(this.trusted, this.common, ended);
    if (!existsSync(this.path) || readText(this.path) !== text) writeSecretFile(this.path, text);
  }

  private mustBeSome(): void {
    if (this.trusted.length > 0) return;
    throw new Failure(
      'no log key is left that could be trusted: the key log says that all of them were compromised',
      ASK_FOR_KEYS,
    );
  }

  private async ofService(): Promise<LogKey[]> {
    const { keys } = await serviceLogKeys(this.source.location);
    if (keys.length === 0)
      throw new Failure(`${this.source.location} gives no log keys`, 'pass them with --log-key');
    this.say(
      'the log keys were taken from the service itself, and are held from here on: --log-key names them from elsewhere',
    );
    return keys;
  }

  /** The keys that a key log makes of them: with those that it adds and somebody vouched for, without those that it reports. */
  private toldBy(known: KeyLogState, trusted: readonly LogKey[]): LogKey[] {
    return unique([...trusted, ...known.logKeys().map(logKeyOf)]).filter(
      ({ publicKey }) => known.endOf(publicKey)?.event !== 'compromised',
    );
  }

  /** The key log as far as the copy has it. @throws Failure for a copy that is damaged, of which the log must not be accused */
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
      if (!equalBytes(frontier.root(), root))
        throw new Failure('its entries are not those of its checkpoint');
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
