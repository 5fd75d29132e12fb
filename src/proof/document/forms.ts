import { isHex } from '../encoding/hex.ts';
import { parseTimestamp } from '../encoding/timestamp.ts';
import type { TextForm } from './document-reader.ts';

export const hex = (bytes: number): TextForm => ({
  fits: (text) => isHex(text, bytes),
  words: `${bytes * 2} lower-case hexadecimal characters`,
});
export const matching = (pattern: RegExp, words: string): TextForm => ({
  fits: (text) => pattern.test(text),
  words,
});
/** Characters are code points. A lone surrogate has no UTF-8 encoding, so it cannot be signed. */
export const text = (longest: number): TextForm =>
  matching(new RegExp(`^[^\\p{Cs}]{1,${longest}}$`, 'u'), `1 to ${longest} characters`);
/** RFC 3339 in UTC with milliseconds, so that times compare as texts. */
export const time: TextForm = {
  fits: (value) => /^.{10}T.{8}\.\d{3}Z$/.test(value) && parseTimestamp(value) !== null,
  words: 'an RFC 3339 time in UTC with milliseconds',
};
export const did = matching(/^did:[a-z0-9]+:[\w.:%-]{1,512}$/, 'a DID');
export const thumbprint = matching(/^[\w-]{43}$/, '43 characters of base64url');
