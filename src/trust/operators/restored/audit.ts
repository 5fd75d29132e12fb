import type { AuditedTable } from '../../../platform/audit/table.ts';
import { ACTS_FILE, newestLine } from './acts-file.ts';
import { newestAct } from './store.ts';

const WHAT =
  'the file is missing, although keys were deleted or payouts ended: after a restore of an older backup they would not be known';

/** Audits that the file with what a restore must not undo is there, if the database ever had such acts. */
export const audited: readonly AuditedTable[] = [
  {
    name: ACTS_FILE,
    stage: 'anchors',
    async begin({ directory }) {
      const isMissing = newestLine(directory) === null;
      return {
        async whole(snapshot) {
          const act = isMissing ? await newestAct(snapshot) : null;
          return { problems: act === null ? [] : [{ table: ACTS_FILE, row: {}, what: WHAT }] };
        },
      };
    },
  },
];
