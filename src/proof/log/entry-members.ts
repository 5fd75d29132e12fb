import { isHex } from '../encoding/hex.ts';
import { isJsonObject, JsonError, type JsonObject, type JsonValue, parseJson } from '../encoding/json.ts';
import { parseTimestamp } from '../encoding/timestamp.ts';

/** Reports text that is not a log entry, or values that do not make one. */
export class LogEntryError extends Error {
  override readonly name = 'LogEntryError';
}

/** Checks a SHA-256 in 64 lower-case hexadecimal characters. @throws LogEntryError, like all that follow */
export function hash(member: string, text: string): string {
  return check(member, text, (candidate) => isHex(candidate, 32));
}

/** Checks a thumbprint (RFC 7638): base64url of 32 bytes without padding. */
export function kid(text: string): string {
  return check('kid', text, (candidate) => /^[\w-]{43}$/.test(candidate));
}

/** Checks an RFC 3339 time in UTC with milliseconds. */
export function timestamp(member: string, text: string): string {
  return check(
    member,
    text,
    (candidate) => /^.{10}T.{8}\.\d{3}Z$/.test(candidate) && parseTimestamp(candidate) !== null,
  );
}

/** Checks a text by a test. */
export function check(member: string, text: string, fits: (text: string) => boolean): string {
  return fits(text) ? text : fail(`${member} does not have the required format`);
}

/** Parses the text of an entry to its members. */
export function membersOf(text: string): JsonObject {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return fail(error.message);
  }
  return isJsonObject(value) ? value : fail('not a JSON object');
}

/** Returns a member that is a string. */
export function textIn(members: JsonObject, member: string): string {
  const text = members[member];
  return typeof text === 'string' ? text : fail(`${member} is missing or not a string`);
}

/** Returns a member that is a number. */
export function numberIn(members: JsonObject, member: string): number {
  const number = members[member];
  return typeof number === 'number' ? number : fail(`${member} is not a number`);
}

/** Checks a position that counts from 1. */
export function position(member: string, number: number): number {
  if (Number.isSafeInteger(number) && number >= 1) return number;
  return fail(`${member} is not a whole number from 1 to 2^53 − 1`);
}

/**
 * Compares the text with the one formatted from the parsed members: additional members, spaces, another order
 * or a missing `v` differ.
 */
export function canonical<Entry>(text: string, written: string, entry: Entry): Entry {
  return text === written ? entry : fail('the entry is not the canonical text of its members');
}

/** Ends reading or writing an entry. */
export function fail(message: string): never {
  throw new LogEntryError(message);
}
