import { InvalidArgumentError, Option } from 'commander';
import { FETCH_LIMITS, type FetchLimits } from './fetch-budget.ts';

/** The most that is fetched, in MiB, and the longest time in seconds, as the command line gives them. */
export interface LimitOptions {
  maxDownload: number;
  maxSeconds: number;
}

/** The flag that names the keys of a log. */
export const LOG_KEY = [
  '--log-key <key|file>',
  'a key that must sign the checkpoints of the log, as a verifier key or a file with keys; may be repeated',
] as const;

/** Returns the limits that the command line gives. */
export function limitsOf({ maxDownload, maxSeconds }: LimitOptions): FetchLimits {
  return { mebibytes: maxDownload, seconds: maxSeconds };
}

/** Makes the flag for the most that is fetched. */
export function maxDownload(description: string): Option {
  return new Option('--max-download <MiB>', description)
    .default(FETCH_LIMITS.mebibytes)
    .argParser((text) => wholeNumber(text, 'The value must be a whole number of MiB, 1 or more.'));
}

/** Makes the flag for the longest time. */
export function maxSeconds(description: string): Option {
  return new Option('--max-seconds <seconds>', description)
    .default(FETCH_LIMITS.seconds)
    .argParser((text) => wholeNumber(text, 'The value must be a whole number of seconds, 1 or more.'));
}

function wholeNumber(text: string, complaint: string): number {
  const number = Number(text);
  if (/^\d{1,9}$/.test(text) && number >= 1) return number;
  throw new InvalidArgumentError(complaint);
}

/** Collects the values of a flag that can be given again. */
export function collected(value: string, before: string[] = []): string[] {
  return [...before, value];
}
