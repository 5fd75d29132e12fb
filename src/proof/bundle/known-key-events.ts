import { equalJson } from '../encoding/equal-json.ts';
import type { JsonValue } from '../encoding/json.ts';
import type { LogProof } from '../log/log-proof.ts';
import type { KeyEvents } from './key-events.ts';

/** The key events that are kept: more than a service has keys that sign at a time. */
const KEPT_MAX = 64;
/** Longer ones are not kept: a checkpoint can have a mebibyte. */
const TEXT_MAX = 65_536;

/** All that decides what is found of the key events of a bundle. */
export interface KeyEventsOf {
  /** The keys that signed; empty if any key can have signed. */
  kids: readonly JsonValue[];
  /** The proofs of the events, as the bundle has them. */
  value: JsonValue;
}

/** What was found: the parsed proofs, and what they show. */
export interface FoundKeyEvents {
  proofs: readonly LogProof[];
  events: KeyEvents;
}

/**
 * What was found of the key events of bundles before, by their exact JSON and the keys that signed: most
 * bundles of a list have the same. It is for one set of keys, one policy and one time.
 */
export class KnownKeyEvents {
  /** The newest first. */
  readonly #known: (KeyEventsOf & FoundKeyEvents)[] = [];

  /** Returns what was found before; null for nothing. */
  find({ kids, value }: KeyEventsOf): FoundKeyEvents | null {
    return (
      this.#known.find(
        (one) =>
          one.kids.length === kids.length &&
          one.kids.every((kid, index) => kid === kids[index]) &&
          equalJson(one.value, value),
      ) ?? null
    );
  }

  add(of: KeyEventsOf, found: FoundKeyEvents): void {
    if (JSON.stringify(of).length > TEXT_MAX) return;
    this.#known.unshift({ ...of, ...found });
    this.#known.splice(KEPT_MAX);
  }
}
