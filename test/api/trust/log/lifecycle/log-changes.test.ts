import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import type { LogSource } from '../../../../../src/platform/tlog/source.ts';
import { parseJson } from '../../../../../src/proof/encoding/json.ts';
import { readLogKeys } from '../../../../../src/proof/log/log-keys.ts';
import { LOG_NAMES } from '../../../../../src/proof/log/log-names.ts';
import { readLogProof } from '../../../../../src/proof/log/log-proof.ts';
import { sentenceOf } from '../../../../../src/proof/log/problem.ts';
import { checkInclusion } from '../../../../../src/proof/receipt/inclusion.ts';
import { namedLogKeys } from '../../../../../src/tools/monitor/keys/log-keys.ts';
import { auditRemote } from '../../../../../src/tools/monitor/remote-audit.ts';
import { HIGH_WATER_FILE } from '../../../../../src/trust/log/high-water.ts';
import { restartLogs } from '../../../../../src/trust/log/lifecycle/restart.ts';
import { trustModules } from '../../../../../src/trust/service/modules.ts';
import { withServiceStopped } from '../../../../../src/trust/service/open-context.ts';
import { audited } from '../../../../support/audit.ts';
import { finalized, latest } from '../../../../support/log.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const LOG = pino({ level: 'silent' });
let root: string;
let data: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'countersign-log-changes-'));
  data = join(root, 'data');
});
afterEach(() => rmSync(root, { recursive: true }));

async function served<T>(
  task: (app: TrustApp) => Promise<T>,
  settings: Record<string, string> = {},
): Promise<T> {
  const app = await openTrustApp(settings, null, data);
  try {
    return await task(app);
  } finally {
    await app.close();
  }
}

const restart = () => withServiceStopped(data, new Map(), LOG, trustModules, restartLogs);

/** Finalizes receipts and publishes them. @returns the newest checkpoint of receipts */
async function publishes(
  app: TrustApp,
  count: number,
): Promise<{ origin: string; tree_size: number; root_hash: string }> {
  for (let index = 0; index < count; index++) await finalized(app.own);
  await app.service.trust.log.publisher.publish();
  return Object((await latest(app.anyone)).body);
}

interface ClosedLog {
  log: string;
  origin: string;
  tree_size: number;
  root_hash: string;
  certain: boolean;
  log_index: number;
}

/** The closed logs that the service names. */
async function closedLogs(app: TrustApp): Promise<ClosedLog[]> {
  return Object((await app.anyone.get('/api/v1/transparency/keys')).body).closed_logs;
}
const ofReceipts = (all: readonly ClosedLog[]): unknown[] =>
  all
    .filter(({ log }) => log === 'receipts')
    .map(({ origin, tree_size, root_hash, certain }) => ({ origin, tree_size, root_hash, certain }));

/** The problems that fsck finds in the directory, and an audit from outside in its logs. */
async function problems(): Promise<string[]> {
  const inside = (await audited(data)).reported.map(sentenceOf);
  const outside = await served(async (app) => {
    const source: LogSource = {
      location: 'the service',
      async read(path: string) {
        const response = await app.fetch(new Request(`http://localhost/log/${path}`));
        expect([path, response.status]).toEqual([path, 200]);
        return new Uint8Array(await response.arrayBuffer());
      },
    };
    const keys: string[] = [];
    for (const name of LOG_NAMES) {
      const lines = await (await app.fetch(new Request(`http://localhost/log/${name}/vkeys`))).text();
      keys.push(...lines.split('\n').filter((line) => line !== '' && !line.startsWith('#')));
    }
    const found: string[] = [];
    const trusted = await namedLogKeys(keys);
    for await (const step of auditRemote(source, null, trusted, Date.now()))
      if ('problem' in step) found.push(sentenceOf(step.problem));
    return found;
  });
  return [...inside, ...outside];
}

describe('the key log after a restart', () => {
  test('says of each log that was closed how much of it was published, and which log continues it', async () => {
    const before = await served((app) => publishes(app, 3));
    await restart();
    const closed = await served(closedLogs);
    expect(closed.map(({ log, origin }) => [log, origin])).toEqual(
      LOG_NAMES.map((log) => [log, `localhost:3000/${log}`]),
    );
    const { tree_size, root_hash } = before;
    expect(ofReceipts(closed)).toEqual([
      { origin: 'localhost:3000/receipts', tree_size: 3, root_hash, certain: true },
    ]);
    expect([tree_size, await problems()]).toEqual([3, []]);
  });

  test('says so of what a restored database has lost, by the mark beside it', async () => {
    await served((app) => publishes(app, 3));
    cpSync(join(data, 'trust.db'), join(root, 'backup'));
    const { root_hash } = await served((app) => publishes(app, 2));
    cpSync(join(root, 'backup'), join(data, 'trust.db'));
    await restart();
    expect(ofReceipts(await served(closedLogs))).toEqual([
      { origin: 'localhost:3000/receipts', tree_size: 5, root_hash, certain: true },
    ]);
    expect(await problems()).toEqual([
      expect.stringContaining('localhost:3000-2/receipts does not begin with the 5 entries'),
    ]);
  });

  test('names the logs that only an archived mark knows, in one chain', async () => {
    await served((app) => publishes(app, 1));
    await restart();
    await served((app) => publishes(app, 1));
    cpSync(join(data, 'trust.db'), join(root, 'backup'));
    await restart();
    await served((app) => publishes(app, 1));
    cpSync(join(root, 'backup'), join(data, 'trust.db'));
    await expect(served(closedLogs)).rejects.toThrow(/must not be continued/);
    await restart();
    const closed = await served(closedLogs);
    expect(closed.filter(({ log }) => log === 'keys').map(({ origin }) => origin)).toEqual([
      'localhost:3000/keys',
      'localhost:3000-2/keys',
      'localhost:3000-3/keys',
    ]);
    expect(ofReceipts(closed)).toMatchObject([
      { tree_size: 1, certain: true },
      { tree_size: 2, certain: true },
      { tree_size: 3, certain: true },
    ]);
    expect(await problems()).toEqual([
      expect.stringContaining('localhost:3000-4/receipts does not begin with the 3 entries'),
      expect.stringContaining('localhost:3000-4/keys does not begin with the'),
    ]);
  });

  test('is not certain of the size where the mark is lost', async () => {
    const { root_hash } = await served((app) => publishes(app, 2));
    rmSync(join(data, HIGH_WATER_FILE));
    await restart();
    expect(ofReceipts(await served(closedLogs))).toEqual([
      { origin: 'localhost:3000/receipts', tree_size: 2, root_hash, certain: false },
    ]);
    expect(await problems()).toEqual([]);
  });

  test('begins anew where the backup is from before the first log', async () => {
    await served(async () => undefined);
    const database = new Database(join(data, 'trust.db'));
    for (const trigger of ['log_stays', 'key_leaf_stays', 'checkpoint_stays'])
      database.run(`DROP TRIGGER ${trigger}`);
    for (const table of ['checkpoint', 'key_leaf', 'log']) database.run(`DELETE FROM ${table}`);
    database.close();
    await restart();
    const closed = await served(closedLogs);
    expect(closed.map(({ origin }) => origin)).toEqual(LOG_NAMES.map((log) => `localhost:3000/${log}`));
  });

  test('gets the entries that an earlier version did not make, once', async () => {
    await served((app) => publishes(app, 1));
    // As an earlier version leaves it: a closed log, of which the key log says nothing.
    const database = new Database(join(data, 'trust.db'));
    database.run(
      `INSERT INTO log (log_seq, name, origin, opened_at, closed_size, closed_at)
        SELECT log_seq - 5, name, 'former.example/' || name, opened_at, 0, opened_at FROM log`,
    );
    database.close();
    for (let start = 0; start < 2; start++) {
      const closed = await served(closedLogs);
      expect(closed.map(({ origin, certain }) => [origin, certain])).toEqual(
        LOG_NAMES.map((log) => [`former.example/${log}`, false]),
      );
    }
    expect(await served(closedLogs, { read_only: 'on' })).toHaveLength(LOG_NAMES.length);
    expect(await problems()).toEqual([]);
  });
});

describe('a proof that was saved before a restart', () => {
  /** Checks a saved proof with the list of keys that the service publishes now. */
  async function checked(receipt: unknown, proof: Uint8Array) {
    const list = await served((app) => app.anyone.get('/api/v1/transparency/keys'));
    const { trusted } = readLogKeys(nativePrimitives, parseJson(JSON.stringify(list.body)));
    const { check, tree } = checkInclusion(
      nativePrimitives,
      Object(receipt),
      readLogProof(nativePrimitives, proof),
      trusted,
    );
    return [check, tree?.closed];
  }
  const proofOf = async (app: TrustApp, receipt: { receipt_id?: unknown }): Promise<Uint8Array> => {
    const path = `http://localhost/api/v1/receipts/${receipt.receipt_id}/proof`;
    return new Uint8Array(await (await app.fetch(new Request(path))).arrayBuffer());
  };

  test('counts with the list of keys of after it, even of a receipt that the backup had lost', async () => {
    const [first, early] = await served(async (app) => {
      const receipt = await finalized(app.own);
      await publishes(app, 0);
      return [receipt, await proofOf(app, receipt)] as const;
    });
    cpSync(join(data, 'trust.db'), join(root, 'backup'));
    const [lost, late] = await served(async (app) => {
      const receipt = await finalized(app.own);
      await publishes(app, 0);
      return [receipt, await proofOf(app, receipt)] as const;
    });
    cpSync(join(root, 'backup'), join(data, 'trust.db'));
    await restart();
    expect(await checked(first, early)).toEqual(['ok', 'unbound']);
    expect(await checked(lost, late)).toEqual(['ok', 'final']);
  });

  test('counts for nothing beyond the size that the log of keys says', async () => {
    const [receipt, proof] = await served(async (app) => {
      const made = await finalized(app.own);
      await publishes(app, 1);
      return [made, await proofOf(app, made)] as const;
    });
    // Whoever has the mark can say that less was published. The checkpoint of the proof shows that it was not.
    const file = join(data, HIGH_WATER_FILE);
    const mark = JSON.parse(readFileSync(file, 'utf8'));
    mark.logs.receipts.tree_size = 0;
    writeFileSync(file, JSON.stringify(mark));
    const database = new Database(join(data, 'trust.db'));
    database.run('DROP TRIGGER checkpoint_stays');
    database.run('DELETE FROM checkpoint');
    database.close();
    await restart();
    expect(await checked(receipt, proof)).toEqual(['closed_size_contradicted', undefined]);
  });
});

describe('fsck', () => {
  test('reports a chain of logs that does not lead to the open one', async () => {
    await served((app) => publishes(app, 1));
    await restart();
    await served(closedLogs);
    const database = new Database(join(data, 'trust.db'));
    database.run('DROP TRIGGER key_leaf_is_final');
    database.run(
      `UPDATE key_leaf SET entry = replace(entry, '"origin":"localhost:3000-2/evidence"', '"origin":"elsewhere.example/evidence"')
        WHERE event = 'log_continued'`,
    );
    database.close();
    const reported = (await audited(data)).reported.map(sentenceOf);
    expect(reported).toContainEqual(
      expect.stringContaining(
        'the log that continues is elsewhere.example/evidence, not localhost:3000-2/evidence',
      ),
    );
  });
});
