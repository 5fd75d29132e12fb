import { codes, list, segment } from '../../../../db/staffing/registry/tables.ts';
import { sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ codes, list, segment });

export const insertSegment = sql.insert(segment);
export const insertList = sql.insert(list);
export const insertCodes = sql.insert(codes);
