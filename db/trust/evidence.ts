import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob, rawBlob } from '../../src/platform/store/columns.ts';
import { READINGS } from '../../src/proof/agent/agent-signature.ts';
import { SOURCE_TYPES } from '../../src/proof/evidence/source-types.ts';

/** The leaves of the log of evidence. */
export const evidenceLeaf = sqliteTable('evidence_leaf', {
  leafSeq: integer('leaf_seq').primaryKey(),
  leafHash: rawBlob('leaf_hash').notNull(),
  entry: text('entry'),
});

/** Items that only the log has, since a restored backup lacks them. */
export const lostEvidence = sqliteTable('lost_evidence', {
  leafSeq: integer('leaf_seq').primaryKey(),
  subjectCommitment: hexBlob('subject_commitment').notNull(),
  position: integer('position').notNull(),
  sourceType: text('source_type').notNull(),
  payloadDigest: hexBlob('payload_digest').notNull(),
  eventHash: hexBlob('event_hash').notNull(),
  prevEventHash: hexBlob('prev_event_hash'),
  anchoredAt: text('anchored_at').notNull(),
});

export const evidence = sqliteTable('evidence', {
  evidenceSeq: integer('evidence_seq').primaryKey(),
  agentSeq: integer('agent_seq').notNull(),
  position: integer('position').notNull(),
  sourceType: text('source_type', { enum: SOURCE_TYPES }).notNull(),
  payloadDigest: hexBlob('payload_digest').notNull(),
  eventHash: hexBlob('event_hash').notNull(),
  prevEventHash: hexBlob('prev_event_hash'),
  signature: hexBlob('signature').notNull(),
  reading: text('reading', { enum: READINGS }).notNull(),
  outcome: text('outcome', { enum: ['success', 'failure'] }).notNull(),
  operatorSeq: integer('operator_seq'),
  createdAt: text('created_at').notNull(),
  payload: rawBlob('payload').notNull(),
});

/** Up to which position the payloads of an agent are deleted. */
export const evidenceErasure = sqliteTable('evidence_erasure', {
  agentSeq: integer('agent_seq').primaryKey(),
  throughPosition: integer('through_position').notNull(),
  /** Milliseconds since 1970. */
  erasedAt: integer('erased_at').notNull(),
});

/** The index of evidence by commits (full SHA). */
export const evidenceCommit = sqliteTable(
  'evidence_commit',
  {
    agentSeq: integer('agent_seq').notNull(),
    commitId: hexBlob('commit_id').notNull(),
    evidenceSeq: integer('evidence_seq').notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentSeq, table.commitId, table.evidenceSeq] })],
);
