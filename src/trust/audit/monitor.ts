import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import { nativePrimitives } from '../../platform/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { syncPath, writeSecretFile } from '../../platform/secrets.ts';
import { type Checkpoint, CheckpointError, parseCheckpoint } from '../../proof/checkpoint.ts';
import { bytesToHex } from '../../proof/hex.ts';
import { NoteError, parseNote } from '../../proof/note.ts';
import { openCheckpoint } from '../../proof/note-signature.ts';
import { type LogName, originOf } from '../log/logs.ts';
import { bundlesOf, type LogSource, logSource } from '../log/source.ts';
import { LogCopy } from './copy.ts';
import { KnownKeys } from './entry-check.ts';
import { Equivocation, follow, type SignedTree } from './follow.ts';
import { signed } from './keys.ts';
import {
  type LogKey,
  logKeysText,
  namedLogKeys,
  serviceLogKeys,
  type TrustedLogKeys,
  unique,
  verifiersOf,
} from './log-keys.ts';

/** The key log comes first: it says by whom the others are signed. */
const IN_ORDER = ['keys', 'receipts', 'revocations'] as const satisfies readonly LogName[];
/** A log that does not grow signs anew every ten minutes. */
const LATE_MS = 660_000;
const KEYS_FILE = 'trusted-log-keys';
/** So many entries that are wrong are told one by one. */
const PROBLEMS_MAX = 100;

/** What became of a log in a round. */
interface LogState {
  origin: string;
  tree_size: number;
  root_hash: string;
  new_entries: number;
  /** How old the checkpoint is, by the time in its signature; null where that states none. */
  age_seconds: number | null;
}

/** What a round found. */
export interface Round {
  at: string;
  place: string;
  logs: Partial<Record<LogName, LogState>>;
  /** What is wrong and no equivocation, one sentence each. */
  problems: string[];
}

/** What a monitor is told of as it works. */
export interface Hearing {
  say(sentence: string): void;
  /** So many entries of a log were fetched of so many. */
  progress(count: number, share: number): void;
}

/** Keeps a copy of an installation's logs in a directory, and sees that they only grow. */
export class Monitor {
  private readonly copies: Record<LogName, LogCopy>;
  private known = new KnownKeys();
  private trusted: TrustedLogKeys | null = null;
  /** Whether the key log was read once more in this round. */
  private hasAskedAgain = false;

  /** @param named keys that were given on the command line */
  constructor(
    private readonly state: string,
    private readonly source: LogSource,
    private readonly named: readonly string[],
    private readonly clock: Clock,
    private readonly hearing: Hearing,
  ) {
    this.copies = {
      keys: LogCopy.open(state, 'keys'),
      receipts: LogCopy.open(state, 'receipts'),
      revocations: LogCopy.open(state, 'revocations'),
    };
  }

  /**
   * Fetches what is new of all logs and holds it against what was known.
   * @throws Equivocation once it is written down; Failure for whatever may go away by itself
   */
  async round(): Promise<Round> {
    this.trusted ??= await this.firstTrust();
    this.hasAskedAgain = false;
    const round: Round = {
      at: new Date(this.clock.now()).toISOString(),
      place: this.source.place,
      logs: {},
      problems: [],
    };
    for (const name of IN_ORDER) {
      try {
        round.logs[name] = await this.followLog(name, round.problems);
        this.keepTrust();
      } catch (error) {
        if (error instanceof Equivocation) throw this.recorded(error);
        throw error;
      }
    }
    return round;
  }

  /** The keys to begin with: those that were named, those of the runs before, or else the service's own. */
  private async firstTrust(): Promise<TrustedLogKeys> {
    const path = join(this.state, KEYS_FILE);
    const named = await namedLogKeys(this.named);
    const kept = existsSync(path) ? await namedLogKeys([path]) : null;
    if (kept !== null && named.origin !== null && named.origin !== kept.origin) {
      throw new Failure(
        `${this.state} is of ${kept.origin}, and the log keys are of ${named.origin}`,
        'name another directory with --state',
        2,
      );
    }
    let { origin, keys } = {
      origin: kept?.origin ?? named.origin,
      keys: [...(kept?.keys ?? []), ...named.keys],
    };
    if (keys.length === 0) {
      keys = (await serviceLogKeys(this.source.place)).keys;
      if (keys.length === 0)
        throw new Failure(`${this.source.place} gives no log keys`, 'name them by --log-key');
      this.hearing.say(
        'the log keys were taken from the service itself, and are held from here on: --log-key names them from elsewhere',
      );
    }
    // The first note's own word, which the keys then have to have signed.
    origin ??= commonOf(parseSigned(await this.source.read('receipts/checkpoint'), this.source.place));
    await this.readKnown();
    return { origin, keys: this.toldBy(this.known, unique(keys)) };
  }

  /** Writes down whom the log is believed to be signed by, once they have signed something. */
  private keepTrust(): void {
    if (this.trusted === null || this.trusted.origin === null) return;
    const path = join(this.state, KEYS_FILE);
    const text = logKeysText(this.trusted.keys, this.trusted.origin);
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeSecretFile(path, text);
  }

  /** The keys that a key log which trusted ones have signed makes of them: with those that it adds, without those that it reports. */
  private toldBy(known: KnownKeys, trusted: readonly LogKey[]): LogKey[] {
    const compromised = new Set(known.compromised());
    return unique([...trusted, ...known.logKeys(false).map(logKeyOf)]).filter(
      ({ publicKey }) => !compromised.has(publicKey),
    );
  }

  /** The key log as far as the copy has it. */
  private async readKnown(): Promise<void> {
    const known = new KnownKeys();
    const { last } = this.copies.keys;
    for await (const { start, entries } of bundlesOf(
      logSource(this.state),
      'keys',
      0,
      last?.checkpoint.size ?? 0,
    )) {
      for (const [at, entry] of entries.entries()) known.take(entry, start + at);
    }
    this.known = known;
  }

  private async followLog(name: LogName, problems: string[]): Promise<LogState> {
    const copy = this.copies[name];
    const opened = await this.open(name);
    const { checkpoint } = opened;
    const total = Math.max(checkpoint.size - copy.size, 1);
    const wrong = (index: number, what: string): void => {
      if (problems.length < PROBLEMS_MAX) problems.push(`entry ${index} of ${checkpoint.origin}: ${what}`);
    };
    const known = name === 'keys' ? this.known.copy() : this.known;
    const from = copy.size;
    const newEntries = await follow(copy, this.source, opened, async (entry, index) => {
      if (index % 64 === 0) this.hearing.progress(index - from, (index - from) / total);
      if (name === 'keys') {
        const problem = known.take(entry, index);
        if (problem !== null) wrong(index, problem);
        return;
      }
      let found = this.known.check(name, entry);
      if (found?.unknown === true && !this.hasAskedAgain) {
        // The key may be younger than what was read of the key log.
        this.hasAskedAgain = true;
        await this.followLog('keys', problems);
        found = this.known.check(name, entry);
      }
      if (found !== null) wrong(index, found.problem);
    });
    if (name === 'keys' && newEntries > 0) this.learn(known, from, wrong);
    const age = opened.seconds === null ? null : Math.round(this.clock.now() / 1000 - opened.seconds);
    if (age !== null && age * 1000 > LATE_MS)
      problems.push(`the newest checkpoint of ${checkpoint.origin} is ${Math.floor(age / 60)} minutes old`);
    return {
      origin: checkpoint.origin,
      tree_size: checkpoint.size,
      root_hash: bytesToHex(checkpoint.root),
      new_entries: newEntries,
      age_seconds: age,
    };
  }

  /** Takes up what a key log says that a trusted key has signed. */
  private learn(known: KnownKeys, from: number, wrong: (index: number, what: string) => void): void {
    for (const { index, what } of known.problems(from)) wrong(index, what);
    this.known = known;
    if (this.trusted === null) return;
    const before = this.trusted.keys.map(({ publicKey }) => publicKey);
    const keys = this.toldBy(known, this.trusted.keys);
    this.trusted = { origin: this.trusted.origin, keys };
    if (keys.map(({ publicKey }) => publicKey).join() !== before.join())
      this.hearing.say('the log keys have changed, as the key log says');
  }

  /** A log's newest checkpoint, signed by a trusted key. @throws Failure */
  private async open(name: LogName): Promise<SignedTree & { seconds: number | null }> {
    const bytes = await this.source.read(`${name}/checkpoint`);
    const { origin: common, keys } = this.trusted ?? { origin: '', keys: [] };
    const origin = originOf(common ?? '', name);
    const stated = parseSigned(bytes, this.source.place);
    if (stated.origin !== origin) {
      throw new Failure(
        `${this.source.place}/${name} is now ${shown(stated.origin)}, and was ${origin}`,
        'where the log was restarted under another name, begin another directory with --state for it',
      );
    }
    const known = name === 'keys' ? await this.vouchedBeyond(stated.size, keys) : keys;
    try {
      const { checkpoint, findings } = openCheckpoint(nativePrimitives, bytes, verifiersOf(known, origin));
      const seconds = findings.find(({ timestamp }) => timestamp !== null)?.timestamp ?? null;
      return { note: Buffer.from(bytes).toString(), checkpoint, seconds };
    } catch (error) {
      if (!(error instanceof NoteError || error instanceof CheckpointError)) throw error;
      throw new Failure(
        `the checkpoint of ${origin} is not trusted: ${error.message}`,
        `the trusted keys are in ${join(this.state, KEYS_FILE)}`,
      );
    }
  }

  /**
   * The trusted keys and those that new entries of the key log add, as far as a trusted one has signed the entry: after a long time
   * none of the former ones may sign any more.
   */
  private async vouchedBeyond(size: number, keys: readonly LogKey[]): Promise<readonly LogKey[]> {
    const trusted = [...keys];
    const ahead = this.known.copy();
    if (size <= ahead.size || size - ahead.size > AHEAD_MAX) return trusted;
    for await (const { start, entries } of bundlesOf(this.source, 'keys', ahead.size, size)) {
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
          signed(entry, signer, signature)
        );
      });
      if (isVouched) trusted.push(logKeyOf(entry));
    }
    return unique(trusted);
  }

  /** Writes an equivocation down: both notes, and what is known. */
  private recorded(found: Equivocation): Failure {
    const at = new Date(this.clock.now()).toISOString();
    const directory = join(this.state, `equivocation-${at.replaceAll(':', '-')}`);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const told = ({ checkpoint }: SignedTree) => ({
      origin: checkpoint.origin,
      tree_size: checkpoint.size,
      root_hash: bytesToHex(checkpoint.root),
    });
    const known = {
      log: found.log,
      place: this.source.place,
      seen_at: at,
      reason: found.message,
      before: told(found.before),
      after: told(found.after),
      trusted_log_keys: this.trusted?.keys ?? [],
    };
    writeSecretFile(join(directory, 'checkpoint-before'), found.before.note);
    writeSecretFile(join(directory, 'checkpoint-after'), found.after.note);
    writeSecretFile(join(directory, 'known.json'), `${JSON.stringify(known, null, 2)}\n`);
    syncPath(this.state);
    return new Failure(
      `EQUIVOCATION: ${found.after.checkpoint.origin} has told two stories, both signed by it: ${found.message}`,
      `both notes, and what is known, are in ${directory}: show them to whoever relies on the log`,
      2,
    );
  }
}

/** Beyond so many entries nobody follows a key log that no trusted key has signed. */
const AHEAD_MAX = 100_000;

function logKeyOf({ algorithm, public_key }: { algorithm: string; public_key: string }): LogKey {
  return { algorithm: algorithm === 'Ed25519' ? 'Ed25519' : 'ML-DSA-44', publicKey: public_key };
}

function commonOf({ origin }: Checkpoint): string {
  const suffix = originOf('', 'receipts');
  if (origin.endsWith(suffix)) return origin.slice(0, -suffix.length);
  throw new Failure(
    `${shown(origin)} is not the name of a receipts log`,
    'name where the logs lie, up to and with /log',
  );
}

/** What a note says, whoever signed it. @throws Failure for what is no signed checkpoint */
function parseSigned(bytes: Uint8Array, place: string): Checkpoint {
  try {
    return parseCheckpoint(parseNote(bytes).text);
  } catch (error) {
    throw new Failure(
      `what ${place} gives is no checkpoint: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Text of somebody else's on a terminal: no control characters, and not much of it. */
function shown(text: string): string {
  return JSON.stringify(text.slice(0, 255));
}
