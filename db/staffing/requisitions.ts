import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob, idBlob } from '../../src/platform/store/columns.ts';
import { TIERS } from './accounts-enums.ts';
import { EMPLOYMENT_TYPES, SHIFTS, STATUSES } from './requisitions-enums.ts';

export const requisition = sqliteTable('requisition', {
  requisitionSeq: integer('requisition_seq').primaryKey(),
  requisitionId: idBlob('req_')('requisition_id').notNull(),
  partnerSeq: integer('partner_seq').notNull(),
  mode: text('mode', { enum: TIERS }).notNull(),
  status: text('status', { enum: STATUSES }).notNull(),
  title: text('title').notNull(),
  specialty: text('specialty').notNull(),
  specialtyCode: text('specialty_code'),
  state: text('state').notNull(),
  city: text('city'),
  weeks: integer('weeks'),
  externalId: text('external_id'),
  positions: integer('positions').notNull(),
  startDate: text('start_date'),
  shift: text('shift', { enum: SHIFTS }),
  employmentType: text('employment_type', { enum: EMPLOYMENT_TYPES }),
  notes: text('notes'),
  bodyDigest: hexBlob('body_digest').notNull(),
  createdAt: text('created_at').notNull(),
  updatedAt: text('updated_at').notNull(),
});

export const requisitionMove = sqliteTable('requisition_move', {
  requisitionSeq: integer('requisition_seq').notNull(),
  place: integer('place').notNull(),
  status: text('status', { enum: STATUSES }).notNull(),
  at: text('at').notNull(),
});

/** How many requisitions are stored for each partner and tier. */
export const requisitionCount = sqliteTable('requisition_count', {
  partnerSeq: integer('partner_seq').notNull(),
  mode: text('mode', { enum: TIERS }).notNull(),
  requisitions: integer('requisitions').notNull(),
});
