import { keyEntryText } from '../../src/proof/log/log-entry.ts';
import { otherForms } from './entry-forms.ts';
import { KeyLogMaker, type KeyLogStory, keyFor, keyLogOf, type PurposeKey } from './key-log-maker.ts';

const K = keyFor('keys-log', 4);
const L = keyFor('receipts-log', 2);
const R = keyFor('receipts', 1);
const R2 = keyFor('receipts', 0x21);
const C = keyFor('credentials', 3);
const E = keyFor('evidence-log', 6);

/** Begins a log with keys that are dated so many milliseconds after the first one. */
function begunAt(...keys: readonly [PurposeKey, number][]): KeyLogMaker {
  const maker = new KeyLogMaker().begin(K);
  for (const [key, milliseconds] of keys) maker.wait(milliseconds).begin(key).wait(-milliseconds);
  return maker;
}

const valid = (maker: KeyLogMaker): KeyLogStory => ({
  log: keyLogOf(maker, [K]),
  verdict: 'valid',
  problem: null,
});
const bad = (maker: KeyLogMaker, problem: string): KeyLogStory => ({
  log: keyLogOf(maker, [K]),
  verdict: 'bad_events',
  problem,
});

const begun = new KeyLogMaker().begin(K, R);

/** The next entry of a key that no other key signed, dated like the first one. */
const selfSigned = (maker: KeyLogMaker, key: PurposeKey): KeyLogMaker => maker.begin(key);

/** What a key may sign itself: nothing but its first entries, among the first ones of the log. */
export const BEGINNINGS: Readonly<Record<string, KeyLogStory>> = {
  'five-seconds': valid(begunAt([L, -5000], [R, 5000])),
  'after-five-seconds': bad(begunAt([L, 0], [R, 5001]), 'entry 4: it adds the key'),
  'before-five-seconds': bad(begunAt([L, 0], [R, -5001]), 'entry 4: it adds the key'),
  // Each is at most five seconds after the one before, and the last one more than that after the first.
  'step-by-step': bad(begunAt([L, 4000], [R, 8000]), 'entry 4: it adds the key'),
  'activated-after-five-seconds': bad(
    begunAt([L, 0]).event('added', R, R).wait(5001).event('activated', R, R),
    'entry 5: no other key than',
  ),
  // The clock was set back after the beginning. No rule is about this.
  'clock-set-back': valid(
    begun
      .copy()
      .wait(-3600_000)
      .event('added', R2, R, R2)
      .event('retired', R, R, R2)
      .event('activated', R2, R, R2),
  ),
  // The date is that of the beginning, and no other key has the purpose. But the beginning was over.
  'begun-again': bad(
    selfSigned(begun.copy().later().event('added', R2, R, R2).wait(-3600_000), C),
    'entry 5: it adds the key',
  ),
  'begun-after-another-signature': bad(
    selfSigned(begun.copy().event('added', C, K), E),
    'entry 5: it adds the key',
  ),
};

/** A rotation has begun. */
const ended = begun.copy().later().event('added', R2, R, R2);
const texts = ended.entries.map(keyEntryText);

/** Logs whose last leaf says the same as an entry, with other bytes. */
export const OTHER_FORMS: Readonly<Record<string, KeyLogStory>> = Object.fromEntries(
  otherForms(texts.at(-1) ?? '').map(({ key, text }) => [
    `entry-${key}`,
    {
      log: keyLogOf(ended, [K], texts.with(-1, text)),
      verdict: 'bad_events',
      problem: `entry ${texts.length - 1} is not an entry of a key log`,
    },
  ]),
);
