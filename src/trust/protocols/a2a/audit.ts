import { checkedTable } from '../../../platform/audit/counts.ts';
import {
  type AuditedTable,
  NOTHING,
  type RangeReport,
  type RowRange,
} from '../../../platform/audit/table.ts';
import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { textDigest } from '../../../proof/encoding/digest.ts';
import { JsonError, parseCanonicalJson } from '../../../proof/encoding/json.ts';
import type { Problem } from '../../../proof/log/problem.ts';
import {
  artifactRows,
  type ContentRow,
  messageRows,
  newestArtifact,
  newestMessage,
  pushChecks,
  replyChecks,
  taskChecks,
} from './audit/store.ts';
import { isArtifact, isMessage } from './tasks/stored.ts';

const IN_WORDS = {
  counted: 'messages',
  inWords: 'messages and artifacts of tasks',
  oneInWords: 'message or artifact of a task',
  cost: 1,
};

const messages: AuditedTable = {
  name: 'a2a_message',
  stage: 'rows',
  rows: { ...IN_WORDS, column: 'message_seq', examine: messagesReport },
  begin: async ({ snapshot }) => ({ reach: await newestMessage(await snapshot) }),
};

const artifacts: AuditedTable = {
  name: 'a2a_artifact',
  stage: 'rows',
  rows: { ...IN_WORDS, column: 'artifact_seq', examine: artifactsReport },
  begin: async ({ snapshot }) => ({ reach: await newestArtifact(await snapshot) }),
};

/** The tables of A2A that fsck audits. Rows are deleted after their time, so their numbers have gaps. */
export const audited = [
  messages,
  artifacts,
  checkedTable('a2a_task', taskChecks),
  checkedTable('a2a_last_reply', replyChecks),
  checkedTable('a2a_push', pushChecks),
];

async function messagesReport(snapshot: Snapshot, range: RowRange): Promise<RangeReport> {
  const rows = await messageRows(snapshot, range);
  const problems = rows.flatMap((row) => {
    const message = jsonIn(row.content);
    const isRight = isMessage(message) && (message.role === 'user') === (row.isRepeatable === 1);
    return contentProblems('a2a_message', 'message_seq', row, isRight);
  });
  return { ...NOTHING, problems, rows: rows.length };
}

async function artifactsReport(snapshot: Snapshot, range: RowRange): Promise<RangeReport> {
  const rows = await artifactRows(snapshot, range);
  const problems = rows.flatMap((row) =>
    contentProblems('a2a_artifact', 'artifact_seq', row, isArtifact(jsonIn(row.content))),
  );
  return { ...NOTHING, problems, rows: rows.length };
}

function contentProblems(table: string, column: string, row: ContentRow, isRight: boolean): Problem[] {
  const problem = (what: string, values: Partial<Problem> = {}): Problem => ({
    table,
    row: { [column]: row.seq },
    what,
    ...values,
  });
  const digest = textDigest(nativePrimitives, row.content);
  const problems: Problem[] = [];
  if (row.taskSeq === null) problems.push(problem('there is no task with its task_seq'));
  if (digest !== row.digest) {
    problems.push(problem('content has another digest', { expected: row.digest, found: digest }));
  }
  if (!isRight) problems.push(problem('content is not one that the service writes'));
  return problems;
}

function jsonIn(content: string) {
  try {
    return parseCanonicalJson(content);
  } catch (error) {
    if (error instanceof JsonError) return null;
    throw error;
  }
}
