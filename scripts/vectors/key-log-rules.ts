import { KeyLogMaker, type KeyLogStory, keyFor, keyLogOf, type PurposeKey } from './key-log-maker.ts';

const K = keyFor('keys-log', 4);
const K2 = keyFor('keys-log', 0x34);
const K3 = keyFor('keys-log', 0x44);
const L = keyFor('receipts-log', 2);
const M = keyFor('receipts-log', 0x42, 'ML-DSA-44');
const R = keyFor('receipts', 1);
const R2 = keyFor('receipts', 0x21);
const R3 = keyFor('receipts', 0x31);

const bad = (maker: KeyLogMaker, problem: string, signer = K): KeyLogStory => ({
  log: keyLogOf(maker, [signer]),
  verdict: 'bad_events',
  problem,
});
const unsigned = (maker: KeyLogMaker, signer: PurposeKey): KeyLogStory => ({
  log: keyLogOf(maker, [signer]),
  verdict: 'bad_checkpoint',
  problem: 'log.checkpoint: no trusted key',
});

const begun = new KeyLogMaker().begin(K, L, R).later();
const added = begun.copy().event('added', R2, R, R2).later();
const rotated = added.copy().event('retired', R, R, R2).event('activated', R2, R, R2).later();
/** The key log has a new key, and the old one is as it was. */
const followed = begun
  .copy()
  .event('added', K2, K, K2)
  .event('retired', K, K, K2)
  .event('activated', K2, K, K2);

/** Entries that others could append, and logs that others could sign: one for each rule. */
export const RULES: Readonly<Record<string, KeyLogStory>> = {
  'added-again': bad(rotated.copy().event('added', R, K, R), `entry 9: key`),
  'activated-again': bad(rotated.copy().event('activated', R2, K), 'entry 9: key'),
  'activated-unknown': bad(begun.copy().event('activated', R2, K), 'entry 6: key'),
  'retired-before': bad(added.copy().event('retired', R2, K), 'entry 7: key'),
  'retired-compromised': bad(
    rotated.copy().event('compromised', R2, K).event('retired', R2, K),
    'entry 10: key',
  ),
  'compromised-twice': bad(
    rotated.copy().event('compromised', R2, K).event('compromised', R2, K),
    'entry 10: key',
  ),
  // Its successor is of its purpose and algorithm, but not of the log of keys.
  'reported-by-successor': bad(rotated.copy().event('compromised', R, R2), 'entry 9: it reports the key'),
  // The key that reports is of the purpose that may report, but it is the one that is reported.
  'key-log-key-by-itself': bad(
    begun.copy().event('added', K2, K, K2).event('compromised', K, K),
    'entry 7: it reports the key',
    K2,
  ),
  // A key of the key log that was reported adds a key of receipts.
  'added-by-reported': bad(
    followed.copy().event('compromised', K, K2).later().event('added', R3, K, R3),
    'entry 10: it adds the key',
    K2,
  ),
  // A rotation is of keys of one algorithm.
  'other-algorithm': bad(begun.copy().event('added', M, L), 'entry 6: it adds the key'),
  // Signed by the key itself and by one that may not.
  'other-rotation': bad(begun.copy().event('added', R2, L, R2), 'entry 6: it adds the key'),
  // Only a row of an ML-DSA-44 key may have another kid.
  misnamed: bad(begun.copy().event('added', { ...M, kid: L.kid.replace(/^./, 'b') }, K), 'entry 6: '),
  // The first signature would do, and the second is another key's.
  'second-signature': bad(withLast(added, R2, R), 'entry 6: its signature by'),
  'log-of-receipts': {
    log: keyLogOf(begun, [L], undefined, 'receipts.example/receipts'),
    verdict: 'malformed',
    problem: 'log.origin is not',
  },
  // A key of the log of keys brings another one.
  followed: { log: keyLogOf(followed, [K2]), verdict: 'valid', problem: null },
  // A key that another one brought brings a third.
  'followed-twice': {
    log: keyLogOf(followed.copy().later().event('added', K3, K2, K3), [K3]),
    verdict: 'valid',
    problem: null,
  },
  // Only the new key itself signed its entry.
  'not-brought': unsigned(begun.copy().event('added', K2, K2), K2),
  'brought-by-another-log': unsigned(begun.copy().event('added', K2, L, K2), K2),
  'brought-after-the-report': unsigned(
    followed.copy().event('compromised', K, K2).later().event('added', K3, K, K3),
    K3,
  ),
  'brought-and-reported': unsigned(followed.copy().later().event('compromised', K2, K), K2),
};

/** Returns a log whose last signature of the last entry is by another key than it says. */
function withLast(maker: KeyLogMaker, named: PurposeKey, signer: PurposeKey): KeyLogMaker {
  const copy = maker.copy();
  const entry = copy.entries.pop();
  const signature = entry?.signatures.find(({ kid }) => kid === signer.kid)?.signature;
  if (entry === undefined || signature === undefined) throw new Error('the signer signed the last entry');
  const signatures = [
    ...entry.signatures.filter(({ kid }) => kid !== named.kid),
    { kid: named.kid, signature },
  ];
  copy.entries.push({ ...entry, signatures });
  return copy;
}
