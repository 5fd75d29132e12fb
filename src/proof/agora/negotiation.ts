/** What a party can do. */
export const AGORA_ACTIONS = ['propose', 'counter', 'accept', 'reject', 'withdraw'] as const;

export type AgoraAction = (typeof AGORA_ACTIONS)[number];

/** The state of a proposal, in the order of the actions that lead to it. */
export const AGORA_STATUSES = ['proposed', 'countered', 'accepted', 'rejected', 'withdrawn'] as const;

export type AgoraStatus = (typeof AGORA_STATUSES)[number];

/**
 * The most steps of a proposal. The last one cannot be a counter-offer, so that every proposal can be ended.
 */
export const MOST_STEPS = 32;

const STATUS_AFTER = {
  propose: 'proposed',
  counter: 'countered',
  accept: 'accepted',
  reject: 'rejected',
  withdraw: 'withdrawn',
} as const satisfies Record<AgoraAction, AgoraStatus>;

/** Returns the status of a proposal whose last step was this action. */
export function statusAfter(action: AgoraAction): AgoraStatus {
  return STATUS_AFTER[action];
}

/** Returns whether an action offers terms. Another one must not have any. */
export function isOffer(action: AgoraAction): boolean {
  return action === 'propose' || action === 'counter';
}

/** A step, as far as it decides what may follow it. */
export interface Move {
  action: AgoraAction;
  /** Who takes the step, by any name that is unique. */
  from: string;
  /** The other party. */
  to: string;
}

/**
 * Why a step may not be taken. `ended`: the state does not allow this step. `party`: another agent must take
 * it.
 */
export interface MoveRefusal {
  reason: 'ended' | 'party';
  /** A sentence, and what to do. */
  message: string;
}

/**
 * Returns why a step may not follow; null if it may. The rules depend only on the step before it: every step
 * that does not end a proposal is an offer of one party to the other.
 * @param last the step before; null for the first step @param taken how many steps were taken
 */
export function refusalOf(last: Move | null, taken: number, { action, from, to }: Move): MoveRefusal | null {
  if (last === null) {
    return action === 'propose' ? null : ended(`No proposal exists that could be ${statusAfter(action)}.`);
  }
  if (action === 'propose') return ended('The proposal exists. Use another action, or propose a new one.');
  if (!isOffer(last.action))
    return ended(`The proposal is ${statusAfter(last.action)}, which is final. Propose a new one.`);
  const isByMaker = from === last.from && to === last.to;
  const isByReceiver = from === last.to && to === last.from;
  if (!isByMaker && !isByReceiver)
    return party('The proposal is between other agents. Check proposal_id and both commitments.');
  if (action === 'withdraw' && isByReceiver)
    return party(
      'Only the party that made the current offer can withdraw it. The other party can reject it.',
    );
  if (action !== 'withdraw' && isByMaker)
    return party(
      `Only the party that received the current offer can ${action} it. The party that made it can withdraw it.`,
    );
  if (action === 'counter' && taken >= MOST_STEPS - 1)
    return ended(
      `The proposal has ${taken} steps, and the last of ${MOST_STEPS} must end it. Accept, reject or withdraw.`,
    );
  return null;
}

const ended = (message: string): MoveRefusal => ({ reason: 'ended', message });
const party = (message: string): MoveRefusal => ({ reason: 'party', message });
