import { type AgentObjectKind, judgeAgentObject } from '../../statement/agent-object.ts';
import type { StatementKind } from '../../statement/statement.ts';
import { judgeStatement } from '../../statement/verdict.ts';
import type { Judge } from '../values/judgement.ts';

/** Returns what judges the statements of one kind. */
export function statementJudge(kind: StatementKind): Judge {
  return (primitives, document, context) => {
    const result = judgeStatement(primitives, kind, document, context);
    const { verdict, statement } = result;
    return {
      isValid: verdict === 'valid',
      result,
      kind: 'statement',
      facts:
        statement === null
          ? []
          : [
              `${kind.name} of ${statement.dated}${statement.valid_until === null ? '' : `, valid until ${statement.valid_until}`}`,
              ...linesOf(statement.about),
            ],
    };
  };
}

/** Returns what judges the objects of one kind that agents sign. */
export function agentObjectJudge(kind: AgentObjectKind): Judge {
  return (primitives, document, context) => {
    const result = judgeAgentObject(primitives, kind, document, context);
    const { verdict, object } = result;
    return {
      isValid: verdict === 'valid',
      result,
      kind: 'agentObject',
      facts:
        object === null
          ? []
          : [
              `signed by agent ${object.agent}${object.valid_until === null ? '' : `, valid until ${object.valid_until}`}`,
              ...linesOf(object.about),
            ],
    };
  };
}

function linesOf(about: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(about).map(([name, value]) => `${name}: ${value}`);
}
