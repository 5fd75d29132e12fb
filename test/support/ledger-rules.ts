import { amountOf, type LedgerModel, type ModelTask } from './ledger-model.ts';
import type { Operation } from './ledger-operations.ts';
import { isAmount, portionsOf } from './ledger-portions.ts';

/** The largest amount of credits that a key with a scope may debit at once. */
export const SCOPE_LIMIT = 25;

/** The codes of all rules that refuse an operation. */
export type Refusals = readonly string[];

/** Predicts what the service refuses in the state of a model. */
export class LedgerRules {
  constructor(private readonly model: LedgerModel) {}

  /** Returns the codes with which the service may refuse an operation now; none if it must accept it. */
  refusals(operation: Operation): Refusals {
    const door = this.atTheDoor(operation);
    if (door.length > 0) return door;
    const isRepeated = this.model.isDone(operation);
    if (isRepeated && operation.caller.by !== 'signature') return [];
    return [...new Set([...this.inTheTransaction(operation), ...(isRepeated ? ['nonce_reused'] : [])])];
  }

  /** What is checked before the body of a request: its key. */
  private atTheDoor({ caller, type }: Operation): Refusals {
    switch (caller.by) {
      case 'nobody':
        return ['unauthorized'];
      case 'issuer':
        return this.model.operator(caller.operator).isActive ? [] : ['forbidden'];
      case 'holder':
      case 'limited': {
        const { keyOperator, isRevoked } = this.model.agent(caller.agent);
        const isActive = keyOperator !== null && this.model.operator(keyOperator).isActive;
        const isAllowed = isActive && type !== 'grant';
        return [...(isAllowed ? [] : ['forbidden']), ...(isRevoked ? ['agent_not_enrolled'] : [])];
      }
      case 'signature':
        // Only an operator's key can take from its pool.
        return type === 'grant' ? ['unauthorized'] : [];
      case 'service':
        return [];
    }
  }

  private inTheTransaction(operation: Operation): Refusals {
    switch (operation.type) {
      case 'grant': {
        if (operation.caller.by !== 'issuer') return ['forbidden', ...this.invalid(operation)];
        const invalid = this.invalid(operation);
        if (invalid.length > 0) return invalid;
        const isShort =
          portionsOf(this.model.operator(operation.caller.operator).pool, amountOf(operation)) === null;
        return [...this.unenrolled(operation.agent), ...(isShort ? ['insufficient_credits'] : [])];
      }
      case 'transfer': {
        const invalid = this.invalid(operation);
        const same = operation.from === operation.to ? ['validation_error'] : [];
        if (invalid.length > 0) return invalid;
        return [...same, ...this.debit(operation, operation.from), ...this.unenrolled(operation.to)];
      }
      case 'claim': {
        const invalid = this.invalid(operation);
        if (invalid.length > 0) return invalid;
        const { caller } = operation;
        // The first operator's key is the administrator's.
        const isAdministrator = caller.by === 'issuer' && caller.operator === 0;
        const isShort = portionsOf(this.model.unclaimed, amountOf(operation)) === null;
        return [
          ...(isAdministrator ? [] : ['forbidden']),
          ...this.unenrolled(operation.to),
          ...(isShort ? ['insufficient_credits'] : []),
        ];
      }
      case 'charge': {
        if (operation.agent !== null) return this.debit(operation, operation.agent);
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
          ...this.debit(operation, operation.hirer),
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
      case 'cancel':
      case 'refund': {
        const task = this.model.tasks.get(operation.task);
        if (task === undefined) return ['not_found', ...this.flaws(operation)];
        const side = operation.type === 'refund' ? task.worker : task.hirer;
        const from = operation.type === 'cancel' ? 'HELD' : 'DELIVERED';
        const isOpen = task.status === 'HELD' || task.status === 'DELIVERED';
        const standsStill = isOpen && this.model.stillSince(task.hirer) !== null;
        const { caller } = operation;
        // The administrator decides about hires that stand still.
        if (standsStill && caller.by === 'issuer' && caller.operator === 0)
          return task.status === from ? [] : ['invalid_state'];
        return [
          ...this.flaws(operation),
          ...this.notASide(operation, task, side),
          ...(task.status === from && !standsStill ? [] : ['invalid_state']),
          ...this.inactive(side),
        ];
      }
      case 'sponsor':
        return this.model.operator(operation.operator).isActive ? [] : ['validation_error'];
      case 'revoke':
        return this.model.agent(operation.agent).isRevoked ? ['invalid_state'] : [];
      default:
        return [];
    }
  }

  private invalid(operation: Operation & { amount: unknown }): Refusals {
    return isAmount(operation.amount) ? [] : ['validation_error', 'invalid_json'];
  }

  private unenrolled(index: number): Refusals {
    return this.model.agent(index).isRevoked ? ['agent_not_enrolled'] : [];
  }

  /** Why a caller may not take `amount` from an agent. */
  private debit(operation: Operation & { amount: unknown }, index: number): Refusals {
    const amount = amountOf(operation);
    const isTooMuch = operation.caller.by === 'limited' && amount > SCOPE_LIMIT;
    return [
      ...this.flaws(operation),
      ...this.strange(operation, index),
      ...this.inactive(index),
      ...(isTooMuch ? ['scope_violation'] : []),
      ...(portionsOf(this.model.agent(index).available, amount) === null ? ['insufficient_credits'] : []),
    ];
  }

  private inactive(index: number): Refusals {
    const { sponsor, isRevoked } = this.model.agent(index);
    const isSuspended = sponsor !== null && !this.model.operator(sponsor).isActive;
    return [...(isRevoked ? ['agent_not_enrolled'] : []), ...(isSuspended ? ['forbidden'] : [])];
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
