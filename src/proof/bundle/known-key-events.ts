import type { LogProof } from '../log/log-proof.ts';
import type { KeyEvents } from './key-events.ts';

/** The key events that are kept: more than a service has keys that sign at a time. */
const KEPT_MAX = 64;
/** Longer ones are not kept: a checkpoint can have a mebibyte. */
const TEXT_MAX = 65_536;

/**
 * What was found of the key events of bundles before, by their exact JSON and the keys that signed: most
 * bundles of a list have the same. It is for one set of keys, one policy and one time.
 */
export class KnownKeyEvents {
  readonly #known = new Map<string, { proofs: readonly LogProof[]; events: KeyEvents }>();

  /** Returns what was found before; null for nothing. */
  find(text: string): { proofs: readonly LogProof[]; events: KeyEvents } | null {
    return this.#known.get(text) ?? null;
  }

  add(text: string, found: { proofs: readonly LogProof[]; events: KeyEvents }): void {
    if (text.length > TEXT_MAX) return;
    this.#known.set(text, found);
    if (this.#known.size <= KEPT_MAX) return;
    const [oldest = text] = this.#known.keys();
    this.#known.delete(oldest);
  }
}
