import { describe, expect, test } from 'bun:test';
import { subjectCommitment } from '../../../../src/proof/agent/commitment.ts';
import { type AgoraStep, agoraEntryHash, agoraStepMessage } from '../../../../src/proof/agora/entry.ts';
import {
  type AgoraAction,
  isOffer,
  MOST_STEPS,
  refusalOf,
  statusAfter,
} from '../../../../src/proof/agora/negotiation.ts';
import {
  type PublishedProposal,
  type PublishedStep,
  proposalIn,
} from '../../../../src/proof/agora/proposal.ts';
import { proposalProblems } from '../../../../src/proof/agora/verify-proposal.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import { newAgentKey } from '../../../support/agent.ts';

const PROPOSAL = `agora_${'7'.repeat(32)}`;
const party = () => {
  const key = newAgentKey();
  const commitment = subjectCommitment(noblePrimitives, key.publicKey);
  return { key, commitment, public: { commitment, public_key: key.publicKey, context: 'passport-v1' } };
};
const buyer = party();
const seller = party();

/** Steps as `[action, who, index]`, signed and chained. */
function negotiated(
  ...moves: [action: AgoraAction, by: 'buyer' | 'seller', index: number][]
): PublishedProposal {
  const timeline: PublishedStep[] = [];
  for (const [action, by, index] of moves) {
    const [from, to] = by === 'buyer' ? [buyer, seller] : [seller, buyer];
    const last = timeline.at(-1) ?? null;
    const step: AgoraStep = {
      index,
      prev_hash:
        last !== null && last.index === index - 1 ? last.entry_hash : index === 0 ? null : 'e'.repeat(64),
      proposal_prev_hash: last?.entry_hash ?? null,
      action,
      commitment: from.commitment,
      to_commitment: to.commitment,
      terms: isOffer(action) ? { credits: index + 1 } : null,
      timestamp: '2026-05-01T12:00:00.000Z',
      agent_auth: {
        audience: 'trust.example+key',
        nonce: `nonce-number-${index}-000`,
        expires_at: '2026-05-01T12:05:00Z',
        signature: '0'.repeat(128),
      },
    };
    step.agent_auth.signature = from.key.signBytes(agoraStepMessage(noblePrimitives, PROPOSAL, step));
    timeline.push({ ...step, entry_hash: agoraEntryHash(noblePrimitives, PROPOSAL, step) });
  }
  const [first] = timeline;
  const last = timeline.at(-1);
  if (first === undefined || last === undefined) throw new Error('no steps');
  const { index, entry_hash, prev_hash, action } = last;
  return {
    agora_version: '1.0',
    proposal_id: PROPOSAL,
    status: statusAfter(action),
    action,
    ledger_anchor: { index, entry_hash, prev_hash },
    from_commitment: first.commitment,
    to_commitment: first.to_commitment,
    terms: timeline.findLast(({ terms }) => terms !== null)?.terms ?? null,
    parties: [buyer.public, seller.public],
    timeline,
  };
}

const agreed = () => negotiated(['propose', 'buyer', 4], ['counter', 'seller', 5], ['accept', 'buyer', 9]);
const problemsOf = (proposal: PublishedProposal) => proposalProblems(noblePrimitives, proposal);

/** A copy of a JSON value in which the member at a path has another value. */
function changed(value: unknown, [name = '', ...rest]: string[], to: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item, at) =>
      String(at) === name ? (rest.length === 0 ? to : changed(item, rest, to)) : item,
    );
  const object: JsonObject = Object(value);
  return { ...object, [name]: rest.length === 0 ? to : changed(object[name], rest, to) };
}

describe('a proposal', () => {
  test('with steps that both agents signed has no problems, even after it was sent as JSON', () => {
    const proposal = agreed();
    expect(problemsOf(proposal)).toEqual([]);
    expect(proposalIn(JSON.parse(JSON.stringify(proposal)))).toEqual(proposal);
  });

  const hash = 'a'.repeat(64);
  test.each([
    [
      'other terms in a step',
      'timeline.1.terms',
      { credits: 1 },
      'Step 2 (counter): Its entry_hash is not the digest',
    ],
    [
      'other terms in a step',
      'timeline.1.terms',
      { credits: 1 },
      'Step 2 (counter): Its signature is not by its agent.',
    ],
    [
      'another time',
      'timeline.0.timestamp',
      '2026-05-01T12:00:00.001Z',
      'Step 1 (propose): Its entry_hash is not the digest',
    ],
    ['another action', 'timeline.2.action', 'reject', 'Step 3 (reject): Its signature is not by its agent.'],
    [
      'another index',
      'timeline.2.index',
      5,
      'Step 3 (accept): Its index is not greater than that of the step before it.',
    ],
    [
      'another entry before it in the ledger',
      'timeline.1.prev_hash',
      hash,
      'Its prev_hash is not the entry_hash of the entry before it.',
    ],
    [
      'another step before it',
      'timeline.1.proposal_prev_hash',
      hash,
      'Its proposal_prev_hash is not the entry_hash of the step before it.',
    ],
    ['another hash', 'timeline.0.entry_hash', hash, 'Step 1 (propose): Its entry_hash is not the digest'],
    [
      'another party',
      'timeline.0.to_commitment',
      hash,
      'The proposal is between other agents. Check proposal_id and both commitments.',
    ],
    ['another agent', 'timeline.0.commitment', hash, 'Its agent is not among the parties.'],
    [
      'another nonce',
      'timeline.0.agent_auth.nonce',
      'another-nonce-of-it',
      'Its signature is not by its agent.',
    ],
    [
      'another key of an agent',
      'parties.0.public_key',
      hash,
      `The commitment ${buyer.commitment} is not that of its public key and context.`,
    ],
    [
      'another context of an agent',
      'parties.1.context',
      'other',
      'is not that of its public key and context.',
    ],
    ['another status', 'status', 'countered', 'The last step is accept, so the status is accepted.'],
    ['another last action', 'action', 'reject', 'The last step is accept, so the status is accepted.'],
    ['another anchor', 'ledger_anchor.index', 8, 'The ledger_anchor is not that of the last step.'],
    ['other terms', 'terms', { credits: 5 }, 'The terms are not those of the newest offer.'],
    ['no terms', 'terms', null, 'The terms are not those of the newest offer.'],
    [
      'its agents exchanged',
      'from_commitment',
      seller.commitment,
      'The agents are not those of the first step.',
    ],
    ['no steps', 'timeline', [], 'The timeline is empty.'],
    [
      'terms in an acceptance',
      'timeline.2.terms',
      { credits: 1 },
      'An offer has terms, and no other step has any.',
    ],
  ])('with %s (%s) has a problem', (_, path, value, problem) => {
    const proposal = proposalIn(JSON.parse(JSON.stringify(changed(agreed(), path.split('.'), value))));
    expect(proposal).not.toBeNull();
    expect((proposal === null ? [] : problemsOf(proposal)).join('\n')).toContain(problem);
  });

  test('with steps for two installations has a problem, though each is signed', () => {
    const proposal = negotiated(['propose', 'buyer', 4], ['accept', 'seller', 9]);
    const [first, last] = proposal.timeline;
    if (first === undefined || last === undefined) throw new Error('no steps');
    const { entry_hash: _, ...step } = last;
    step.agent_auth = { ...step.agent_auth, audience: 'other.example+key' };
    step.agent_auth.signature = seller.key.signBytes(agoraStepMessage(noblePrimitives, PROPOSAL, step));
    const entry_hash = agoraEntryHash(noblePrimitives, PROPOSAL, step);
    const forged = {
      ...proposal,
      ledger_anchor: { ...proposal.ledger_anchor, entry_hash },
      timeline: [first, { ...step, entry_hash }],
    };
    expect(problemsOf(forged)).toEqual(['Step 2 (accept): Its audience is not that of the step before it.']);
  });

  test.each([
    ['a third party', () => [buyer.public, seller.public, party().public]],
    ['a party twice', () => [buyer.public, seller.public, seller.public]],
    ['its parties exchanged', () => [seller.public, buyer.public]],
  ])('with %s has a problem', (_, parties) => {
    expect(problemsOf({ ...agreed(), parties: parties() })).toEqual([
      'The parties are not both agents, the one that proposed first.',
    ]);
  });

  test.each([
    ['text', '', 'x'],
    ['a list', '', []],
    ['an unknown member', 'note', 1],
    ['another version', 'agora_version', '2.0'],
    ['an id that is a number', 'proposal_id', 1],
    ['an id of another form', 'proposal_id', 'agora_1'],
    ['a negative index', 'timeline.0.index', -1],
    ['an index that is a fraction', 'timeline.0.index', 0.5],
    ['an unknown status', 'status', 'paid'],
    ['an unknown action', 'action', 'sign'],
    ['an anchor without members', 'ledger_anchor', {}],
    ['an anchor with an index that is text', 'ledger_anchor.index', '4'],
    ['agents that are no commitments', 'from_commitment', 'x'],
    ['terms that are a list', 'terms', []],
    ['parties that are no list', 'parties', {}],
    ['a party with a short key', 'parties.0.public_key', '00'],
    ['a party that is null', 'parties.0', null],
    ['a step that is null', 'timeline.0', null],
    ['a step with an unknown member, which no signature covers', 'timeline.0.note', 'x'],
    ['a step without its hash', 'timeline.0.entry_hash', null],
    ['a step with an unknown action', 'timeline.0.action', 'sign'],
    ['a step with a wrong link', 'timeline.0.proposal_prev_hash', 'x'],
    ['a step with terms that are text', 'timeline.0.terms', 'x'],
    ['a step with a time that is none', 'timeline.0.timestamp', 'noon'],
    ['a signature that is null', 'timeline.0.agent_auth', null],
    ['a signature with a nonce that is a number', 'timeline.0.agent_auth.nonce', 1],
    ['a short signature', 'timeline.0.agent_auth.signature', '00'],
  ])('is not recognized with %s', (_, path, value) => {
    const document = path === '' ? value : changed(agreed(), path.split('.'), value);
    expect(proposalIn(JSON.parse(JSON.stringify(document)))).toBeNull();
  });
});

describe('a step', () => {
  const offer = { action: 'propose', from: 'b', to: 's' } as const;
  const move = (action: AgoraAction, from: string, to: string) => ({ action, from, to });

  test.each([
    ['a proposal begins a negotiation', null, 0, move('propose', 'b', 's')],
    ['the receiver counters', offer, 1, move('counter', 's', 'b')],
    ['the receiver accepts', offer, 1, move('accept', 's', 'b')],
    ['the receiver rejects', offer, 1, move('reject', 's', 'b')],
    ['the maker withdraws', offer, 1, move('withdraw', 'b', 's')],
    ['the last step ends a negotiation', offer, MOST_STEPS - 1, move('accept', 's', 'b')],
  ] as const)('is allowed: %s', (_, last, taken, next) => {
    expect(refusalOf(last, taken, next)).toBeNull();
  });

  test.each([
    ['nothing but a proposal begins a negotiation', null, 0, move('accept', 's', 'b'), 'ended'],
    ['a proposal is made once', offer, 1, move('propose', 'b', 's'), 'ended'],
    ['nothing follows an acceptance', move('accept', 's', 'b'), 2, move('withdraw', 'b', 's'), 'ended'],
    ['nothing follows a rejection', move('reject', 's', 'b'), 2, move('counter', 'b', 's'), 'ended'],
    ['the maker does not accept', offer, 1, move('accept', 'b', 's'), 'party'],
    ['the receiver does not withdraw', offer, 1, move('withdraw', 's', 'b'), 'party'],
    ['others do nothing', offer, 1, move('accept', 'x', 'b'), 'party'],
    ['a party does not turn to others', offer, 1, move('accept', 's', 'x'), 'party'],
    ['the last step is no counter-offer', offer, MOST_STEPS - 1, move('counter', 's', 'b'), 'ended'],
  ] as const)('is refused: %s', (_, last, taken, next, reason) => {
    expect(refusalOf(last, taken, next)?.reason).toBe(reason);
  });
});
