import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What assessors signed about other agents, by the item of evidence. */
export const assessment = sqliteTable('assessment', {
  evidenceSeq: integer('evidence_seq').primaryKey(),
  assessorSeq: integer('assessor_seq').notNull(),
  subjectSeq: integer('subject_seq').notNull(),
  framework: text('framework').notNull(),
  /** RFC 3339 in UTC with milliseconds. */
  periodFrom: text('period_from').notNull(),
  periodTo: text('period_to').notNull(),
});
