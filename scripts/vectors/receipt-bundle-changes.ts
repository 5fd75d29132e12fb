import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { A_YEAR_LATER, BUNDLES, changed, failed, malformed, TWO } from './receipt-bundle-case.ts';
import {
  bundleOf,
  earlierEventOf,
  eventOf,
  eventsOf,
  KEYS,
  linkedOf,
  logOf,
  pathOf,
  proofOf,
  RECEIPTS,
  statusOf,
} from './receipt-bundle-parts.ts';

const without = (name: string, { [name]: _, ...others }: JsonObject): JsonObject => others;
const { final, pending, other, revoked } = RECEIPTS;
const withHashes = (count: number): JsonObject => ({
  ...proofOf(final),
  hashes: Array<string>(count).fill(Buffer.alloc(32).toString('base64')),
});

/** Bundles with other parts than the genuine ones have. */
export const CHANGED_CASES = [
  // Parts that are cut.
  changed(
    'without a type',
    'final',
    { type: undefined },
    { verdict: 'malformed', revocation: 'not_checked', problem: '' },
  ),
  changed('without a proof', 'final', { proof: undefined }, malformed('proof is missing')),
  changed('null for a proof, without a reason', 'final', { proof: null }, malformed('inclusion_reason')),
  changed('null for a proof, with a reason', 'final', { proof: null, inclusion_reason: 'x' }, {}),
  changed(
    'null for a proof, with a reason, and a policy',
    'final',
    { proof: null, inclusion_reason: 'x' },
    failed({ proof: 'missing', quorum: 'missing' }),
    { policy: 'two' },
  ),
  changed('a reason beside a proof', 'final', { inclusion_reason: 'x' }, malformed('inclusion_reason')),
  changed(
    'a reason that is too long',
    'pending',
    { inclusion_reason: 'x'.repeat(1025) },
    malformed('inclusion_reason'),
  ),
  changed('the longest reason', 'pending', { inclusion_reason: 'x'.repeat(1024) }, {}),
  changed('without a receipt', 'final', { receipt: undefined }, malformed('')),
  changed('without a status', 'final', { status: undefined }, malformed('status is missing')),
  changed('null for the status', 'final', { status: null }, failed({ status: 'malformed' })),
  changed('without key events', 'final', { key_events: undefined }, malformed('key_events is missing')),
  changed('no key events', 'final', { key_events: [] }, {}),
  changed(
    'no key events, and no keys',
    'final',
    { key_events: [] },
    failed({ key: 'unknown' }, { verdict: 'key_unknown', revocation: 'not_checked' }),
    {
      ...{ policy: 'logs', no_keys: true },
    },
  ),
  changed(
    'only the event of the status, and no keys',
    'witnessed',
    { key_events: [eventOf(KEYS.credentials, { witnesses: TWO })] },
    failed(
      { key: 'unknown', key_events: 'partly', status: 'ok', quorum: 'ok' },
      { verdict: 'key_unknown', revocation: 'ok' },
    ),
    {
      ...{ policy: 'logs', no_keys: true },
    },
  ),
  changed(
    'events that no quorum has seen, and no keys',
    'witnessed',
    { key_events: eventsOf({ witnesses: ['one'] }) },
    failed(
      { key: 'unknown', status: 'key_unknown', quorum: 'missing' },
      { verdict: 'key_unknown', revocation: 'not_checked' },
    ),
    { policy: 'logs', no_keys: true },
  ),
  changed(
    'only the event of the receipt, and no keys',
    'witnessed',
    { key_events: [eventOf(KEYS.receipts, { witnesses: TWO })] },
    failed({ status: 'key_unknown', key_events: 'partly' }),
    {
      ...{ policy: 'logs', no_keys: true },
    },
  ),
  changed('no leaves', 'linked', { linked: {} }, failed({ linked: 'missing' })),
  changed(
    'without the leaf of the issue',
    'linked',
    { linked: linkedOf(['finalized']) },
    failed({ linked: 'issue_unproven' }),
  ),
  changed(
    'without the leaf of the finalization',
    'linked',
    { linked: linkedOf(['issued']) },
    failed({ linked: 'missing' }),
  ),
  changed(
    'without the leaf of the revocation',
    'revoked',
    { linked: linkedOf(['issued', 'finalized']) },
    failed({ linked: 'missing' }, { verdict: 'revoked', revocation: 'revoked' }),
  ),
  // Members that are too much.
  changed('another member', 'final', { note: 'x' }, malformed('the bundle has other members')),
  changed(
    'another member of the receipt',
    'final',
    { receipt: { ...Object(BUNDLES.final?.receipt), note: 'x' } },
    malformed(''),
  ),
  changed(
    'another member of the proof',
    'final',
    { proof: { ...proofOf(final), note: 'x' } },
    malformed('proof has not'),
  ),
  changed(
    'a proof without a member',
    'final',
    { proof: without('log', proofOf(final)) },
    malformed('proof has not'),
  ),
  changed(
    'cosigned that is a text',
    'final',
    { proof: { ...proofOf(final), cosigned: 'yes' } },
    malformed('proof has not'),
  ),
  changed('a proof without cosigned', 'final', { proof: without('cosigned', proofOf(final)) }, {}),
  changed('cosigned that is wrong', 'final', { proof: { ...proofOf(final), cosigned: true } }, {}),
  changed(
    'another member of a leaf',
    'linked',
    { linked: { ...linkedOf(['issued', 'finalized']), linked: proofOf(final) } },
    malformed('linked has other members'),
  ),
  changed(
    'another member of the status',
    'final',
    { status: statusOf(final, { note: 'x' }) },
    failed({ status: 'malformed' }),
  ),
  changed('63 hashes', 'final', { proof: withHashes(63) }, failed({ proof: 'bad' })),
  changed('64 hashes', 'final', { proof: withHashes(64) }, malformed('proof has not')),
  changed(
    'three key events',
    'final',
    { key_events: [...eventsOf(), eventOf(KEYS.receipts)] },
    malformed('key_events is not an array'),
  ),
  changed(
    'an object of key events',
    'final',
    { key_events: { ...eventsOf() } },
    malformed('key_events is not an array'),
  ),
  changed('an array of leaves', 'linked', { linked: [] }, malformed('linked is not')),
  changed('null for leaves', 'linked', { linked: null }, malformed('linked is not')),
  // Parts of others.
  changed(
    'the receipt of another',
    'final',
    { receipt: Object(bundleOf(other).receipt) },
    failed({ proof: 'mismatch', status: 'mismatch' }),
  ),
  changed('the proof of another receipt', 'final', { proof: proofOf(other) }, failed({ proof: 'mismatch' })),
  changed(
    'an event in the place of the proof',
    'final',
    { proof: eventOf(KEYS.receipts) },
    failed({ proof: 'bad', key_events: 'bad' }),
  ),
  changed(
    'another index',
    'final',
    { proof: { ...proofOf(final), leaf_index: 0 } },
    failed({ proof: 'bad' }),
  ),
  changed(
    'the status of another receipt',
    'final',
    { status: statusOf(other) },
    failed({ status: 'mismatch' }),
  ),
  changed(
    'the status of a version before',
    'final',
    { status: statusOf(pending) },
    failed({ status: 'superseded' }),
  ),
  changed(
    'the status of the revoked version',
    'final',
    { status: statusOf(revoked) },
    failed({ status: 'revoked' }, { verdict: 'revoked', revocation: 'revoked' }),
  ),
  changed(
    'an old revocation',
    'final',
    { status: statusOf(revoked) },
    failed({ status: 'revoked' }, { verdict: 'revoked', revocation: 'revoked' }),
    { at: A_YEAR_LATER },
  ),
  changed(
    'a revoked receipt with the status from before',
    'revoked',
    { status: statusOf(final) },
    failed({ status: 'superseded' }, { verdict: 'revoked', revocation: 'revoked' }),
  ),
  changed(
    'a status that is valid for a year',
    'final',
    { status: statusOf(final, { valid_until: A_YEAR_LATER }) },
    failed({ status: 'misdated' }),
  ),
  changed(
    'a status of the future',
    'final',
    { status: statusOf(final, { checked_at: '2026-06-01T12:02:01.000Z' }) },
    failed({ status: 'future' }),
  ),
  changed(
    'an event of a key that signed nothing here',
    'final',
    { key_events: [eventOf(KEYS.keysLog)] },
    failed({ key_events: 'bad' }),
  ),
  changed(
    'an event of a key that signed nothing here, and a receipt without kid',
    'final',
    { receipt: without('kid', Object(BUNDLES.final?.receipt)), key_events: [eventOf(KEYS.keysLog)] },
    failed({ key_events: 'bad', proof: 'ok' }),
  ),
  changed(
    'two events of one key',
    'final',
    { key_events: [eventOf(KEYS.receipts), earlierEventOf(KEYS.receipts)] },
    failed({ key_events: 'bad' }),
  ),
  changed('an earlier event', 'final', { key_events: [earlierEventOf(KEYS.receipts)] }, {}),
  changed(
    'the proof of the receipt as an event',
    'final',
    { key_events: [proofOf(final)] },
    failed({ key_events: 'bad' }),
  ),
  changed(
    'an event with another index',
    'final',
    { key_events: [{ ...eventOf(KEYS.receipts), leaf_index: 0 }] },
    failed({ key_events: 'bad' }),
  ),
  changed(
    'an event of a key of ML-DSA-44',
    'final',
    { key_events: [pathOf(logOf('keys', 'with-post-quantum'), 10)] },
    failed({ key_events: 'bad' }),
  ),
  changed(
    'the leaves of another receipt',
    'blind',
    { linked: linkedOf(['issued', 'finalized']) },
    failed({ linked: 'mismatch' }),
  ),
  changed(
    'a leaf under the name of another act',
    'linked',
    {
      linked: {
        issued: Object(linkedOf(['finalized'])).finalized,
        finalized: Object(linkedOf(['issued'])).issued,
      },
    },
    {},
  ),
  changed(
    'the same leaf twice',
    'linked',
    {
      linked: { issued: Object(linkedOf(['issued'])).issued, finalized: Object(linkedOf(['issued'])).issued },
    },
    failed({ linked: 'mismatch' }),
  ),
  changed(
    'a leaf in the log of receipts',
    'linked',
    { linked: { issued: proofOf(final) } },
    failed({ linked: 'bad' }),
  ),
];
