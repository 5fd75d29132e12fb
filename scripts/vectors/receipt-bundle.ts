import type { JsonValue } from '../../src/proof/encoding/json.ts';
import type { Operation } from '../../test/support/json-patch.ts';
import { A_YEAR_LATER, BEYOND, BUNDLES, changed, failed, genuine, POLICIES } from './receipt-bundle-case.ts';
import { CHANGED_CASES } from './receipt-bundle-changes.ts';
import { LIST, LIST_RESULTS } from './receipt-bundle-list.ts';
import {
  closedRow,
  eventOf,
  eventsOf,
  KEY_DOCUMENT,
  KEYS,
  linkedOf,
  proofOf,
  RECEIPTS,
} from './receipt-bundle-parts.ts';

const { final } = RECEIPTS;
const CLOSED: Operation[] = [
  { op: 'replace', path: '/log/origin', value: 'later.example/keys' },
  {
    op: 'add',
    path: '/closed_logs',
    value: [closedRow('receipts'), closedRow('keys'), closedRow('accounts')],
  },
];
const WITHOUT_PROOF = failed({ proof: 'missing', quorum: 'missing' });
const WITHOUT_LOG: Operation[] = [{ op: 'remove', path: '/log' }];
const ENDED: Operation[] = [
  { op: 'replace', path: '/keys/0/status', value: 'compromised' },
  { op: 'replace', path: '/keys/0/valid_until', value: '2026-05-01T13:00:00.000Z' },
];

// The genuine ones that are verified as they are come last: their every change must be refused.
const CASES = [
  ...CHANGED_CASES,
  // Of another installation.
  changed(
    'the proof of another installation',
    'final',
    { proof: proofOf(final, [], BEYOND) },
    failed({ proof: 'wrong_log', key_events: 'bad' }),
  ),
  changed(
    'events of another installation',
    'final',
    { key_events: eventsOf({ common: BEYOND }) },
    failed({ key_events: 'wrong_log' }),
  ),
  changed(
    'leaves of another installation',
    'linked',
    { linked: linkedOf(['issued', 'finalized'], { common: BEYOND }) },
    failed({ linked: 'wrong_log' }),
  ),
  changed(
    'events of another installation, and any log',
    'final',
    { key_events: eventsOf({ common: BEYOND }) },
    failed({ key_events: 'bad', proof: 'ok' }),
    {
      ...{ any_log: true, keys_patch: WITHOUT_LOG },
    },
  ),
  changed(
    'events of two installations, and any log',
    'final',
    { key_events: [eventOf(KEYS.receipts), eventOf(KEYS.credentials, { common: BEYOND })] },
    failed({ key_events: 'bad', proof: 'ok' }),
    {
      ...{ any_log: true, keys_patch: WITHOUT_LOG },
    },
  ),
  changed(
    'leaves of another installation, and any log',
    'linked',
    { linked: linkedOf(['issued', 'finalized'], { common: BEYOND }) },
    failed({ linked: 'mismatch', proof: 'ok' }),
    {
      ...{ any_log: true, keys_patch: WITHOUT_LOG },
    },
  ),
  genuine('a list without log', 'final', failed({ proof: 'log_not_named', key_events: 'log_not_named' }), {
    keys_patch: WITHOUT_LOG,
  }),
  genuine('a list without log, and any log', 'final', {}, { keys_patch: WITHOUT_LOG, any_log: true }),
  genuine(
    'a list of another installation',
    'final',
    failed({ proof: 'wrong_log', key_events: 'wrong_log' }),
    {
      keys_patch: [{ op: 'replace', path: '/log/origin', value: `${BEYOND}/keys` }],
    },
  ),
  genuine('of a closed log', 'linked', {}, { keys_patch: CLOSED }),
  genuine('of a closed log that was smaller', 'final', failed({ proof: 'closed_size_contradicted' }), {
    keys_patch: [
      ...CLOSED.slice(0, 1),
      {
        op: 'add',
        path: '/closed_logs',
        value: [closedRow('receipts', { tree_size: 1 }), closedRow('keys')],
      },
    ],
  }),
  // Keys that ended.
  changed(
    'an event that ends the key before the receipt was logged',
    'final',
    { key_events: eventsOf({ story: 'compromised-before' }) },
    failed({ key: 'compromised', key_events: 'ok' }, { verdict: 'key_compromised' }),
  ),
  changed(
    'the end of the key, without the proof',
    'compromised',
    { proof: null, inclusion_reason: 'x' },
    failed({ key: 'compromised', key_events: 'ok' }, { verdict: 'key_compromised' }),
  ),
  genuine(
    'an event that ends the key later',
    'compromised',
    { checks: { key: 'trusted', key_events: 'ok' } },
    {
      keys_patch: [
        { op: 'replace', path: '/keys/0/status', value: 'retired' },
        { op: 'replace', path: '/keys/0/valid_until', value: '2026-05-01T13:00:00.000Z' },
      ],
    },
  ),
  genuine(
    'an end that only the list knows',
    'final',
    failed({ key: 'compromised' }, { verdict: 'key_compromised' }),
    { keys_patch: ENDED },
  ),
  changed(
    'a retired key, and an event from before',
    'compromised',
    { key_events: eventsOf({ story: 'retired' }) },
    {},
  ),
  // Old statuses.
  genuine('an old status', 'final', { checks: { status: 'ok' } }, { at: A_YEAR_LATER }),
  genuine('an old status, where a fresh one is asked for', 'final', failed({ status: 'expired' }), {
    at: A_YEAR_LATER,
    fresh: true,
  }),
  genuine('a fresh status', 'final', {}, { fresh: true }),
  // Witnesses.
  genuine('without cosignatures', 'linked', failed({ quorum: 'missing', linked: 'bad' }), { policy: 'two' }),
  changed(
    'no quorum of an event',
    'witnessed',
    { key_events: eventsOf({ witnesses: ['one'] }) },
    failed({ quorum: 'missing' }),
    { policy: 'two' },
  ),
  changed(
    'no quorum of a leaf',
    'witnessed',
    { linked: linkedOf(['issued', 'finalized'], { witnesses: ['two'] }) },
    failed({ linked: 'bad', quorum: 'missing' }),
    { policy: 'two' },
  ),
  changed(
    'no quorum of the proof',
    'witnessed',
    { proof: proofOf(final, ['one']) },
    failed({ quorum: 'missing' }),
    { policy: 'two' },
  ),
  genuine('a pending receipt, and a policy', 'pending', WITHOUT_PROOF, { policy: 'two' }),
  changed(
    'a pending receipt whose key events witnesses cosigned, and a policy',
    'pending',
    { key_events: eventsOf({ witnesses: ['one', 'two'] }) },
    WITHOUT_PROOF,
    { policy: 'two' },
  ),
  genuine(
    'a pending receipt, and a policy without a quorum',
    'pending',
    failed({ proof: 'missing', quorum: 'none' }),
    { policy: 'none' },
  ),
  changed(
    'null for the proof of what witnesses cosigned, and a policy',
    'witnessed',
    { proof: null, inclusion_reason: 'x' },
    WITHOUT_PROOF,
    { policy: 'two' },
  ),
  genuine('a policy without a quorum', 'final', { checks: { quorum: 'none' } }, { policy: 'none' }),
  genuine(
    'other keys in the log lines',
    'witnessed',
    failed({ status: 'key_unknown' }, { verdict: 'key_unknown', revocation: 'not_checked' }),
    {
      policy: 'two',
      keys_patch: [{ op: 'replace', path: '/keys', value: [Object(KEY_DOCUMENT.keys)[1]] }],
    },
  ),
  genuine(
    'witnesses, and a list of keys',
    'witnessed',
    { checks: { quorum: 'ok', linked: 'ok' } },
    { policy: 'two' },
  ),
  // As they are.
  genuine(
    'an ended key of which no list says it',
    'compromised-before',
    failed({ key: 'compromised', proof: 'ok' }, { verdict: 'key_compromised' }),
  ),
  genuine('a revoked receipt', 'revoked', {
    verdict: 'revoked',
    revocation: 'revoked',
    checks: { linked: 'ok', proof: 'ok' },
  }),
  genuine('a pending receipt', 'pending', { checks: { status: 'ok', key_events: 'ok' } }),
  genuine('a blind receipt', 'blind'),
  genuine('a receipt of a linked account', 'linked', { checks: { linked: 'ok' } }),
  genuine('a key that ended after the receipt was logged', 'compromised', {
    checks: { key: 'trusted', key_events: 'ok' },
  }),
  genuine(
    'witnesses, and no list of keys',
    'witnessed',
    { checks: { quorum: 'ok', key: 'trusted', key_events: 'ok' } },
    { policy: 'logs', no_keys: true },
  ),
  genuine('a final receipt', 'final', { checks: { proof: 'ok', status: 'ok', key_events: 'ok' } }),
];

const said = (path: string, says: string, page = 'bundles.md') => ({ path, page, says });
const UNSIGNED = [
  said('receipt.kid removed', 'Without a `kid`, any of these keys counts.', 'receipts.md'),
  ...['changed', 'of another type'].map((how) => said(`inclusion_reason ${how}`, 'Nothing signs the reason')),
  ...['proof', 'key_events[0]', 'key_events[1]', 'linked.issued', 'linked.finalized'].map((path) =>
    said(`${path}.cosigned removed`, 'Nothing signs `cosigned`'),
  ),
  ...['key_events changed', 'key_events[0] removed', 'key_events[1] removed'].map((path) =>
    said(path, 'Whoever passes a bundle on can leave out an event'),
  ),
  said('linked removed', 'can leave out `linked`'),
];

/** Returns the content of each file of test/vectors/receipt-bundle, by its name. */
export function receiptBundleVectors(): ReadonlyMap<string, string> {
  const pretty = (value: JsonValue): string => `${JSON.stringify(value, null, 2)}\n`;
  const rows = (values: readonly unknown[]): string =>
    `[\n${values.map((value) => JSON.stringify(value)).join(',\n')}\n]\n`;
  const lines = (values: readonly unknown[]): string =>
    values.map((value) => `${JSON.stringify(value)}\n`).join('');
  return new Map([
    ['list.ndjson', lines(LIST)],
    ['list-results.ndjson', lines(LIST_RESULTS)],
    ['keys.json', pretty(KEY_DOCUMENT)],
    ['cases.json', rows(CASES)],
    ['unsigned.json', rows(UNSIGNED)],
    ...Object.entries(POLICIES).map(([name, text]): [string, string] => [`${name}.txt`, text]),
    ...Object.entries(BUNDLES).map(([name, bundle]): [string, string] => [`${name}.json`, pretty(bundle)]),
  ]);
}
