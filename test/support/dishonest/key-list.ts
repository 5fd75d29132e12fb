import { bytesToHex } from '../../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../../src/proof/encoding/json.ts';
import { parseCheckpoint } from '../../../src/proof/log/checkpoint.ts';
import { overlapOf } from '../../../src/proof/log/key-purposes.ts';
import { closedLogsIn, type IndexedChange, receiptsLogsOf } from '../../../src/proof/log/log-chain.ts';
import { readKeyLogEntry } from '../../../src/proof/log/log-change.ts';
import type { KeyEntry } from '../../../src/proof/log/log-entry.ts';
import { originOf } from '../../../src/proof/log/log-names.ts';
import { parseNote } from '../../../src/proof/log/note.ts';
import type { FakeLog } from '../fake-log.ts';

const STATUS = { added: 'next', activated: 'active', retired: 'retired', compromised: 'compromised' };

/** What a list of keys says instead of what its log of keys says. */
export interface SaidOfKeys {
  row?: (row: JsonObject) => JsonObject;
  rows?: (rows: JsonObject[]) => JsonObject[];
  closedLogs?: (rows: JsonObject[]) => JsonObject[];
  log?: JsonObject;
}

/** Returns the list of keys that follows from a log of keys, as far as nothing else is said. */
export function keyListOf(log: FakeLog, said: SaidOfKeys = {}): JsonObject {
  const events = new Map<string, { entry: KeyEntry; index: number; first: number }>();
  const changes: IndexedChange[] = [];
  for (const [index, bytes] of log.entries.keys.entries()) {
    const read = readKeyLogEntry(Buffer.from(bytes).toString());
    if ('change' in read) changes.push({ change: read.change, index });
    else {
      const first = events.get(read.key.kid)?.first ?? index;
      events.set(read.key.kid, { entry: read.key, index, first });
    }
  }
  const closed = closedLogsIn(changes);
  const open = originOf(log.origin, 'receipts');
  const rows = [...events.values()].map(({ entry, index, first }): JsonObject => {
    const { kid, public_key, algorithm, purpose, event, at, receipts_tree_size: size } = entry;
    const hasEnded = event === 'retired' || event === 'compromised';
    const end = Date.parse(at) + (event === 'retired' ? overlapOf(purpose) : 0);
    return {
      ...{ kid, public_key, algorithm, purpose, status: STATUS[event], log_index: first },
      valid_from: '2020-01-01T00:00:00.000Z',
      valid_until: hasEnded ? new Date(end).toISOString() : null,
      receipts_logs: hasEnded ? receiptsLogsOf({ index, size }, closed, open) : [],
      receipts_tree_size: hasEnded ? size : null,
    };
  });
  const checkpoint = log.note('keys');
  const { size, root } = parseCheckpoint(parseNote(Buffer.from(checkpoint)).text);
  const { row = (one) => one, rows: all = (list) => list, closedLogs = (list) => list } = said;
  return {
    keys: all(rows.map(row)),
    closed_logs: closedLogs(closed.map((one) => ({ ...one }))),
    log: {
      ...{ origin: originOf(log.origin, 'keys'), tree_size: size, root_hash: bytesToHex(root), checkpoint },
      ...said.log,
    },
  };
}
