import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob, idBlob } from '../../src/platform/store/columns.ts';
import { PUSH_FORMS, TASK_STATES } from './a2a-enums.ts';

/** Tasks of the Agent2Agent protocol. Times are milliseconds since 1970. */
export const a2aTask = sqliteTable('a2a_task', {
  taskSeq: integer('task_seq').primaryKey(),
  taskId: idBlob('a2a_')('task_id').notNull(),
  operatorSeq: integer('operator_seq').notNull(),
  clientId: text('client_id'),
  commitment: hexBlob('commitment'),
  contextId: text('context_id').notNull(),
  skill: text('skill'),
  input: text('input'),
  state: text('state', { enum: TASK_STATES }).notNull(),
  escrowSeq: integer('escrow_seq'),
  messages: integer('messages').notNull().default(0),
  artifacts: integer('artifacts').notNull().default(0),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
});

/** The messages of a task, in the order of their numbers. */
export const a2aMessage = sqliteTable('a2a_message', {
  messageSeq: integer('message_seq').primaryKey(),
  taskSeq: integer('task_seq').notNull(),
  content: text('content').notNull(),
  digest: hexBlob('digest').notNull(),
  repetition: hexBlob('repetition'),
  createdAt: integer('created_at').notNull(),
});

/** The results of a task. */
export const a2aArtifact = sqliteTable('a2a_artifact', {
  artifactSeq: integer('artifact_seq').primaryKey(),
  taskSeq: integer('task_seq').notNull(),
  content: text('content').notNull(),
  digest: hexBlob('digest').notNull(),
  createdAt: integer('created_at').notNull(),
});

/** The task with escrow that the newest reply of a context named, by caller. */
export const a2aLastReply = sqliteTable('a2a_last_reply', {
  replySeq: integer('reply_seq').primaryKey(),
  operatorSeq: integer('operator_seq').notNull(),
  commitment: hexBlob('commitment'),
  contextId: text('context_id').notNull(),
  taskSeq: integer('task_seq').notNull(),
});

/** Where an owner of a task is told of its changes. */
export const a2aPush = sqliteTable('a2a_push', {
  pushSeq: integer('push_seq').primaryKey(),
  taskSeq: integer('task_seq').notNull(),
  operatorSeq: integer('operator_seq').notNull(),
  configId: text('config_id').notNull(),
  url: text('url').notNull(),
  form: text('form', { enum: PUSH_FORMS }).notNull(),
  scheme: text('scheme'),
  /** Sealed under the master key. */
  secrets: text('secrets').notNull(),
  createdAt: integer('created_at').notNull(),
});
