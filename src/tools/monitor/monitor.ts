import { Failure } from '../../platform/failure.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { type LogSource, logSource } from '../../platform/tlog/source.ts';
import { bytesToHex } from '../../proof/encoding/hex.ts';
import { type Checkpoint, CheckpointError } from '../../proof/log/checkpoint.ts';
import { commonOf, KEYS_FIRST, type LogName, mapLogs, originOf } from '../../proof/log/log-names.ts';
import { NoteError } from '../../proof/log/note.ts';
import { CheckpointKeeper } from './checkpoint-keeper.ts';
import { CheckpointPages } from './checkpoint-pages.ts';
import { describeNext } from './compare.ts';
import { continuationProblems } from './continued-logs.ts';
import { LogCopy } from './copy.ts';
import { EquivocationError, follow, type SignedTree } from './equivocation.ts';
import { storeEquivocation } from './equivocation-evidence.ts';
import { budgeted, FetchBudget, type FetchLimits } from './fetch-budget.ts';
import { EarliestDates } from './history/earliest-dates.ts';
import { entryDateCheck } from './history/entry-dates.ts';
import { EntryHistory } from './history/history.ts';
import { endProblems } from './keys/end-problems.ts';
import { ageOf, secondsIn, statedSeconds } from './keys/freshness.ts';
import { refuseManyKeys } from './keys/key-log-state.ts';
import { unique } from './keys/log-keys.ts';
import { PinnedKeys, type PinnedKeysStart } from './keys/pinned-keys.ts';
import { ProblemFile } from './problem-file.ts';
import { commonOfReceipts, parseSigned, shown } from './stated-checkpoint.ts';
import { PROBLEMS_MAX, sentencesOf, WrongEntries } from './wrong-entries.ts';

/** The state of a log after a round. */
interface LogState {
  origin: string;
  tree_size: number;
  root_hash: string;
  new_entries: number;
  /** The checkpoint's age, from the time in its signature; null when it has none. */
  age_seconds: number | null;
}

/** The report of a round. */
export interface Round {
  at: string;
  url: string;
  logs: Partial<Record<LogName, LogState>>;
  /** The problems other than equivocation, one sentence each. */
  problems: string[];
  /** The problems of entries from earlier rounds, from the problem file. */
  known: string[];
}

/** Gets the messages and the progress of a monitor. */
export interface MonitorListener {
  say(sentence: string): void;
  /** Reports the number of fetched entries of a log, and their share, 0 to 1. */
  progress(count: number, share: number): void;
}

/** Maintains a copy of an installation's logs in a directory, and verifies that the logs are append-only. */
export class Monitor {
  private readonly copies: Record<LogName, LogCopy>;
  private readonly pinnedKeys: PinnedKeys;
  private readonly source: LogSource;
  private readonly budget: FetchBudget;
  /** Its own, so that a hostile list does not keep the monitor from reading the logs. */
  private readonly listBudget: FetchBudget;
  private readonly keeper: CheckpointKeeper;
  private readonly problemFile: ProblemFile;
  private readonly history: EntryHistory;
  private hasHistory = false;
  private readonly earliestDates: EarliestDates;
  /** When the oldest of the checkpoints before this round was signed or read; null if unknown. */
  private secondsBefore: number | null = null;
  /** The sizes of the copies before this round. */
  private sizesBefore = mapLogs(() => 0);
  /** True if this round has already read the key log a second time. */
  private hasAskedAgain = false;
  /** True if the message about unknown ages was already shown. */
  private hasSaidTimeless = false;

  /**
   * @param keySources the keys from the command line
   * @param limits for downloads: bytes in 24 hours, and the duration of a round
   * @param api the service that lists checkpoints; null for a server that has only files
   */
  constructor(
    private readonly state: string,
    source: LogSource,
    keySources: readonly string[],
    private readonly clock: Clock,
    private readonly listener: MonitorListener,
    limits?: FetchLimits,
    api: URL | null = null,
  ) {
    this.budget = new FetchBudget(limits);
    this.listBudget = new FetchBudget(limits);
    this.source = budgeted(source, this.budget);
    this.copies = mapLogs((name) => LogCopy.open(state, name));
    this.history = EntryHistory.open(state);
    this.earliestDates = new EarliestDates(state);
    const say = (sentence: string): void => listener.say(sentence);
    this.pinnedKeys = new PinnedKeys(state, this.source, keySources, say);
    this.keeper = new CheckpointKeeper(this.copies.accounts, {
      source: this.source,
      keys: this.pinnedKeys,
      list: api && new CheckpointPages(api, 'accounts', this.listBudget),
      clock,
      say,
    });
    this.problemFile = new ProblemFile(state);
  }

  /**
   * Fetches the new entries of all logs and verifies them against the copy. A problem of an entry is stored
   * before the copy advances past the entry, and reported in every round until the problem file is removed.
   *
   * @param round is filled while the round runs, so that it has the results so far when an error is thrown
   * @throws Failure: with exit code 2 for an equivocation, after storing the evidence; otherwise for errors
   * that may be temporary
   */
  async round(round: Round = this.newRound()): Promise<Round> {
    this.budget.begin();
    this.listBudget.begin();
    round.known.push(...this.knownProblems());
    await this.pinnedKeys.begin(this.beginning(), async () =>
      commonOfReceipts(parseSigned(await this.source.read('receipts/checkpoint'), this.source.location)),
    );
    if (!this.hasHistory) round.problems.push(...(await this.readHistory()));
    this.hasAskedAgain = false;
    const begun = this.clock.now();
    this.sizesBefore = mapLogs((name) => this.copies[name].size);
    this.secondsBefore = this.earliestDates.of(this.oldestCopy(), begun);
    for (const name of KEYS_FIRST) {
      if (!this.pinnedKeys.known.hasLog(name)) continue;
      try {
        round.logs[name] = await this.followLog(name, round.problems);
        this.pinnedKeys.keep();
      } catch (error) {
        this.history.discard(error);
        // The copy may be ahead of the history now, as after a kill between them.
        this.hasHistory = false;
        if (error instanceof EquivocationError) {
          const at = timestampOf(this.clock.now());
          throw storeEquivocation(this.state, error, at, this.source.location, this.pinnedKeys.keys);
        }
        throw error;
      }
    }
    round.problems.push(...(await this.acrossLogs()));
    this.earliestDates.record(this.oldestCopy(), begun);
    return round;
  }

  /**
   * Compares the logs with one another after all were read. @returns the problems that were not reported
   * before
   */
  private async acrossLogs(): Promise<string[]> {
    const { origin, known, keys } = this.pinnedKeys;
    const readOf = (name: LogName) => {
      const { size, last } = this.copies[name];
      return { size, seconds: last === null ? null : secondsIn(last.note, last.checkpoint.origin, keys) };
    };
    const receipts = readOf('receipts');
    const wrongKeys = new WrongEntries(originOf(origin, 'keys'));
    wrongKeys.addAll(known.sizesBeyond(receipts.size, receipts.seconds));
    const { keys: keysBefore, receipts: receiptsBefore } = this.sizesBefore;
    // Entries that came with the event can be dated earlier, after a clock that was ahead.
    if (keysBefore > 0)
      wrongKeys.addAll(await endProblems(logSource(this.state), receiptsBefore, known.ends(keysBefore)));
    const copied = mapLogs((name) => this.copies[name].size);
    wrongKeys.addAll(await continuationProblems(logSource(this.state), origin, known.closedLogs(), copied));
    const read = { receipts, revocations: readOf('revocations'), accounts: readOf('accounts') };
    const problems = await this.history.compare(logSource(this.state), read);
    const at = timestampOf(this.clock.now());
    const fresh = this.problemFile.add(at, [...wrongKeys.sentences(), ...sentencesOf(origin, problems)]);
    this.history.commitCompared();
    return fresh;
  }

  /**
   * Returns when the oldest of the copy's checkpoints was signed, in seconds since 1970; null while one has
   * no time. A service whose clock is behind dates entries like its newest checkpoints, so none is earlier.
   */
  private oldestCopy(): number | null {
    const times = KEYS_FIRST.flatMap((name) => {
      const { last } = this.copies[name];
      return last === null ? [] : [secondsIn(last.note, last.checkpoint.origin, this.pinnedKeys.keys)];
    });
    const known = times.filter((time) => time !== null);
    return known.length === 0 || known.length < times.length ? null : Math.min(...known);
  }

  /** Closes the file of the history. */
  close(): void {
    this.history.close();
  }

  /** Reads the history from the copy. @returns the problems in it that were not reported before */
  private async readHistory(): Promise<string[]> {
    const { listener, problemFile, clock } = this;
    const fresh: string[] = [];
    let wrong = this.wrongEntries();
    await this.history.catchUp(logSource(this.state), this.copies, {
      progress: (count, share) => listener.progress(count, share),
      begin: () => {
        wrong = this.wrongEntries();
      },
      entryProblems: (name, problems) => wrong[name].addAll(problems),
      settled: (name) => {
        fresh.push(...problemFile.add(timestampOf(clock.now()), wrong[name].sentences()));
      },
    });
    this.hasHistory = true;
    return fresh;
  }

  private wrongEntries(): Record<LogName, WrongEntries> {
    return mapLogs((name) => new WrongEntries(originOf(this.pinnedKeys.origin, name)));
  }

  /** The path of the problem file. */
  get problemFilePath(): string {
    return this.problemFile.path;
  }

  /** Returns an empty report. */
  newRound(): Round {
    return {
      at: timestampOf(this.clock.now()),
      url: this.source.location,
      logs: {},
      problems: [],
      known: [],
    };
  }

  /** Reads the problem file; returns at most `PROBLEMS_MAX` problems and the number of the others. */
  private knownProblems(): string[] {
    const all = this.problemFile.all();
    const more = all.length - PROBLEMS_MAX;
    return more <= 0 ? all : [...all.slice(0, PROBLEMS_MAX), `${more} more in ${this.problemFile.path}`];
  }

  private beginning(): PinnedKeysStart {
    const { keys } = this.copies;
    const [name, last] =
      KEYS_FIRST.map((log) => [log, this.copies[log].last] as const).find(
        ([, checkpoint]) => checkpoint !== null,
      ) ?? [];
    const origin =
      name === undefined || last === null || last === undefined
        ? null
        : commonOf({ origin: last.checkpoint.origin, name });
    return { origin, keyLog: { size: keys.size, root: keys.root } };
  }

  private async followLog(name: LogName, problems: string[]): Promise<LogState> {
    const copy = this.copies[name];
    const cosigned = name === 'accounts' ? await this.keeper.read() : null;
    const opened = await this.open(name);
    const { checkpoint } = opened;
    const { origin } = checkpoint;
    if (name === 'keys') refuseManyKeys(checkpoint);
    const total = Math.max(checkpoint.size - copy.size, 1);
    const wrong = new WrongEntries(origin);
    const known = name === 'keys' ? this.pinnedKeys.known.copy() : this.pinnedKeys.known;
    const from = copy.size;
    const copySeconds = copy.last === null ? null : secondsIn(copy.last.note, origin, this.pinnedKeys.keys);
    const times = { before: this.secondsBefore, covered: opened.seconds };
    const dateProblem = name === 'keys' ? () => null : entryDateCheck(name, times);
    const followed = await follow(copy, this.source, opened, copySeconds, {
      entry: async (entry, index) => {
        if (index % 64 === 0) this.listener.progress(index - from, (index - from) / total);
        if (name === 'keys') {
          const problem = known.take(entry, index);
          if (problem !== null) wrong.add(index, problem);
          return;
        }
        let checked = this.pinnedKeys.known.check(name, entry, index);
        if (checked.isUnknownKey && !this.hasAskedAgain) {
          // The key may have been added after this round read the key log.
          this.hasAskedAgain = true;
          await this.followLog('keys', problems);
          checked = this.pinnedKeys.known.check(name, entry, index);
        }
        const problem = checked.problem ?? this.history.take(name, entry, index) ?? dateProblem(entry);
        if (problem !== null) wrong.add(index, problem);
        if (checked.finalizes !== null) wrong.addAll(this.history.finalize(checked.finalizes, index));
      },
      settled: () => {
        if (name === 'keys') {
          wrong.addAll(known.problems(from, this.pinnedKeys.origin));
          const keys = unique([...this.pinnedKeys.keys, ...known.logKeys()]);
          wrong.addAll(known.datedAfter(secondsIn(opened.note, origin, keys), from));
          if (from > 0) wrong.addAll(known.endsDatedBefore(this.secondsBefore, from));
        }
        if (name !== 'keys') wrong.addAll(this.history.settle());
        // If the process is killed after this, the stored keys still match the copy.
        this.pinnedKeys.keep();
        const sentences = wrong.sentences();
        this.problemFile.add(timestampOf(this.clock.now()), sentences);
        problems.push(...sentences);
      },
    });
    // After the copy: a killed process leaves the history behind it, never ahead.
    this.history.commit(name, copy);
    if ('olderBy' in followed) {
      problems.push(
        `the checkpoint of ${origin} is older than the copy: it has ${checkpoint.size} leaves, the copy ${copy.size}; a cache or a replica may be behind`,
      );
    } else if (name === 'keys' && followed.newEntries > 0) this.pinnedKeys.learn(known);
    if (cosigned !== null) problems.push(...(await this.keeper.keep(cosigned)));
    return {
      origin,
      tree_size: checkpoint.size,
      root_hash: bytesToHex(checkpoint.root),
      new_entries: 'newEntries' in followed ? followed.newEntries : 0,
      age_seconds: this.ageOf(opened, problems),
    };
  }

  /** Computes the age of a checkpoint with the keys after reading the key log. */
  private ageOf({ note, checkpoint: { origin } }: SignedTree, problems: string[]): number | null {
    const { seconds, problem, isTimeless } = ageOf(note, origin, this.pinnedKeys, this.clock.now());
    if (problem !== null) problems.push(`the newest checkpoint of ${origin} ${problem}`);
    if (isTimeless && !this.hasSaidTimeless) {
      this.hasSaidTimeless = true;
      this.listener.say(
        'the age of the checkpoints is unknown: the log has no known key that signs with a time (ML-DSA-44)',
      );
    }
    return seconds;
  }

  /** Fetches a log's newest checkpoint and verifies that a trusted key signed it. @throws Failure */
  private async open(name: LogName): Promise<SignedTree> {
    const bytes = await this.source.read(`${name}/checkpoint`);
    const origin = originOf(this.pinnedKeys.origin, name);
    const stated = parseSigned(bytes, this.source.location);
    if (stated.origin !== origin) {
      const next = await describeNext(logSource(this.state), this.source, this.pinnedKeys.keys);
      throw new Failure(
        `${this.source.location}/${name} is now ${shown(stated.origin)}, and was ${shown(origin)}: ${next}`,
        'for the logs that continue these, specify another directory with --state, and keep this one',
      );
    }
    try {
      const { checkpoint, checks } = await this.openBy(name, bytes, stated);
      return { note: Buffer.from(bytes).toString(), checkpoint, seconds: statedSeconds(checks) };
    } catch (error) {
      if (!(error instanceof NoteError || error instanceof CheckpointError)) throw error;
      throw new Failure(
        `the checkpoint of ${origin} is not trusted: ${error.message}`,
        `check the trusted keys in ${this.pinnedKeys.path}`,
      );
    }
  }

  /**
   * Opens a checkpoint with the trusted keys or, for the key log, with keys that its new entries add.
   * @throws NoteError, CheckpointError
   */
  private async openBy(name: LogName, bytes: Uint8Array, { origin, size }: Checkpoint) {
    const now = this.clock.now();
    try {
      return this.pinnedKeys.open(bytes, origin, now);
    } catch (error) {
      if (name !== 'keys' || !(error instanceof NoteError)) throw error;
      const beyond = await this.pinnedKeys.vouchedBeyond(size, now);
      try {
        return this.pinnedKeys.open(bytes, origin, now, beyond);
      } catch {
        // The first error is more useful than the missing cross-signature of new keys.
        throw error;
      }
    }
  }
}
