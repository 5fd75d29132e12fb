import { type Static, Type } from '@sinclair/typebox';
import type { Once } from '../../../../platform/http/idempotency/once.ts';
import { oneOf, strictObject } from '../../../../platform/http/schema.ts';
import type { RequestLine } from '../../../agents/agent-auth.ts';
import { accept } from '../../../hires/engagements/accept.ts';
import { cancel } from '../../../hires/engagements/cancel.ts';
import { decline } from '../../../hires/engagements/decline.ts';
import { dispute } from '../../../hires/engagements/dispute.ts';
import type { OwnSides } from '../../../hires/engagements/get.ts';
import { refund } from '../../../hires/engagements/refund.ts';
import { resolve } from '../../../hires/engagements/resolve.ts';
import { note, reason } from '../../../hires/engagements/schema.ts';
import { agentCaller } from '../../../ledger/credits/authorization.ts';
import { isLimited } from '../../../operators/scope.ts';
import { requireValid } from '../problem.ts';
import type { AccountResponse, Visitor } from '../response.ts';
import type { AccountSite } from '../site.ts';
import { type Hire, pathOf } from './table.ts';

/** What a party or an administrator can do with a hire on its page. */
export const MOVES = ['accept', 'dispute', 'cancel', 'decline', 'refund', 'resolve'] as const;
export type Move = (typeof MOVES)[number];

/** The fields of the forms of moves: of each only those that it needs. */
export const MOVE_FIELDS = ['reason', 'refuse_arbiter', 'worker_amount', 'note'] as const;
export type MoveForm = Readonly<Record<(typeof MOVE_FIELDS)[number], string>>;

const MovePath = strictObject({ taskId: Type.String({ maxLength: 512 }), move: oneOf(MOVES) });
export type MovePath = Static<typeof MovePath>;

const DisputeForm = strictObject({ reason });
const ResolveForm = strictObject({
  worker_amount: {
    ...Type.String({ pattern: '^[0-9]{1,16}$' }),
    'x-message': 'must be a whole number of credits',
  },
  note,
});

/** Returns the moves that the state of a hire has for its sides and, of a dispute, for an administrator. */
export function movesOf({ status }: Hire, sides: OwnSides, { principal }: Visitor): Move[] {
  const hirer = (...moves: Move[]) => (sides.hirer ? moves : []);
  const worker = (...moves: Move[]) => (sides.worker ? moves : []);
  const administrator = principal.admin && !isLimited(principal.scope);
  if (status === 'HELD') return [...hirer('cancel'), ...worker('decline')];
  if (status === 'DELIVERED') return [...hirer('accept', 'dispute'), ...worker('refund')];
  if (status !== 'DISPUTED') return [];
  return [...hirer('accept'), ...worker('refund'), ...(administrator ? (['resolve'] as const) : [])];
}

/** Returns the task and the move that a path names. @throws ApiError validation_error */
export const movePath = (params: Readonly<Record<string, string>>): MovePath =>
  requireValid(MovePath, params);

/**
 * Makes a move as the operation of the API with the same name, and leads to the page of the hire.
 * @param line of the request
 * @throws ApiError as the operation
 */
export async function makeMove(
  { trust }: AccountSite,
  { principal }: Visitor,
  { taskId, move }: MovePath,
  line: RequestLine,
  form: MoveForm,
): Promise<AccountResponse> {
  const caller = agentCaller(trust, principal, line, {}, 'never refused');
  switch (move) {
    case 'accept':
      await accept(trust, caller, taskId, once, () => ({}));
      break;
    case 'cancel':
      await cancel(trust, caller, taskId, once);
      break;
    case 'decline':
      await decline(trust, caller, taskId, once);
      break;
    case 'refund':
      await refund(trust, caller, taskId, once);
      break;
    case 'dispute':
      await dispute(
        trust,
        caller,
        taskId,
        {
          ...requireValid(DisputeForm, { reason: typed(form.reason) }),
          refuse_arbiter: form.refuse_arbiter === 'true',
        },
        once,
      );
      break;
    case 'resolve': {
      const decision = { worker_amount: form.worker_amount.trim(), note: typed(form.note) };
      const { worker_amount, note: said } = requireValid(ResolveForm, decision);
      await resolve(trust, caller, taskId, { worker_amount: Number(worker_amount), note: said }, once);
      break;
    }
  }
  return { location: `${pathOf(taskId)}?done` };
}

/** A form is sent once: its duplicate is refused, since the state has changed. */
const once: Once = async (_tx, act) => act();

/** Returns the text of a field: browsers send line breaks as CR LF. */
const typed = (text: string): string => text.trim().replaceAll('\r\n', '\n');
