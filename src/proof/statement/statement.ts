import type { DocumentReader } from '../document/document-reader.ts';
import { time } from '../document/forms.ts';
import type { SignedType } from '../keys/signed-types.ts';
import type { Primitives } from '../primitives.ts';

/** What a verifier learns from a statement about one thing, besides the signature. */
export interface StatementFacts {
  /** Whom or what the statement is about, and what it says. */
  about: Readonly<Record<string, string | number | boolean | null>>;
  /** The time of the statement: RFC 3339 in UTC with milliseconds. */
  dated: string;
  /** The end of its validity; null if it has none: it says what was true at its time. */
  until: string | null;
  /** Whether the service stands for the subject: not for one that was revoked, or that it denies. */
  subject: 'ok' | 'revoked' | 'denied';
  /** The DID of the service, where the statement names it. */
  issuer: string | null;
  /** What the statement says differently in two places, one sentence each. */
  contradictions: string[];
}

/** A kind of JSON object that the service signs with its key of purpose `credentials`. */
export interface StatementKind {
  /** The value of `type`. */
  type: SignedType;
  /** The kind in messages. */
  name: string;
  /** Whether earlier versions gave it a content_hash that is no part of what they signed; absent if not. */
  hadContentHash?: true;
  /** The longest time from its date to its end, in milliseconds; null for a kind that has no such limit. */
  lifetimeMs: number | null;
  /** Whether it names its issuer; absent if not. */
  namesIssuer?: true;
  /** Reads the members that a verifier uses. All others are signed too. */
  read(document: DocumentReader, primitives: Primitives): StatementFacts;
}

/** The statements that are dated by `as_of`, say `"signed": true`, and end at `valid_until`. */
export function signedResponse(document: DocumentReader): Pick<StatementFacts, 'dated' | 'until'> {
  document.member('signed').only(true);
  return datedBy(document, 'as_of');
}

/** Reads the date and the end of a statement. */
export function datedBy(document: DocumentReader, name: string): Pick<StatementFacts, 'dated' | 'until'> {
  return { dated: document.member(name).text(time), until: document.member('valid_until').text(time) };
}
