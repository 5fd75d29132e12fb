import type { JsonValue } from '../encoding/json.ts';
import { KnownMembers } from '../encoding/known-members.ts';
import { KnownNotes } from '../log/known-notes.ts';
import { KnownKeyEvents } from './known-key-events.ts';

/**
 * What was found of the parts that the bundles of a list have in common. It is for one set of keys, one
 * policy and one time.
 */
export class KnownParts {
  readonly #members = new KnownMembers();
  readonly notes = new KnownNotes();
  readonly keyEvents = new KnownKeyEvents();

  /** Parses a bundle as `parseJson`. @throws JsonError */
  readonly parse = (text: string): JsonValue => this.#members.parse(text);
}
