import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { POLICY, RECEIPT_KEY } from '../../test/support/made-account.ts';
import { keyRow } from '../../test/support/small-log.ts';
import { CASES, LOG_KEYS, RECEIPTS } from './linked-receipt-cases.ts';

/** A case as test/vectors/linked-receipt/receipts.json has it. */
export interface StoredCase {
  name: string;
  receipt: string;
  manifest: string;
  keys: string;
  policy: string | null;
  at: string;
  verdict: string | null;
  checks: Record<string, string>;
  accepted: boolean;
}

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
/** The trusted keys, with this about the key of the log of accounts. */
const keysWith = (changes: JsonObject = {}, log: JsonObject = { origin: 'made.example/keys' }): string =>
  pretty({
    keys: [
      keyRow(RECEIPT_KEY, 'receipts'),
      keyRow(LOG_KEYS.receipts, 'receipts-log'),
      keyRow(LOG_KEYS.accounts, 'accounts-log', changes),
    ],
    ...(Object.keys(log).length > 0 && { log }),
  });
const valid_until = '2026-05-01T11:00:00.000Z';

/** The texts of the manifests of all cases. Several cases have the same one, under the name of the first. */
const MANIFESTS = CASES.map(({ manifest }) => (typeof manifest === 'string' ? manifest : pretty(manifest)));
const manifestFile = (index: number): string => {
  const first = CASES[MANIFESTS.indexOf(MANIFESTS[index] ?? '')];
  return `${first?.name.replaceAll(/[^a-z0-9]+/gi, '-')}.manifest.json`;
};

const ROWS = CASES.map(({ name, receipt, verdict, checks, ...others }, index): StoredCase => {
  const { keys = 'keys.json', policy = null, at = '2026-06-01T12:01:00.000Z' } = others;
  const given = { receipt: `${receipt}.json`, manifest: manifestFile(index), keys, policy, at };
  const accepted = verdict === 'valid' && Object.values(checks).every((check) => /^(ok|none)$/.test(check));
  return { name, ...given, verdict, checks, accepted };
});

/** Returns the content of each file of test/vectors/linked-receipt, by its name. */
export function linkedReceiptVectors(): ReadonlyMap<string, string> {
  return new Map([
    ['receipts.json', `[\n${ROWS.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`],
    ['keys.json', keysWith()],
    ['keys-without-log.json', keysWith({}, {})],
    ['keys-other.json', keysWith({}, { origin: 'later.example/keys' })],
    ['keys-ended.json', keysWith({ status: 'retired', valid_until })],
    ['keys-compromised.json', keysWith({ status: 'compromised', valid_until })],
    ['policy.txt', POLICY],
    ['none.txt', 'quorum none\n'],
    ...Object.entries(RECEIPTS).map(([name, receipt]): [string, string] => [`${name}.json`, pretty(receipt)]),
    ...MANIFESTS.map((text, index): [string, string] => [manifestFile(index), text]),
  ]);
}
