import { DocumentReader } from '../../document/document-reader.ts';
import { jsonOrNull } from '../../encoding/json.ts';
import { accountStatement, readAccountStatement } from '../../statement/account-statement.ts';
import type { Judge } from '../values/judgement.ts';
import { statementJudge } from './statement.ts';
import { journalProblems } from './statement-in-journal.ts';

/** Judges the statement of an account; with its journal, also whether this yields the sums. */
export const judgeAccountStatement: Judge = (primitives, document, context) => {
  const judgement = statementJudge(accountStatement)(primitives, document, context);
  const journal = context.additional?.journal;
  const { result } = judgement;
  if (journal === undefined || result.verdict === 'malformed')
    return { ...judgement, kind: 'accountStatement' };
  const statement = readAccountStatement(new DocumentReader(jsonOrNull(document) ?? undefined, '', []));
  const problems = journalProblems(primitives, statement, journal);
  const isSame = problems.length === 0;
  return {
    ...judgement,
    kind: 'accountStatement',
    isValid: judgement.isValid && isSame,
    result: {
      ...result,
      checks: { ...result.checks, journal: isSame ? 'ok' : 'mismatch' },
      problems: [...result.problems, ...problems],
    },
  };
};
