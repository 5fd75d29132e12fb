import { registry } from '../../../db/staffing/registry/tables.ts';
import { sqlOf } from '../../platform/store/sql.ts';

const sql = sqlOf({ registry });

/** Returns the current metadata, which weekly updates change in place; null for a file without it. */
export const factsOf = sql.row(registry)``;
