import { nativePrimitives, signEd25519 } from '../../src/platform/crypto/crypto.ts';
import { subjectCommitment } from '../../src/proof/agent/commitment.ts';
import { type AgoraStep, agoraEntryHash, agoraStepMessage } from '../../src/proof/agora/entry.ts';
import { type AgoraAction, isOffer, statusAfter } from '../../src/proof/agora/negotiation.ts';
import type { PublishedProposal, PublishedStep } from '../../src/proof/agora/proposal.ts';
import { canonicalJson } from '../../src/proof/encoding/canonical-json.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import type { JsonValue } from '../../src/proof/encoding/json.ts';
import type { Operation } from '../../test/support/json-patch.ts';
import { keyRow, testKey } from '../../test/support/small-log.ts';

const AT = '2026-06-01T12:00:00.000Z';
const ID = 'agora_0197284f7a2b7c3d8e9f0a1b2c3d4e51';
const AUDIENCE = 'trust.example+JIjr24M6GMy8wl95wnsi9KkMsg2ESiqz7tDP_3_ge24';
const utf8 = new TextEncoder();

const party = (seed: number, context = 'passport-v1') => {
  const { privateKey, public_key } = testKey(seed);
  const commitment = subjectCommitment(nativePrimitives, public_key, context);
  return { privateKey, public: { commitment, public_key, context } };
};
const PARTIES = { buyer: party(9), seller: party(10, 'clinic-7'), other: party(11) };
type Name = keyof typeof PARTIES;

/**
 * A step: what is done by whom to whom, at which place in the ledger, and what is different from an honest
 * step.
 */
interface Move {
  action: AgoraAction;
  by: Name;
  to: Name;
  index: number;
  changes?: Partial<AgoraStep>;
  audience?: string;
  nonce?: string;
  expires_at?: string;
  signer?: Name;
  /** Another entry_hash than the digest of the step. */
  hash?: string;
}

/** Signs and chains the steps of a proposal. */
function negotiated(...moves: Move[]): PublishedProposal {
  const timeline: PublishedStep[] = [];
  for (const {
    action,
    by,
    to,
    index,
    changes = {},
    audience = AUDIENCE,
    signer = by,
    hash,
    ...auth
  } of moves) {
    const last = timeline.at(-1) ?? null;
    const step: AgoraStep = {
      index,
      prev_hash: last !== null && last.index === index - 1 ? last.entry_hash : 'e'.repeat(64),
      proposal_prev_hash: last?.entry_hash ?? null,
      action,
      commitment: PARTIES[by].public.commitment,
      to_commitment: PARTIES[to].public.commitment,
      terms: isOffer(action) ? { credits: 100 + index, task: 'Audit the invoices of June' } : null,
      timestamp: `2026-05-01T12:00:${String(timeline.length).padStart(2, '0')}.000Z`,
      agent_auth: {
        audience,
        nonce: `nonce-number-${String(index).padStart(4, '0')}`,
        expires_at: '2026-05-01T12:05:00Z',
        ...auth,
        signature: '0'.repeat(128),
      },
      ...changes,
    };
    const message = agoraStepMessage(nativePrimitives, ID, step);
    step.agent_auth.signature = bytesToHex(signEd25519(PARTIES[signer].privateKey, message));
    timeline.push({ ...step, entry_hash: hash ?? agoraEntryHash(nativePrimitives, ID, step) });
  }
  return proposalOf(timeline);
}

/** An offer and this many steps in all, the parties in turn. */
const offers = (count: number): Move[] =>
  Array.from({ length: count }, (_, taken) => ({
    ...(taken % 2 === 0 ? propose : counter),
    ...(taken > 0 && { action: 'counter' }),
    index: 4 + taken,
  }));

/** Returns a proposal that says of its steps what they say. */
function proposalOf(timeline: PublishedStep[]): PublishedProposal {
  const [first] = timeline;
  const last = timeline.at(-1);
  if (first === undefined || last === undefined) throw new Error('a proposal has steps');
  const { index, entry_hash, prev_hash, action } = last;
  return {
    agora_version: '1.0',
    proposal_id: ID,
    status: statusAfter(action),
    action,
    ledger_anchor: { index, entry_hash, prev_hash },
    from_commitment: first.commitment,
    to_commitment: first.to_commitment,
    terms: timeline.findLast(({ terms }) => terms !== null)?.terms ?? null,
    parties: [PARTIES.buyer.public, PARTIES.seller.public],
    timeline,
  };
}

const propose: Move = { action: 'propose', by: 'buyer', to: 'seller', index: 4 };
const counter: Move = { action: 'counter', by: 'seller', to: 'buyer', index: 5 };
const accept: Move = { action: 'accept', by: 'buyer', to: 'seller', index: 9 };
const accepted = negotiated(propose, counter, accept);

function stepOf({ timeline }: PublishedProposal, index: number): PublishedStep {
  const step = timeline[index];
  if (step === undefined) throw new Error(`the proposal has no step ${index}`);
  return step;
}

const FIRST = stepOf(accepted, 0).entry_hash;

/** Returns a proposal of an agent to itself, perhaps with a step after it. */
function ofOne(...actions: AgoraAction[]): PublishedProposal {
  const alone = { by: 'buyer', to: 'buyer' } as const;
  const steps = actions.map((action) => ({ action, ...alone, index: 9 }));
  const parties = [PARTIES.buyer.public, PARTIES.buyer.public];
  return { ...negotiated({ ...propose, ...alone }, ...steps), parties };
}

/**
 * Returns the accepted proposal with another time of its last step, hashed anew: the service hashes, and
 * nobody signs it.
 */
function redated(): PublishedProposal {
  const { entry_hash: _, ...last } = stepOf(accepted, 2);
  const step = { ...last, timestamp: '2026-05-01T13:00:00.000Z' };
  return proposalOf([
    ...accepted.timeline.slice(0, 2),
    { ...step, entry_hash: agoraEntryHash(nativePrimitives, ID, step) },
  ]);
}

const PROPOSALS: readonly [file: string, name: string, proposal: PublishedProposal, verdict: string][] = [
  ['accepted', 'an accepted proposal', accepted, 'valid'],
  ['proposed', 'a proposal of one step', negotiated(propose), 'valid'],
  ['rejected', 'a rejected proposal', negotiated(propose, { ...counter, action: 'reject' }), 'valid'],
  ['withdrawn', 'a withdrawn proposal', negotiated(propose, { ...accept, action: 'withdraw' }), 'valid'],
  [
    'earlier',
    'without its last step: an earlier state is valid too',
    proposalOf(accepted.timeline.slice(0, 2)),
    'valid',
  ],
  ['redated', 'another time of the last step, which nobody signed', redated(), 'valid'],
  ['no-beginning', 'without its first step', proposalOf(accepted.timeline.slice(1)), 'bad_step'],
  ['own-offer', 'the party that offered accepts', negotiated(propose, accept), 'bad_step'],
  [
    'after-end',
    'a step after the end',
    negotiated(propose, counter, accept, { ...counter, index: 10 }),
    'bad_step',
  ],
  [
    'withdrawn-by-other',
    'the party that received the offer withdraws it',
    negotiated(propose, { ...counter, action: 'withdraw' }),
    'bad_step',
  ],
  ['backwards', 'an index that is not greater', negotiated(propose, { ...counter, index: 4 }), 'bad_step'],
  [
    'ledger',
    'the next entry of the ledger with another prev_hash',
    negotiated(propose, { ...counter, changes: { prev_hash: 'd'.repeat(64) } }),
    'bad_step',
  ],
  [
    'other-installation',
    'a step for another installation',
    negotiated(propose, { ...counter, audience: 'other.example+key' }),
    'bad_step',
  ],
  [
    'no-terms',
    'an offer without terms',
    negotiated(propose, { ...counter, changes: { terms: null } }),
    'bad_step',
  ],
  [
    'forged',
    'a step that the other party signed',
    negotiated(propose, { ...counter, signer: 'buyer' }),
    'bad_signature',
  ],
  [
    'longest',
    '32 steps, of which the last one accepts',
    negotiated(...offers(31), { ...counter, action: 'accept', index: 40 }),
    'valid',
  ],
  [
    'longest-open',
    '32 steps, of which the last one is a counter-offer',
    negotiated(...offers(32)),
    'bad_step',
  ],
  [
    'too-long',
    '33 steps, of which the last one accepts',
    negotiated(...offers(32), { ...accept, index: 40 }),
    'bad_step',
  ],
  [
    'second-beginning',
    'a second proposal by the agent that received the first',
    negotiated(propose, { ...counter, action: 'propose' }),
    'bad_step',
  ],
  [
    'begun-again',
    'a second proposal by the agent that made the first',
    negotiated(propose, { ...propose, index: 5 }),
    'bad_step',
  ],
  [
    'before-beginning',
    'a first step that names a step before it',
    negotiated({ ...propose, changes: { proposal_prev_hash: 'd'.repeat(64) } }),
    'bad_step',
  ],
  [
    'unlinked',
    'a step that names another step before it',
    negotiated(propose, { ...counter, changes: { proposal_prev_hash: 'd'.repeat(64) } }),
    'bad_step',
  ],
  [
    'unlinked-later',
    'a step that names the step before the last',
    negotiated(propose, counter, { ...accept, changes: { proposal_prev_hash: FIRST } }),
    'bad_step',
  ],
  [
    'terms-at-end',
    'terms of a step that accepts',
    negotiated(propose, { ...counter, action: 'accept', changes: { terms: {} } }),
    'bad_step',
  ],
  [
    'hashed-otherwise',
    'a last step with another hash',
    negotiated(propose, { ...counter, hash: 'd'.repeat(64) }),
    'bad_step',
  ],
  ['own', 'a proposal of an agent to itself', ofOne(), 'valid'],
  ['own-accepted', 'an agent accepts what it proposed to itself', ofOne('accept'), 'bad_step'],
  ['own-withdrawn', 'an agent withdraws what it proposed to itself', ofOne('withdraw'), 'bad_step'],
  [
    'any-texts',
    'empty texts and a time that is none in what an agent signs, and terms without members',
    negotiated({ ...propose, audience: '', nonce: '', expires_at: 'soon', changes: { terms: {} } }),
    'valid',
  ],
  ['stranger', 'a step of a third agent', negotiated(propose, { ...counter, by: 'other' }), 'bad_signature'],
];

const one = (name: string, file: string, verdict: string, others: object = {}) => ({
  name,
  file: `${file}.json`,
  at: AT,
  verdict,
  problem: null,
  ...others,
});
const changed = (problem: string | null, ...patch: Operation[]): object => ({ problem, patch });
const set = (path: string, value: JsonValue): Operation => ({ op: 'add', path: `/${path}`, value });

const CASES = [
  ...PROPOSALS.map(([file, name, , verdict]) => one(name, file, verdict)),
  one(
    'other terms of the offer',
    'accepted',
    'bad_signature',
    changed('Step 2 (counter): Its signature', set('timeline/1/terms/credits', 1)),
  ),
  one(
    'another entry_hash',
    'accepted',
    'bad_step',
    changed('Step 3 (accept): Its entry_hash', set('timeline/2/entry_hash', stepOf(accepted, 0).entry_hash)),
  ),
  one(
    'other terms in the summary',
    'accepted',
    'mismatch',
    changed('The terms', set('terms', { credits: 1 })),
  ),
  one('another status', 'accepted', 'mismatch', changed('The last step is', set('status', 'rejected'))),
  one('another action', 'accepted', 'mismatch', changed('The last step is', set('action', 'reject'))),
  one(
    'the place of another step',
    'accepted',
    'mismatch',
    changed('The ledger_anchor', set('ledger_anchor/index', 8)),
  ),
  one(
    'the parties swapped',
    'accepted',
    'mismatch',
    changed('The parties', set('parties', [PARTIES.seller.public, PARTIES.buyer.public])),
  ),
  one(
    'another party besides',
    'accepted',
    'mismatch',
    changed('The parties', set('parties/2', PARTIES.other.public)),
  ),
  one(
    'the key of another agent',
    'accepted',
    'inconsistent',
    changed('The commitment', set('parties/0/public_key', PARTIES.other.public.public_key)),
  ),
  one(
    'another context',
    'accepted',
    'inconsistent',
    changed('The commitment', set('parties/1/context', 'x')),
  ),
  one('no steps', 'accepted', 'mismatch', changed('The timeline is empty', set('timeline', []))),
  one('the last step dropped', 'accepted', 'mismatch', {
    problem: 'The last step is',
    patch: [set('timeline', JSON.parse(JSON.stringify(accepted.timeline.slice(0, 2))))],
  }),
  one('the id of another proposal', 'accepted', 'bad_signature', {
    problem: 'Step 2 (counter): Its signature',
    patch: [set('proposal_id', ID.replace('51', '52'))],
  }),
  one('a member that nobody signed', 'accepted', 'malformed', changed('a member', set('note', 'x'))),
  one(
    'a member of a step that nobody signed',
    'accepted',
    'malformed',
    changed('a member', set('timeline/0/note', 1)),
  ),
  one('no parties', 'accepted', 'malformed', {
    problem: 'a member',
    patch: [{ op: 'remove', path: '/parties' }],
  }),
  one('another version', 'accepted', 'malformed', changed('a member', set('agora_version', '1.1'))),
  one('half of a character', 'surrogate', 'malformed', { problem: 'the proposal has a number' }),
  one('a member twice', 'duplicate', 'malformed'),
];

const pretty = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** Returns the text of each file of test/vectors/agora-proposal, by its name. */
export function agoraVectors(): ReadonlyMap<string, string> {
  return new Map([
    ['keys.json', pretty({ keys: [keyRow(testKey(1), 'receipts')] })],
    ...PROPOSALS.map(([file, , proposal]) => [`${file}.json`, pretty(proposal)] as const),
    ['surrogate.json', pretty(accepted).replace('clinic-7', '\\ud800')],
    ['duplicate.json', pretty(accepted).replace('{', '{"terms":{},')],
    ['cases.json', `[\n${CASES.map((case_) => JSON.stringify(case_)).join(',\n')}\n]\n`],
  ]);
}

const hexLines = (hex: string): string => hex.replace(/.{1,64}/g, '$&\n');

/** Returns the blocks of docs/verification/agora.md by their names. */
export function agoraBlocks(): ReadonlyMap<string, string> {
  const { entry_hash, ...step } = stepOf(accepted, 1);
  const { agent_auth, action, commitment, to_commitment, terms } = step;
  const { signature, audience, nonce, expires_at } = agent_auth;
  const signed = canonicalJson({
    type: 'agent-auth',
    method: 'POST',
    path: '/api/v1/agora/negotiate',
    body: {
      proposal_id: ID,
      prev_hash: step.proposal_prev_hash,
      from_commitment: commitment,
      to_commitment,
      action,
      terms,
    },
    audience,
    commitment,
    nonce,
    expires_at,
  });
  const message = agoraStepMessage(nativePrimitives, ID, step);
  return new Map([
    ['agora-signed', `${signed}\n`],
    ['agora-signed-bytes', hexLines(bytesToHex(utf8.encode(signed)))],
    ['agora-digest', `${new TextDecoder().decode(message)}\n`],
    ['agora-message', hexLines(bytesToHex(message))],
    ['agora-signature', hexLines(signature)],
    ['agora-entry', `${canonicalJson({ v: 1, proposal_id: ID, ...step })}\n`],
    ['agora-entry-hash', `${entry_hash}\n`],
  ]);
}
