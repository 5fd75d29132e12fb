import { amountOf } from './ledger-effects.ts';
import { kindOf } from './ledger-kinds.ts';
import {
  isOpen,
  type LedgerModel,
  type ModelOperator,
  type ModelTask,
  type TaskStatus,
} from './ledger-model.ts';
import type { Operation } from './ledger-operations.ts';
import { isAmount, portionsOf } from './ledger-portions.ts';

/** The largest amount of credits that a key with a scope may debit at once. */
const SCOPE_LIMIT = 25;
const DAY_LIMIT = 40;
/** Of the keys of every second agent. */
const TOTAL_LIMIT = 400;

/** Returns the scope of the limited key of an agent. */
export const scopeOf = (agent: number) => ({
  max_credits: SCOPE_LIMIT,
  max_credits_per_day: DAY_LIMIT,
  ...(agent % 2 === 1 ? { max_credits_total: TOTAL_LIMIT } : {}),
});

/** The codes of all rules that refuse an operation. */
export type Refusals = readonly string[];

/** Predicts what the service refuses in the state of a model. */
export class LedgerRules {
  constructor(readonly model: LedgerModel) {}

  /** Returns the codes with which the service may refuse an operation now; none if it must accept it. */
  refusals(operation: Operation): Refusals {
    const door = this.atTheDoor(operation);
    if (door.length > 0) return door;
    const isRepeated = this.model.done.has(operation.id);
    if (isRepeated && operation.caller.by !== 'signature') return [];
    return [...new Set([...this.inTheTransaction(operation), ...(isRepeated ? ['nonce_reused'] : [])])];
  }

  /** What is checked before the body of a request: its key. */
  private atTheDoor({ caller, type }: Operation): Refusals {
    switch (caller.by) {
      case 'nobody':
        return ['unauthorized'];
      case 'issuer':
        return this.keyOf(this.model.operator(caller.operator));
      case 'holder':
      case 'limited': {
        const { keyOperator, isRevoked } = this.model.agent(caller.agent);
        const key = keyOperator === null ? ['forbidden'] : this.keyOf(this.model.operator(keyOperator));
        const isIssuers = ['grant', 'freeze', 'unfreeze'].includes(type);
        return [...key, ...(isIssuers ? ['forbidden'] : []), ...(isRevoked ? ['agent_not_enrolled'] : [])];
      }
      case 'signature':
        // Only an operator's key can take from its pool.
        return type === 'grant' ? ['unauthorized'] : [];
      case 'service':
        return [];
    }
  }

  /** Why a key of an operator is refused. A closure first changes the status, then deletes the keys. */
  private keyOf({ isActive, isClosed }: ModelOperator): Refusals {
    if (isClosed) return ['forbidden', 'unauthorized'];
    return isActive ? [] : ['forbidden'];
  }

  private inTheTransaction(operation: Operation): Refusals {
    switch (operation.type) {
      case 'grant': {
        if (operation.caller.by !== 'issuer') return ['forbidden', ...this.invalid(operation)];
        const invalid = this.invalid(operation);
        if (invalid.length > 0) return invalid;
        const pool = this.model.poolOf(operation.caller.operator);
        const isShort = portionsOf(this.model.spendable(pool, operation.agent), amountOf(operation)) === null;
        return [...this.unenrolled(operation.agent), ...(isShort ? ['insufficient_credits'] : [])];
      }
      case 'transfer': {
        const invalid = this.invalid(operation);
        const same = operation.from === operation.to ? ['validation_error'] : [];
        if (invalid.length > 0) return invalid;
        return [
          ...same,
          ...this.debit(operation, operation.from, operation.to),
          ...this.unenrolled(operation.to),
        ];
      }
      case 'claim': {
        const invalid = this.invalid(operation);
        if (invalid.length > 0) return invalid;
        const { caller } = operation;
        // The first operator's key is the administrator's.
        const isAdministrator = caller.by === 'issuer' && caller.operator === 0;
        const unclaimed = this.model.spendable(this.model.unclaimedPlace, operation.to);
        const isShort = portionsOf(unclaimed, amountOf(operation)) === null;
        return [
          ...(isAdministrator ? [] : ['forbidden']),
          ...this.unenrolled(operation.to),
          ...(isShort ? ['insufficient_credits'] : []),
        ];
      }
      case 'charge': {
        if (operation.agent !== null) return this.debit(operation, operation.agent, null);
        if (operation.caller.by !== 'issuer') return ['forbidden'];
        const { pool } = this.model.operator(operation.caller.operator);
        return portionsOf(pool, operation.amount) === null ? ['insufficient_credits'] : [];
      }
      case 'hire': {
        const invalid = this.invalid(operation);
        if (invalid.length > 0) return invalid;
        return [
          ...(operation.hirer === operation.worker ? ['validation_error'] : []),
          ...(this.model.tasks.has(operation.task) ? ['conflict'] : []),
          ...this.debit(operation, operation.hirer, operation.worker),
          ...this.unenrolled(operation.worker),
          ...(this.model.mayAct(operation.worker) ? [] : ['forbidden']),
        ];
      }
      case 'fund': {
        const { pool } = this.model.operator(operation.operator);
        return pool[operation.asset] + operation.amount < 0 ? ['insufficient_credits'] : [];
      }
      case 'deliver':
        return this.unenrolled(operation.agent);
      case 'accept':
        return this.move(operation, operation.task, 'hirer', ['DELIVERED', 'DISPUTED']);
      case 'cancel':
        return this.move(operation, operation.task, 'hirer', ['HELD']);
      case 'refund':
        return this.move(operation, operation.task, 'worker', ['DELIVERED', 'DISPUTED']);
      case 'sponsor':
        return this.model.operator(operation.operator).isActive ? [] : ['validation_error'];
      case 'revoke':
        return this.model.agent(operation.agent).isRevoked ? ['invalid_state'] : [];
      case 'status':
        return this.model.operator(operation.operator).isClosed ? ['conflict'] : [];
      case 'stake':
        return this.model.operator(operation.operator).isClosed && operation.cents > 0 ? ['conflict'] : [];
      case 'breach':
      case 'override':
        return [];
      default:
        return kindOf(operation).refusals(this, operation);
    }
  }

  /** Why a side of a task may not make a move, which is possible in some statuses. */
  move(operation: Operation, id: string, party: 'hirer' | 'worker', from: readonly TaskStatus[]): Refusals {
    const task = this.model.tasks.get(id);
    if (task === undefined) return ['not_found', ...this.flaws(operation)];
    const side = task[party];
    const standsStill = isOpen(task.status) && this.model.stillSince(task.hirer) !== null;
    const isPossible = from.includes(task.status);
    const { caller } = operation;
    // The administrator decides about hires that stand still.
    if (standsStill && caller.by === 'issuer' && caller.operator === 0)
      return isPossible ? [] : ['invalid_state'];
    return [
      ...this.flaws(operation),
      ...this.notASide(operation, task, side),
      ...(isPossible && !standsStill ? [] : ['invalid_state']),
      ...this.inactive(side),
    ];
  }

  /** Why the signature of an agent that decides nothing about a task is refused. */
  strangersSignature({ caller }: Operation, { hirer, worker }: ModelTask): Refusals {
    if (caller.by !== 'signature') throw new Error('not a signature');
    const isParty = caller.agent === hirer || caller.agent === worker;
    return [
      ...(caller.flaw === null ? [] : ['invalid_proof']),
      ...this.inactive(caller.agent),
      isParty ? 'forbidden' : 'not_found',
    ];
  }

  /** Why a request with an amount is not understood. */
  invalid(operation: { amount: unknown }): Refusals {
    return isAmount(operation.amount) ? [] : ['validation_error', 'invalid_json'];
  }

  private unenrolled(index: number): Refusals {
    return this.model.agent(index).isRevoked ? ['agent_not_enrolled'] : [];
  }

  /** Why a caller may not take an amount from an agent. @param payee the agent that is paid, or null */
  private debit(operation: Operation & { amount: unknown }, index: number, payee: number | null): Refusals {
    const amount = amountOf(operation);
    const available = this.model.spendable(this.model.creditsOf(index), payee);
    return [
      ...this.authority(operation, index, amount),
      ...(portionsOf(available, amount) === null ? ['insufficient_credits'] : []),
    ];
  }

  /** Why a caller may not debit an agent, whatever it has. */
  authority(operation: Operation, index: number, amount: number): Refusals {
    const isTooMuch = operation.caller.by === 'limited' && this.exceedsScope(operation.caller.agent, amount);
    return [
      ...this.flaws(operation),
      ...this.strange(operation, index),
      ...this.inactive(index),
      ...(isTooMuch ? ['scope_violation'] : []),
    ];
  }

  private exceedsScope(agent: number, amount: number): boolean {
    const { budgets } = this.model;
    const { max_credits, max_credits_per_day, max_credits_total = Number.POSITIVE_INFINITY } = scopeOf(agent);
    return (
      amount > max_credits ||
      budgets.ofDay(agent, this.model.now()) + amount > max_credits_per_day ||
      budgets.inAll(agent) + amount > max_credits_total
    );
  }

  private inactive(index: number): Refusals {
    const { sponsor, isRevoked, isFrozen } = this.model.agent(index);
    const isSuspended = sponsor !== null && !this.model.operator(sponsor).isActive;
    return [...(isRevoked ? ['agent_not_enrolled'] : []), ...(isFrozen || isSuspended ? ['forbidden'] : [])];
  }

  /** Why a caller may not act for an agent. */
  private strange(operation: Operation, index: number): Refusals {
    if (this.actsFor(operation, index)) return [];
    return [operation.caller.by === 'signature' ? 'invalid_proof' : 'forbidden'];
  }

  /**
   * Why a caller may not act for a side of a task. A signature is verified as that of the agent that it
   * names.
   */
  private notASide(operation: Operation, { hirer, worker }: ModelTask, side: number): Refusals {
    const { caller } = operation;
    if (this.actsFor(operation, side)) return [];
    if (caller.by !== 'signature') return ['forbidden', 'not_found'];
    const isParty = caller.agent === hirer || caller.agent === worker;
    return [...this.inactive(caller.agent), isParty ? 'forbidden' : 'not_found'];
  }

  private flaws({ caller }: Operation): Refusals {
    return caller.by === 'signature' && caller.flaw !== null ? ['invalid_proof'] : [];
  }

  private actsFor({ caller }: Operation, index: number): boolean {
    const { sponsor, keyOperator } = this.model.agent(index);
    switch (caller.by) {
      case 'issuer':
        // The first operator's key is the administrator's.
        return sponsor === null ? caller.operator === 0 : sponsor === caller.operator;
      case 'holder':
      case 'limited':
        return caller.agent === index && sponsor === keyOperator;
      case 'signature':
        return caller.agent === index;
      default:
        return false;
    }
  }
}
