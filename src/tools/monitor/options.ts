import { InvalidArgumentError, Option } from 'commander';
import { FETCH_LIMITS, type FetchLimits } from './fetch-budget.ts';

/** The download limits from the command line: MiB and seconds. */
export interface LimitOptions {
  maxDownload: number;
  maxSeconds: number;
}

/** The option for the keys of the logs. */
export const LOG_KEY = [
  '--log-key <key|file>',
  'a key of the key log, which names the keys of the other logs: a log key (C2SP verifier key) or a file with log keys; may be repeated',
] as const;

/** Converts the options to limits. */
export function limitsOf({ maxDownload, maxSeconds }: LimitOptions): FetchLimits {
  return { mebibytes: maxDownload, seconds: maxSeconds };
}

/** Returns the option for the maximum download. */
export function maxDownload(description: string): Option {
  return new Option('--max-download <MiB>', description)
    .default(FETCH_LIMITS.mebibytes)
    .argParser((text) => wholeNumber(text, 'The value must be a whole number of MiB, 1 or more.'));
}

/** Returns the option for the maximum duration. */
export function maxSeconds(description: string): Option {
  return new Option('--max-seconds <seconds>', description)
    .default(FETCH_LIMITS.seconds)
    .argParser((text) => wholeNumber(text, 'The value must be a whole number of seconds, 1 or more.'));
}

function wholeNumber(text: string, message: string): number {
  const number = Number(text);
  if (/^\d{1,9}$/.test(text) && number >= 1) return number;
  throw new InvalidArgumentError(message);
}

/** Collects the values of a repeatable option. */
export function collected(value: string, before: string[] = []): string[] {
  return [...before, value];
}
