import type { Snapshot } from '../../../platform/store/transaction.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import {
  type AccountStatement,
  boundsOfMonth,
  changeOf,
  monthOf,
  STATEMENT_TYPE,
  type Turnover,
} from '../../../proof/ledger/account-statement.ts';
import { requireAgentIn, seesAll } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import { issueTime } from '../../log/clock/dates.ts';
import { type StatementContext, signStatement } from '../../log/keys/signing/statements.ts';
import type { Actor, OperatorActor } from '../../operators/auth/actor.ts';
import { currentActor } from '../../operators/auth/current-actor.ts';
import { operatorBySeq } from '../../operators/status.ts';
import { creditsOf, type JournalAccount, poolOf } from '../accounts.ts';
import { journalOwner } from '../journal-entries.ts';
import { type Held, heldIn } from '../lots/held.ts';
import { completeSince, headBefore, type MonthSums } from '../month-sums.ts';
import type { Months } from './months.ts';

export type MonthContext = StatementContext & {
  months: Months;
  log: Parameters<typeof issueTime>[0]['log'];
};

/** A month is closed this long after its end: what is booked now may be dated a little earlier. */
const CLOSES_AFTER_MS = 60_000;

/** The names of the month before the present one, and of the present one. */
export const LAST_MONTH = 'last';
const CURRENT_MONTH = 'current';

/** A caller that sees all of a journal. */
interface Reader extends Pick<Actor, 'keyHash' | 'operatorSeq'> {
  /** Returns whether it still may: a long CSV can outlive its rights. */
  mayRead(snapshot: Snapshot): Promise<boolean>;
}

/** A month of a journal that there is a statement of. Times in milliseconds since 1970. */
export interface RequestedMonth {
  account: JournalAccount;
  month: string;
  start: number;
  /** Exclusive: the end of the month, or now. */
  end: number;
  isClosed: boolean;
  /** The caller, if it sees all of the journal; else null. */
  caller: Reader | null;
}

/**
 * Returns the month of the journal of an operator's pool.
 * @throws ApiError validation_error for a month that is malformed or in the future; not_found for one before
 * the operator or its journal
 */
export async function poolMonth(
  context: Pick<MonthContext, 'store' | 'clock'>,
  principal: OperatorActor,
  month: string,
): Promise<RequestedMonth> {
  const account = poolOf(principal);
  const caller: Reader = {
    keyHash: principal.keyHash,
    operatorSeq: principal.operatorSeq,
    mayRead: async (snapshot) => (await currentActor(snapshot, principal)) !== null,
  };
  return context.store.read(async (snapshot) => {
    const since = (await operatorBySeq(snapshot, principal.operatorSeq))?.createdAt ?? null;
    return requestedMonth(context, snapshot, { account, since, caller }, month);
  });
}

/**
 * Returns the month of the journal of an agent, which everybody may ask for.
 * @throws ApiError as `poolMonth`; not_found for an agent that never enrolled
 */
export async function agentMonth(
  context: Pick<MonthContext, 'store' | 'clock'>,
  principal: Actor | null,
  commitment: string,
  month: string,
): Promise<RequestedMonth> {
  return context.store.read(async (snapshot) => {
    const agent = await requireAgentIn(snapshot, commitment);
    const caller: Reader | null = seesAll(principal, agent)
      ? {
          keyHash: principal.keyHash,
          operatorSeq: principal.operatorSeq,
          mayRead: async (later) =>
            seesAll(await currentActor(later, principal), await requireAgentIn(later, commitment)),
        }
      : null;
    return requestedMonth(
      context,
      snapshot,
      { account: creditsOf(agent), since: agent.issuedAt, caller },
      month,
    );
  });
}

async function requestedMonth(
  { clock }: Pick<MonthContext, 'clock'>,
  snapshot: Snapshot,
  {
    account,
    since,
    caller,
  }: { account: JournalAccount; since: string | null } & Pick<RequestedMonth, 'caller'>,
  asked: string,
): Promise<RequestedMonth> {
  const now = clock.now();
  const month = monthNamed(asked, now);
  const bounds = boundsOfMonth(month);
  if (bounds === null) throw invalid('must be a month such as 2026-01, last, or current');
  if (bounds.start > now) throw invalid('must not be in the future (months are UTC)');
  const complete = await completeSince(snapshot, account);
  if (complete !== null && bounds.end <= complete)
    throw commonErrors.not_found({
      message: `This account has a complete journal since ${timestampOf(complete)}. There are no statements of earlier months.`,
    });
  if (since !== null && bounds.end <= Date.parse(since))
    throw commonErrors.not_found({
      message: `This account exists since ${since}. Ask for that month, or a later one.`,
    });
  const isClosed = now >= bounds.end + CLOSES_AFTER_MS;
  return {
    account,
    month,
    start: Math.max(bounds.start, complete ?? 0),
    end: isClosed ? bounds.end : Math.min(now, bounds.end),
    isClosed,
    caller,
  };
}

/** Returns the month that a request names. @param now milliseconds since 1970 */
function monthNamed(asked: string, now: number): string {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (asked === CURRENT_MONTH) return monthOf(Date.UTC(year, month));
  return asked === LAST_MONTH ? monthOf(Date.UTC(year, month - 1)) : asked;
}

/**
 * Returns the statement of a month: signed if the month is over, else interim, up to now, and not signed.
 * Adding it up is paid by the operator of the caller, if that sees all of the journal.
 * @param countStranger counts it against the limit of a stranger
 * @throws ApiError overloaded, conflict, clock_wrong; ReadOnly for one that must be signed; Refusal rate
 */
export async function monthStatement(
  context: MonthContext,
  requested: RequestedMonth,
  countStranger: () => Promise<void>,
): Promise<MonthStatement> {
  const { account, start, end, isClosed, caller } = requested;
  const isOwn = caller !== null;
  const closed = isClosed
    ? { head: await context.store.read((snapshot) => headBefore(snapshot, account, end)) }
    : null;
  const takePlace = async (): Promise<() => void> => {
    if (caller !== null) return context.months.ofOperators.take(caller.operatorSeq);
    await countStranger();
    return () => undefined;
  };
  const sums = await context.months.sumsOf(
    { account, start, end, isOwn, payer: caller?.operatorSeq ?? null },
    closed,
    takePlace,
  );
  if (isClosed) return signStatement(context, () => statementOf(requested, sums, issueTime(context)));
  const held = await context.store.read((snapshot) => heldIn(snapshot, account, end));
  const statement = statementOf(requested, sums, end);
  return isOwn ? { ...statement, held } : statement;
}

export type MonthStatement = AccountStatement & {
  held?: Held[];
  signature?: string;
  kid?: string;
};

function statementOf(
  { account, month, start, end, isClosed }: RequestedMonth,
  sums: MonthSums,
  issuedAt: number,
): AccountStatement {
  const { opening, movements, closing, entries, length, openingHead, head } = sums;
  const text = (time: number): string => timestampOf(time);
  const turnover = Object.keys(closing).map((asset): [string, Turnover] => {
    const { granted, earned, spent } = changeOf(movements, asset);
    return [asset, { granted: Number(granted), earned: Number(earned), spent: Number(spent) }];
  });
  return {
    type: STATEMENT_TYPE,
    ...journalOwner(account),
    month,
    from: text(start),
    until: text(end),
    interim: !isClosed,
    opening,
    movements,
    ...(account.kind === 'agent' ? { turnover: Object.fromEntries(turnover) } : {}),
    closing,
    journal: { entries, length, opening_head: openingHead, head },
    issued_at: text(issuedAt),
  };
}

function invalid(message: string) {
  return commonErrors.validation_error({ issues: { month: [message] } });
}
