import {
  type AuditedTable,
  NOTHING,
  type RangeReport,
  type RowRange,
  rangeEnds,
} from '../../platform/audit/table.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { LOG_NAMES } from '../../proof/log/log-names.ts';
import { HASH_BYTES } from '../../proof/log/merkle.ts';
import type { VerifierKey } from '../../proof/log/note.ts';
import type { Problem } from '../../proof/log/problem.ts';
import { checkpointProblems } from './audit/checkpoints.ts';
import { logProblems } from './audit/logs.ts';
import { markOf, markOfLog, markProblems, orphanedMarkProblems } from './audit/mark.ts';
import {
  checkpointNumbers,
  checkpointRows,
  firstAndLastCheckpoint,
  keysBySeq,
  newestCheckpoint,
  orphanedTiles,
} from './audit/store.ts';
import { TreeAudit } from './audit/tree.ts';
import { logVerifiers } from './checkpoints/sign.ts';
import { HIGH_WATER_FILE } from './high-water.ts';
import { allLogs, type LogRow } from './logs.ts';

/** Audits the high-water mark: that it can be read. Its content is compared with the trees. */
const mark: AuditedTable = {
  name: HIGH_WATER_FILE,
  stage: 'anchors',
  async begin({ directory }) {
    const read = markOf(directory);
    return { whole: async () => ({ problems: 'problem' in read ? [read.problem] : [] }) };
  },
};

const logs: AuditedTable = {
  name: 'log',
  stage: 'logs',
  async begin(start) {
    const rows = await allLogs(await start.snapshot);
    return {
      async whole(snapshot) {
        const ends = [];
        for (const log of rows) ends.push({ log, ...(await firstAndLastCheckpoint(snapshot, log.logSeq)) });
        return { problems: logProblems(ends, start.clock) };
      },
    };
  },
};

const checkpoints: AuditedTable = {
  name: 'checkpoint',
  stage: 'rows',
  rows: { column: 'checkpoint_seq', counted: 'checkpoints', cost: 30, examine: checkpointsReport },
  async begin({ snapshot }) {
    const numbers = await checkpointNumbers(await snapshot);
    return { reach: numbers.at(-1) ?? 0, rangeEnds: rangeEnds(numbers) };
  },
};

/**
 * Audits the trees, which are rebuilt from all leaves: tiles, roots of checkpoints and the high-water mark
 * are compared with them.
 */
const trees: AuditedTable = {
  name: 'log_tile',
  stage: 'leaves',
  async begin({ directory, snapshot }) {
    const before = markOf(directory);
    const moment = await snapshot;
    const all = await allLogs(moment);
    const reach = await newestCheckpoint(moment);
    // The mark is written before the checkpoint is stored, so this one is not older than the checkpoints.
    const after = markOf(directory);
    const marks = [before, after].map((read) => ('mark' in read ? read.mark : null));
    const [earlier = null, later = null] = marks;
    const knownLogs = all.filter(({ name }) => LOG_NAMES.includes(name));
    const audits = knownLogs.map((log) => new TreeAudit(log, reach, markOfLog(earlier, log)));
    return {
      async takeLeaves(now, name, hashes) {
        const growing = audits.filter(({ log }) => log.name === name);
        const problems: Problem[] = [];
        for (let at = 0; at < hashes.length; at += HASH_BYTES) {
          for (const tree of growing) {
            const result = tree.append(now, hashes.slice(at, at + HASH_BYTES));
            // Most leaves have nothing to compare with, and are not awaited.
            problems.push(...(result instanceof Promise ? await result : result));
          }
        }
        return problems;
      },
      async whole(now) {
        const problems: Problem[] = [];
        for (const tree of audits) problems.push(...(await tree.end(now)));
        for (const tileSeq of await orphanedTiles(now)) {
          const row = { tile_seq: tileSeq };
          problems.push({ table: 'log_tile', row, what: 'name is not the name of a log' });
        }
        if ('problem' in before) return { problems };
        const highWaterProblems =
          all.length === 0
            ? orphanedMarkProblems(earlier)
            : await markProblems(now, knownLogs, reach, later ?? earlier);
        return { problems: [...problems, ...highWaterProblems] };
      },
    };
  },
};

/** The tables of the log that fsck audits. The capability that has the leaves checks their entries. */
export const audited = [mark, logs, checkpoints, trees];

async function checkpointsReport(snapshot: Snapshot, range: RowRange): Promise<RangeReport> {
  const keys = await keysBySeq(snapshot);
  const known = new Map((await allLogs(snapshot)).map((log) => [log.logSeq, log]));
  const verifiers = new Map<number, VerifierKey[]>();
  const verifiersOf = (log: LogRow): VerifierKey[] => {
    const made = verifiers.get(log.logSeq) ?? logVerifiers(keys.values(), log);
    verifiers.set(log.logSeq, made);
    return made;
  };
  const rows = await checkpointRows(snapshot, range);
  const checked = rows.map((row) =>
    checkpointProblems(row, known.get(row.logSeq) ?? null, keys, verifiersOf),
  );
  return {
    ...NOTHING,
    problems: checked.flatMap(({ problems }) => problems),
    rows: rows.length,
    signatures: checked.reduce((sum, { signatures }) => sum + signatures, 0),
  };
}
