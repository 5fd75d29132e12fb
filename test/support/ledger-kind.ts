/** One kind of operation of the simulation: everything that it needs to know about it. */
import type { BillingApp } from './billing-app.ts';
import type { LedgerModel } from './ledger-model.ts';
import type { Operation, Plan } from './ledger-operations.ts';
import type { Line, Participants } from './ledger-requests.ts';
import type { LedgerRules, Refusals } from './ledger-rules.ts';

/** What an operation that no request does acts on. */
export interface Acting {
  app: BillingApp;
  participants: Participants;
}

interface Parts<One extends Operation> {
  /** How often it is chosen, beside the others. */
  weight: number;
  /** Returns the operation that a plan means in this state. */
  choose(model: LedgerModel, planned: Plan, id: string): One;
  /** Returns the codes with which the service may refuse it now; none if it must accept it. */
  refusals(rules: LedgerRules, operation: One): Refusals;
  /** Changes the model as an accepted operation does. */
  apply(model: LedgerModel, operation: One): void;
  /** Changes the model as an operation does that was refused and still stores something. */
  refused?(model: LedgerModel, operation: One, code: string): void;
  /** Returns the request; absent for one that the administrator or the payment processor does. */
  line?(participants: Participants, operation: One): Line;
  act?(acting: Acting, operation: One): Promise<void>;
  /** Whose transactions `act` writes; by default the service's. */
  writer?: 'request' | 'service';
  /** Whether further transactions of the service hold and release credits. */
  holds?: boolean;
}

/** A kind, whatever its operations are. */
export interface Kind extends Required<Omit<Parts<Operation>, 'line' | 'act'>> {
  type: Operation['type'];
  /** Null without a request. */
  line(participants: Participants, operation: Operation): Line | null;
  act(acting: Acting, operation: Operation): Promise<void>;
  /** Whether it can be repeated as it is. */
  isRepeatable: boolean;
}

type Of<Type extends Operation['type']> = Extract<Operation, { type: Type }>;

/** Describes a kind of operation. */
export function kind<Type extends Operation['type']>(type: Type, parts: Parts<Of<Type>>): Kind {
  const own = (operation: Operation): Of<Type> => {
    if (isOf(operation, type)) return operation;
    throw new Error(`${operation.type} is not ${type}`);
  };
  const writer = parts.writer ?? 'service';
  return {
    type,
    weight: parts.weight,
    writer,
    holds: parts.holds ?? false,
    isRepeatable: parts.line !== undefined || writer === 'request',
    choose: parts.choose,
    refusals: (rules, operation) => parts.refusals(rules, own(operation)),
    apply: (model, operation) => parts.apply(model, own(operation)),
    refused: (model, operation, code) => parts.refused?.(model, own(operation), code),
    line: (participants, operation) => parts.line?.(participants, own(operation)) ?? null,
    async act(acting, operation) {
      await parts.act?.(acting, own(operation));
    },
  };
}

function isOf<Type extends Operation['type']>(operation: Operation, type: Type): operation is Of<Type> {
  return operation.type === type;
}
