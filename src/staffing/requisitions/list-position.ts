import { Type } from '@sinclair/typebox';
import { positionNumber, positionTime } from '../../platform/http/pagination/cursor.ts';
import type { RequisitionPosition } from './store.ts';

/** The position of a cursor of requisitions: time and sequence number. */
export const requisitionPosition = Type.Tuple([positionTime, positionNumber]);

/** Returns the position of a cursor for a query; undefined for the first page. */
export function positionOf(position: readonly [string, number] | undefined): RequisitionPosition | undefined {
  return position === undefined ? undefined : { createdAt: position[0], requisitionSeq: position[1] };
}
