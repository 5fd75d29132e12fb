import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/** The checkpoints that packages cite. */
export const packageCitation = sqliteTable('package_citation', {
  checkpointSeq: integer('checkpoint_seq').primaryKey(),
});
