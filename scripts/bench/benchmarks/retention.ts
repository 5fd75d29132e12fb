import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pino from 'pino';
import { takeDataDirectory } from '../../../src/platform/data-directory.ts';
import { newId } from '../../../src/platform/ids.ts';
import type { Store } from '../../../src/platform/store/store.ts';
import type { LogName } from '../../../src/proof/log/log-names.ts';
import { CosignedCheckpoints } from '../../../src/trust/log/checkpoints/cosigned.ts';
import { Thinning } from '../../../src/trust/log/checkpoints/thinning.ts';
import type { Logs } from '../../../src/trust/log/logs.ts';
import { checkpointsBefore, insertCheckpoints, insertCosignatures } from '../../../src/trust/log/store.ts';
import { openTrustService } from '../../../src/trust/service/service.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atMost } from '../harness/metric.ts';
import { rows } from '../receipt-rows.ts';
import { percentile, print } from '../statistics.ts';

/** The time between two checkpoints of each log that grows, in milliseconds. */
const SPACINGS = { receipts: 200, evidence: 1000, revocations: 1000 } satisfies Partial<
  Record<LogName, number>
>;
const GROWING = ['receipts', 'evidence', 'revocations'] as const satisfies readonly LogName[];
/** The time between two checkpoints of a log that witnesses cosign, in milliseconds. */
const COSIGNED_MS = 4000;
const MINUTE_MS = 60_000;
/** The bytes of a cosignature by Ed25519 and of one by ML-DSA-44, with the id of the key and the time. */
const COSIGNATURE_BYTES = [76, 2436];
const WITNESSES = ['witness.one.example/w', 'witness.two.example/w'];

export const retention = defineBenchmark({
  name: 'retention',
  capability: 'Transparency log',
  about:
    'The checkpoints in the database, with indexes, at the end of a day in which three logs grow without pause (that of receipts has a ' +
    'checkpoint every 200 ms, the others one a second); two witnesses cosign each log every four seconds, each with an Ed25519 and an ' +
    'ML-DSA-44 key. The rows are copies of a checkpoint at virtual times; the thinning is the real one.',
  needs: [],
  metrics: {
    size: { label: 'Checkpoints of a busy day', unit: 'MB', goal: atMost(200), goalHoldsFor: 'full' },
    count: { label: 'Checkpoints of a busy day', unit: 'count' },
    deletion: {
      label: 'Main thread taken by a transaction that deletes checkpoints, 99th percentile',
      unit: 'ms',
      goal: atMost(10),
    },
  },
  short: { hours: 2 },
  full: { hours: 24 },
  async run({ hours }, bench) {
    const data = bench.newDirectory();
    const directory = takeDataDirectory(data);
    const options = { version: 'bench', url: 'http://localhost' };
    const service = await openTrustService(directory, new Map(), pino({ level: 'silent' }), options);
    const { store, log } = service.trust;
    const times: number[] = [];
    const quorum = new CosignedCheckpoints((cosignatures) => cosignatures.length >= WITNESSES.length);
    const thinning = new Thinning(timing(store, times), quorum, 30);
    const day = await Day.begin(store, log.open);
    for (let minute = 0; minute < hours * 60; minute++) {
      await day.minute();
      await thinning.run();
    }
    await service.close();
    directory.release();
    const [found = { bytes: Number.NaN, count: Number.NaN }] = rows<{ bytes: number; count: number }>(
      join(data, 'trust.db'),
      `SELECT sum(pgsize) AS bytes, (SELECT count(*) FROM checkpoint) AS count
       FROM dbstat WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name GLOB 'checkpoint*')`,
    );
    print(`${found.count} checkpoints after ${hours} hours, ${(found.bytes / 1e6).toFixed(1)} MB`);
    return { size: found.bytes / 1e6, count: found.count, deletion: percentile(times, 0.99) };
  },
});

/** Returns a store that records how long the bodies of a task's transactions take, in milliseconds. */
function timing(store: Store, times: number[]): Store {
  return {
    ...store,
    writeAsService: (body) =>
      store.writeAsService(async (tx) => {
        const since = performance.now();
        const result = await body(tx);
        times.push(performance.now() - since);
        return result;
      }),
  };
}

/** Writes the checkpoints of growing logs, a minute at a time. */
class Day {
  private constructor(
    private readonly store: Store,
    private readonly newest: Map<LogName, Awaited<ReturnType<typeof newestOf>>>,
    private now: number,
  ) {}

  static async begin(store: Store, logs: Logs): Promise<Day> {
    const newest = new Map<LogName, Awaited<ReturnType<typeof newestOf>>>();
    for (const name of GROWING) newest.set(name, await newestOf(store, logs, name));
    return new Day(store, newest, Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS);
  }

  async minute(): Promise<void> {
    await this.store.writeAsService(async (tx) => {
      for (const name of GROWING) {
        for (let at = this.now; at < this.now + MINUTE_MS; at += SPACINGS[name]) {
          const before = this.newest.get(name);
          if (before === undefined) throw new Error(`no checkpoint of ${name}`);
          const issuedAt = new Date(at).toISOString();
          const { checkpointId: previousId, treeSize: previousSize } = before;
          const row = { ...before, checkpointId: newId('ckpt_'), previousId, previousSize, issuedAt };
          this.newest.set(name, row);
          const [seq = 0] = await insertCheckpoints(tx, [row]);
          if (at % COSIGNED_MS === 0) await insertCosignatures(tx, seq, cosignatures(), issuedAt);
        }
      }
    });
    this.now += MINUTE_MS;
  }
}

async function newestOf(store: Store, logs: Logs, name: LogName) {
  const everything = { beforeSize: Number.MAX_SAFE_INTEGER, beforeSeq: Number.MAX_SAFE_INTEGER };
  const [found] = await store.read((snapshot) =>
    checkpointsBefore(snapshot, logs[name].logSeq, 1, everything),
  );
  if (found === undefined) throw new Error(`no checkpoint of ${name}`);
  const { checkpointSeq: _, ...row } = found.checkpoint;
  return row;
}

function cosignatures() {
  return WITNESSES.flatMap((witness) =>
    COSIGNATURE_BYTES.map((bytes, keyId) => ({
      witness,
      keyId,
      line: `— ${witness} ${randomBytes(bytes).toString('base64')}\n`,
    })),
  );
}
