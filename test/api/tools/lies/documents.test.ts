import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { encodeBitstring } from '../../../../src/proof/credential/bitstring.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { eventHash } from '../../../../src/proof/evidence/event.ts';
import type { LogName } from '../../../../src/proof/log/log-names.ts';
import { summaryOf } from '../../../../src/proof/package/format.ts';
import {
  citedCheckpoint,
  FOREIGN,
  leavesOf,
  packageKeys,
  packageLogs,
  packageReceipt,
  referenceSet,
  signedPackage,
  sponsorPackage,
  unsignedPackage,
} from '../../../support/compliance-package.ts';
import type { Evidence } from '../../../support/dishonest/audience.ts';
import { byVerifiers, type Lie, type Shown, testLies } from '../../../support/dishonest/lies.ts';
import { bundleOf, entries, first, LOG, log, ofOther, second } from '../../../support/evidence-items.ts';
import { ruledPackage } from '../../../support/ruled-package.ts';
import {
  NOW as CREDENTIAL_NOW,
  CREDENTIALS_KEY,
  didKeyIssuer,
  signedCredential,
  unsignedCredential,
  unsignedList,
  WEB_ISSUER,
  webIssuer,
} from '../../../support/signed-credential.ts';
import { signedStatement } from '../../../support/signed-statement.ts';
import { keyRow, smallLog, testKey } from '../../../support/small-log.ts';

const BANK = 'did:web:bank.example';
const NOW = Date.parse('2026-06-01T12:01:00.000Z');

const shown = (document: Evidence['document'], files: Evidence['files'], now = NOW): Shown => ({
  evidence: { document, files, now },
});

/** A document of a kind that test/vectors has, with other members, signed again. */
const statement =
  (kind: string, changes: JsonObject, key = CREDENTIALS_KEY) =>
  (): Shown => {
    const text = readFileSync(join(import.meta.dir, `../../../vectors/${kind}/genuine.json`), 'utf8');
    const document = signedStatement({ ...JSON.parse(text), ...changes }, key);
    return shown(document, { keys: { ...packageKeys, issuer: didKeyIssuer(CREDENTIALS_KEY).issuer } });
  };

const AGENT = {
  subject_commitment: '6c28239a7b1942bb3d81d09a94e77cb5373e09bbcc2d06acbeccf344099b1caf',
  ...{ name: 'Clerk', evidence_count: 1, success_rate: 1, failure_rate: 0, sample_size: 1 },
  ...{ trajectory_7d: null, score: 21 },
};

/** A list of a log that continues one that was closed with an entry more than it shows. */
const afterClosing = (name: LogName, origin: string, size: number): JsonObject => ({
  log: { origin: 'restarted.example/keys' },
  closed_logs: [
    {
      ...{ log: name, origin, tree_size: size + 1, root_hash: 'c'.repeat(64), certain: true },
      ...{ at: '2026-05-20T12:00:00.000Z', log_index: 9 },
    },
  ],
});

const statements: Lie[] = [
  {
    lie: 'A leaderboard has an agent twice.',
    tell: statement('leaderboard', {
      agents: [
        { ...AGENT, rank: 1 },
        { ...AGENT, rank: 2 },
      ],
    }),
    noticed: byVerifiers('verdict: inconsistent'),
  },
  {
    lie: 'A leaderboard has the agent with more evidence below.',
    tell: statement('leaderboard', {
      agents: [
        { ...AGENT, rank: 1 },
        { ...AGENT, rank: 2, evidence_count: 9, subject_commitment: 'a'.repeat(64) },
      ],
    }),
    noticed: byVerifiers('verdict: inconsistent'),
  },
  {
    lie: 'A leaderboard leaves an agent out.',
    tell: statement('leaderboard', { agents: [] }),
    noticed: {},
    nobody: {
      asked: ['verify', 'python'],
      reason: 'Scores are the word of the operator. Only the agent knows what it has, and it can show it.',
    },
  },
  {
    lie: 'A decision of the gate is valid for years.',
    tell: statement('gate-decision', { valid_until: '2099-01-01T00:00:00.000Z' }),
    noticed: byVerifiers('verdict: misdated'),
  },
  {
    lie: 'A decision of the gate is dated years ahead.',
    tell: statement('gate-decision', {
      as_of: '2036-01-01T00:00:00.000Z',
      valid_until: '2036-01-01T00:05:00.000Z',
    }),
    noticed: byVerifiers('verdict: future'),
  },
  {
    lie: 'A decision of the gate is signed by the key of receipts.',
    tell: statement('gate-decision', {}, testKey(1)),
    noticed: byVerifiers('verdict: key_unknown'),
  },
  {
    lie: 'A decision of the gate allows what its reason denies.',
    tell: statement('gate-decision', { reason: 'NOT_FOUND' }),
    noticed: byVerifiers('verdict: inconsistent'),
  },
  {
    lie: 'A decision of the gate is called a leaderboard.',
    tell: statement('gate-decision', { type: 'leaderboard' }),
    noticed: byVerifiers('verdict: malformed'),
  },
  {
    lie: 'A passport names the issuer of somebody else.',
    tell: statement('passport', { issuer: BANK }),
    noticed: byVerifiers('verdict: issuer_unknown'),
  },
  {
    lie: 'A passport has the public key of another agent.',
    tell: statement('passport', { public_key: testKey(10).public_key }),
    noticed: byVerifiers('verdict: inconsistent'),
  },
  {
    lie: 'A meter receipt charges other credits than its signature is of.',
    tell: () => {
      const { evidence } = statement('meter', {})();
      const document = { ...Object(evidence?.document), credits_charged: 1 };
      return shown(document, { keys: packageKeys });
    },
    noticed: byVerifiers('verdict: bad_signature'),
  },
];

const CREDENTIAL_KEYS = { keys: [keyRow(CREDENTIALS_KEY, 'credentials')], issuer: WEB_ISSUER };
const credential = (document: JsonObject, status?: JsonObject) => (): Shown =>
  shown(document, { keys: CREDENTIAL_KEYS, ...(status && { status }) }, CREDENTIAL_NOW);

const GENUINE = signedCredential(unsignedCredential());
const { credentialStatus } = unsignedCredential();

const credentials: Lie[] = [
  {
    lie: 'A credential is issued in the name of somebody else.',
    tell: credential(
      signedCredential(unsignedCredential({ issuer: BANK }), {
        method: webIssuer(CREDENTIALS_KEY, BANK).method,
      }),
    ),
    noticed: byVerifiers('verdict: issuer_unknown'),
  },
  {
    lie: 'The proof of a credential names the key of another issuer.',
    tell: credential(
      signedCredential(unsignedCredential(), { method: webIssuer(CREDENTIALS_KEY, BANK).method }),
    ),
    noticed: byVerifiers('verdict: key_unknown'),
  },
  {
    lie: 'A credential counts more evidence than the log that it cites has.',
    tell: credential(
      signedCredential(
        unsignedCredential({
          credentialSubject: {
            id: didKeyIssuer(testKey(4)).issuer,
            totals: { evidence_count: 1_000_000 },
            checkpoint: { evidence: { tree_size: 3 } },
          },
        }),
      ),
    ),
    noticed: byVerifiers('verdict: inconsistent'),
  },
  {
    lie: 'A credential is valid for years.',
    tell: credential(signedCredential(unsignedCredential({ validUntil: '2099-01-01T00:00:00.000Z' }))),
    noticed: byVerifiers('verdict: malformed'),
  },
  {
    lie: 'The proof of a credential is dated years back.',
    tell: credential(signedCredential(unsignedCredential(), { created: '2020-01-01T00:00:00Z' })),
    noticed: byVerifiers('verdict: misdated'),
  },
  {
    lie: 'The proof of a credential is dated years ahead.',
    tell: credential(signedCredential(unsignedCredential(), { created: '2036-01-01T00:00:00Z' })),
    noticed: byVerifiers('verdict: not_yet_valid'),
  },
  {
    lie: 'A revoked credential is shown with the status list from before, which has expired.',
    tell: credential(
      GENUINE,
      signedCredential(
        unsignedList([], { validFrom: '2026-04-30T12:00:00.000Z', validUntil: '2026-05-01T12:00:00.000Z' }),
      ),
    ),
    noticed: byVerifiers('verdict: status_unknown'),
  },
  {
    lie: 'A revoked credential is shown with another status list.',
    tell: credential(
      GENUINE,
      signedCredential(unsignedList([], { id: 'https://trust.example/api/v1/credentials/status/2' })),
    ),
    noticed: byVerifiers('verdict: status_unknown'),
  },
  {
    lie: 'A revoked credential is shown with the status list of another issuer.',
    tell: credential(
      GENUINE,
      signedCredential(unsignedList([], { issuer: BANK }), {
        method: webIssuer(CREDENTIALS_KEY, BANK).method,
      }),
    ),
    noticed: byVerifiers('verdict: status_unknown'),
  },
  {
    lie: 'A revoked credential is shown with a list of suspensions.',
    tell: credential(
      GENUINE,
      signedCredential(
        unsignedList([], {
          credentialSubject: {
            ...Object(unsignedList([]).credentialSubject),
            statusPurpose: 'suspension',
          },
        }),
      ),
    ),
    noticed: byVerifiers('verdict: status_unknown'),
  },
  {
    lie: 'A status list is too short for the place of the credential.',
    tell: credential(
      GENUINE,
      signedCredential(
        unsignedList([], {
          credentialSubject: {
            ...Object(unsignedList([]).credentialSubject),
            encodedList: encodeBitstring(new Uint8Array(1), gzipSync),
          },
        }),
      ),
    ),
    noticed: byVerifiers('verdict: status_unknown'),
  },
  {
    lie: 'The place of a credential is beyond its status list.',
    tell: credential(
      signedCredential(
        unsignedCredential({
          credentialStatus: { ...Object(credentialStatus), statusListIndex: '99999999' },
        }),
      ),
      signedCredential(unsignedList([])),
    ),
    noticed: byVerifiers('verdict: malformed'),
  },
];

const packaged =
  (document: JsonObject, keys: JsonObject = {}) =>
  (): Shown =>
    shown(document, { keys: { ...packageKeys, ...keys } });
const assessment = (changes: JsonObject): JsonObject =>
  signedPackage({ ...unsignedPackage('assessment'), ...changes });
const { checkpoints } = unsignedPackage('assessment');
/** The cited checkpoints, and instead of that of receipts another one. */
const citing = (other: JsonObject): JsonObject[] =>
  (Array.isArray(checkpoints) ? checkpoints : []).map((one) =>
    Object(one).log === 'receipts' ? { ...Object(one), ...other } : Object(one),
  );
const TIMED = testKey(20, 'ML-DSA-44');
const KEY_ROWS: JsonObject[] = Object(packageKeys.keys);
const { receipts } = packageLogs;
/** The log of receipts, signed with a time too. */
const timed = smallLog(receipts.origin, receipts.entries, [testKey(2), TIMED], NOW / 1000 - 3600);
const shadow = smallLog('shadow.example/receipts', receipts.entries, [testKey(2)]);

const packages: Lie[] = [
  {
    lie: 'A package cites a log that nobody else reads.',
    tell: packaged(assessment({ checkpoints: citing({ origin: shadow.origin, note: shadow.checkpoint }) })),
    noticed: byVerifiers('checkpoints: wrong_log'),
  },
  {
    lie: 'A package cites a closed log, smaller than it was, and it never had these entries.',
    tell: packaged(
      signedPackage(unsignedPackage('audit')),
      afterClosing('evidence', packageLogs.evidence.origin, packageLogs.evidence.entries.length),
    ),
    noticed: byVerifiers({ remark: 'closed_unbound' }),
  },
  {
    lie: 'A package states another size than the checkpoint that it cites.',
    tell: packaged(assessment({ checkpoints: citing({ tree_size: 7 }) })),
    noticed: byVerifiers('verdict: bad_checkpoint'),
  },
  {
    lie: 'A package is dated years back, and cites a checkpoint of today.',
    tell: packaged(
      assessment({
        generated_at: '2020-01-01T00:00:00.000Z',
        checkpoints: citing({ note: timed.checkpoint }),
      }),
      { keys: [...KEY_ROWS, keyRow(TIMED, 'receipts-log')] },
    ),
    noticed: byVerifiers('verdict: misdated'),
  },
  {
    lie: 'A package is dated years back, and cites checkpoints without a time.',
    tell: packaged(assessment({ generated_at: '2020-01-01T00:00:00.000Z' })),
    noticed: byVerifiers('verdict: misdated'),
  },
  {
    lie: 'A package is dated before the last day of its period, and cites checkpoints without a time.',
    tell: packaged(
      signedPackage({ ...unsignedPackage('audit', []), generated_at: '2026-05-30T23:58:59.999Z' }),
    ),
    noticed: byVerifiers('verdict: misdated'),
  },
  {
    lie: 'A package is dated before an entry that it cites, on the last day of its period.',
    tell: packaged(
      signedPackage({
        ...unsignedPackage('assessment'),
        generated_at: '2026-05-01T00:00:00.000Z',
        period: { from: '2026-05-01T00:00:00.000Z', to: '2026-05-02T00:00:00.000Z' },
      }),
    ),
    noticed: byVerifiers('verdict: misdated'),
  },
  {
    lie: 'A package is dated years ahead.',
    tell: packaged(assessment({ generated_at: '2036-01-01T00:00:00.000Z' })),
    noticed: byVerifiers('verdict: future'),
  },
  {
    lie: 'A package names the issuer of somebody else.',
    tell: packaged(assessment({ issuer: BANK }), { issuer: WEB_ISSUER }),
    noticed: byVerifiers('verdict: issuer_unknown'),
  },
  {
    lie: 'A package shows the entries that it likes, not those that follow from the root of the set.',
    tell: packaged(
      signedPackage(
        unsignedPackage('datacenter', [
          referenceSet(
            'receipts',
            leavesOf.receipts,
            Array.from({ length: 20 }, (_, place) => place),
          ),
        ]),
      ),
    ),
    noticed: byVerifiers('verdict: bad_sample'),
  },
  {
    lie: 'A package counts more entries in a set than the set has.',
    tell: packaged(
      signedPackage(
        unsignedPackage('audit', [{ ...referenceSet('evidence', leavesOf.evidence), count: 1_000_000 }]),
      ),
    ),
    noticed: byVerifiers('verdict: bad_sample'),
  },
  {
    lie: 'A package cites the evidence of another agent.',
    tell: packaged(
      signedPackage(
        unsignedPackage('audit', [referenceSet('evidence', [...leavesOf.evidence, FOREIGN.agent])]),
      ),
    ),
    noticed: byVerifiers('verdict: bad_sample'),
  },
  {
    lie: 'A package cites the receipts of another agent, and shows them.',
    tell: packaged(
      sponsorPackage(
        {},
        Array.from({ length: 67 }, (_, index) => packageReceipt(index, { agent_id: 'another-agent' })),
      ),
    ),
    noticed: byVerifiers('verdict: bad_receipt'),
  },
  {
    lie: 'A package cites the receipts of another agent, and shows none.',
    tell: packaged(
      signedPackage(
        unsignedPackage('assessment', [
          referenceSet(
            'receipts',
            leavesOf.receipts.map(([name, index]) => [name, Math.max(index - 1, 0)] as const),
          ),
        ]),
      ),
    ),
    noticed: { verify: { remark: 'not_shown' }, python: { remark: 'not_shown' } },
  },
  {
    lie: 'A package calls a control satisfied whose counts do not allow it.',
    tell: packaged(satisfied()),
    noticed: byVerifiers('verdict: inconsistent'),
  },
  {
    lie: 'A package leaves out half of what the logs have about the agent.',
    tell: packaged(
      signedPackage(
        unsignedPackage('datacenter', [referenceSet('receipts', leavesOf.receipts.slice(0, 17))]),
      ),
    ),
    noticed: {},
    nobody: {
      asked: ['verify', 'python'],
      reason: 'Entries of receipts do not say whose they are. Only the sponsor can compare with its own.',
    },
  },
];

/** A package whose controls are all satisfied. */
function satisfied(): JsonObject {
  const unsigned = ruledPackage();
  const controls = (Array.isArray(unsigned.controls) ? unsigned.controls : []).map((control) => ({
    ...Object(control),
    ...(Object(control).status === 'partial' && { status: 'satisfied' }),
  }));
  return signedPackage({ ...unsigned, controls, summary: summaryOf(controls) });
}

const EVIDENCE_KEYS = { keys: [keyRow(LOG, 'evidence-log')], log: { origin: 'receipts.example/keys' } };
const item = (document: JsonObject, proof?: string) => (): Shown =>
  shown(document, { keys: EVIDENCE_KEYS, ...(proof && { proof }) });

const evidence: Lie[] = [
  {
    lie: 'The proof of an item of evidence is of another item.',
    tell: item({ ...first }, log.proof(1)),
    noticed: byVerifiers('verdict: mismatch'),
  },
  {
    lie: 'An item of evidence is in a log that nobody else reads.',
    tell: item({ ...first }, smallLog('shadow.example/evidence', entries, [LOG]).proof(0)),
    noticed: byVerifiers('verdict: wrong_log'),
  },
  {
    lie: 'An item of evidence is in a closed log, smaller than it was, which never had it.',
    tell: () =>
      shown(
        { ...first },
        {
          keys: { ...EVIDENCE_KEYS, ...afterClosing('evidence', log.origin, entries.length) },
          proof: log.proof(0),
        },
      ),
    noticed: byVerifiers({ remark: 'closed_unbound' }),
  },
  {
    lie: 'An item of evidence is dated otherwise than its entry.',
    tell: item({ ...first, created_at: '2099-01-01T00:00:00.000Z' }, log.proof(0)),
    noticed: byVerifiers('verdict: mismatch'),
  },
  {
    lie: 'An item of evidence and its entry are dated years after the checkpoint.',
    tell: () => {
      const created_at = '2099-01-01T00:00:00.000Z';
      const late = entries.map((entry) => entry.replaceAll(first.created_at, created_at));
      const rows = [...EVIDENCE_KEYS.keys, keyRow(TIMED, 'evidence-log')];
      const proof = smallLog(log.origin, late, [LOG, TIMED], NOW / 1000).proof(0);
      return shown({ ...first, created_at }, { keys: { ...EVIDENCE_KEYS, keys: rows }, proof });
    },
    noticed: byVerifiers('verdict: misdated'),
  },
  {
    lie: 'An item of evidence and its entry are dated years ahead, and the checkpoint has no date.',
    tell: () => {
      const created_at = '2036-01-01T00:00:00.000Z';
      const late = entries.map((entry) => entry.replace(first.created_at, created_at));
      const proof = smallLog(log.origin, late, [LOG]).proof(0);
      return shown({ ...first, created_at }, { keys: EVIDENCE_KEYS, proof });
    },
    noticed: byVerifiers('verdict: future'),
  },
  {
    lie: 'An item of evidence has another payload than the agent signed.',
    tell: item({ ...first, payload: { sha: 'other' } }),
    noticed: byVerifiers('verdict: bad_signature'),
  },
  {
    lie: 'An item of evidence of one agent is shown as that of another.',
    tell: item({ ...ofOther, subject_commitment: first.subject_commitment }),
    noticed: byVerifiers('verdict: inconsistent'),
  },
  {
    lie: 'An item of evidence follows another item than the agent signed.',
    tell: item({ ...second, prev_event_hash: 'e'.repeat(64) }),
    noticed: byVerifiers('verdict: hash_mismatch'),
  },
  {
    lie: 'A bundle of evidence shows the payload of one item and the proof of another.',
    tell: item(bundleOf(first, log.manifest(1))),
    noticed: byVerifiers('verdict: mismatch'),
  },
  {
    lie: 'A bundle of evidence says that a checkpoint will have the item soon.',
    tell: item({ ...bundleOf(first, null), inclusion_reason: 'Repeat the request after a second.' }),
    noticed: byVerifiers('verdict: not_proven'),
  },
  {
    lie: 'A bundle of evidence is of a log that nobody else reads.',
    tell: item(bundleOf(first, smallLog('shadow.example/evidence', entries, [LOG]).manifest(0))),
    noticed: byVerifiers('verdict: wrong_log'),
  },
  {
    lie: 'A bundle of evidence shows the item of one agent with the key of another.',
    tell: item(bundleOf({ ...first, public_key: ofOther.public_key }, log.manifest(0))),
    noticed: byVerifiers('verdict: inconsistent'),
  },
  {
    lie: 'The log has an item with a payload that the agent never signed, and its bundle is shown.',
    tell: () => {
      const payload_digest = 'd'.repeat(64);
      const forged = { ...first, payload_digest };
      const event_commitment_hash = eventHash(nativePrimitives, forged);
      const leaf = (entries[0] ?? '')
        .replace(first.payload_digest, payload_digest)
        .replace(first.event_commitment_hash, event_commitment_hash);
      const made = smallLog(log.origin, [leaf], [LOG]).manifest(0);
      return item(bundleOf({ ...forged, event_commitment_hash }, made))();
    },
    noticed: byVerifiers({ remark: 'whether the agent signed the payload' }),
  },
  {
    lie: 'An item of evidence has another outcome than it had.',
    tell: item({ ...first, outcome: 'failure' }, log.proof(0)),
    noticed: {},
    nobody: {
      asked: ['verify', 'python'],
      reason: 'Neither the agent nor the log signs the outcome: it is what the service made of the payload.',
    },
  },
];

const vector = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(join(import.meta.dir, '../../../vectors/cose-receipt', name)));
/** A COSE receipt of test/vectors with an entry. */
const cose = (receipt: string, entry: string) => (): Shown =>
  shown(vector(receipt), { keys: Buffer.from(vector('keys.json')).toString(), entry: vector(entry) });

const coseReceipts: Lie[] = [
  {
    lie: 'A COSE receipt is shown with the entry of another receipt.',
    tell: cose('receipt.cose', 'other-entry.json'),
    noticed: byVerifiers('verdict: bad_signature'),
  },
  {
    lie: 'A COSE receipt is of another log of the same key.',
    tell: cose('other-log-of-key.cose', 'entry.json'),
    noticed: byVerifiers('verdict: wrong_log'),
  },
  {
    lie: 'A COSE receipt is signed by another key.',
    tell: cose('other-key.cose', 'entry.json'),
    noticed: byVerifiers('verdict: key_unknown'),
  },
];

const both = ['verify', 'python'] as const;

testLies(
  'documents',
  [
    { truth: 'a decision of the gate', tell: statement('gate-decision', {}), accepted: both },
    { truth: 'a leaderboard', tell: statement('leaderboard', {}), accepted: both },
    { truth: 'a passport', tell: statement('passport', {}), accepted: both },
    { truth: 'a meter receipt', tell: statement('meter', {}), accepted: both },
    {
      truth: 'a credential',
      tell: credential(GENUINE, signedCredential(unsignedList([]))),
      accepted: both,
    },
    {
      truth: 'a package',
      tell: packaged(assessment({ checkpoints: citing(citedCheckpoint('receipts')) })),
      accepted: both,
    },
    { truth: 'a package by rules', tell: packaged(signedPackage(ruledPackage())), accepted: both },
    { truth: 'a package for the sponsor', tell: packaged(sponsorPackage()), accepted: both },
    { truth: 'a COSE receipt', tell: cose('receipt.cose', 'entry.json'), accepted: both },
    { truth: 'an item of evidence', tell: item({ ...first }, log.proof(0)), accepted: both },
    { truth: 'a bundle of evidence', tell: item(bundleOf(first, log.manifest(0))), accepted: both },
  ],
  [...statements, ...credentials, ...packages, ...evidence, ...coseReceipts],
);
