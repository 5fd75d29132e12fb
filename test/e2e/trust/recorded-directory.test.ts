import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bitAt, decodeBitstring } from '../../../src/proof/credential/bitstring.ts';
import { demoAgent } from '../../../src/trust/demo/agents.ts';
import { client } from '../../support/client.ts';
import { ENGAGEMENTS } from '../../support/engagements.ts';
import { run, scratch } from '../../support/process.ts';
import { expected, unpack } from '../../support/recorded/archive.ts';
import { Market, ODD_TEXTS, type Party } from '../../support/recorded/market.ts';
import { reader } from '../../support/recorded/pages.ts';
import { type Session, served, until } from '../../support/recorded/session.ts';
import { administratorFacts, trustFacts } from '../../support/recorded/trust-facts.ts';
import { Watching } from '../../support/recorded/watching.ts';

const EXPECTED = expected();
/** Longer than a busy machine needs. */
const LIMIT_MS = 60_000;
/**
 * What an engagement can have become since the recording: deadlines and times for an acceptance pass, and a
 * party can be inactive.
 */
const SUCCESSORS: Readonly<Record<string, readonly string[]>> = {
  HELD: ['HELD', 'CANCELLED', 'EXPIRED'],
  DELIVERED: ['DELIVERED', 'PAID'],
};

const directory = scratch();
beforeAll(async () => {
  for (const name of ['trust', 'billing'] as const) {
    const { code, stderr } = await run(['migrate', '--data', unpack(name, directory.path)]);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
  }
}, LIMIT_MS);
afterAll(() => directory.dispose());
const file = (name: string): string => join(directory.path, name);
const written = (name: string, text: string): string => {
  writeFileSync(file(name), text);
  return file(name);
};

async function mustHaveNoProblem(data: string): Promise<void> {
  const { code, stdout, stderr } = await run(['fsck', data, '--all']);
  expect([stderr, code]).toEqual([expect.stringMatching(/^no problems/), 0]);
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, problems: 0 });
}

describe.each(['trust', 'billing'] as const)('the recorded directory %s', (name) => {
  const { known, facts, administrator } = EXPECTED[name];
  const data = file(name);

  test('is migrated to this version, and fsck finds no problem', () => mustHaveNoProblem(data), LIMIT_MS);

  test('has openings of the journals of agents and pools that had credits', () => {
    const database = new Database(join(data, 'trust.db'), { readonly: true });
    const kinds = database
      .query<{ kind: string }, []>('SELECT DISTINCT kind FROM journal_opening ORDER BY kind')
      .all();
    database.close();
    expect(kinds.map(({ kind }) => kind)).toEqual(['agent', 'pool']);
  });

  test(
    'states the month of its migration from the openings on, and no earlier one',
    async () => {
      const database = new Database(join(data, 'trust.db'), { readonly: true });
      const [opened] = database
        .query<{ at: number; operatorId: string }, []>(
          `SELECT max(journal_opening.created_at) AS at, operator_id AS operatorId FROM journal_opening
             JOIN operator ON operator_seq = owner_seq WHERE kind = 'pool' GROUP BY owner_seq`,
        )
        .all();
      database.close();
      if (opened === undefined) throw new Error('no pool had credits');
      const since = new Date(opened.at).toISOString();
      const headers = { authorization: `Bearer ${known.operators[opened.operatorId]}` };
      const before = new Date(Date.parse(`${since.slice(0, 7)}-01`) - 1).toISOString().slice(0, 7);
      await served(data, { read_only: 'on' }, [], async ({ url }) => {
        const read = async (month: string) => {
          const response = await fetch(`${url}/api/v1/account/statements/${month}`, { headers });
          return { status: response.status, body: Object(await response.json()) };
        };
        const earlier = await read(before);
        expect(earlier).toMatchObject({
          status: 404,
          body: {
            error: `This account has a complete journal since ${since}. There are no statements of earlier months.`,
          },
        });
        const { status, body } = await read(since.slice(0, 7));
        expect([status, body.from, body.operator_id]).toEqual([200, since, opened.operatorId]);
      });
    },
    LIMIT_MS,
  );

  // A server that changes nothing: what is due by the clock of today would otherwise move on.
  test(
    'still has everything that was recorded, unchanged',
    async () => {
      await served(data, { read_only: 'on' }, [], async ({ url }) => {
        const now = await trustFacts(url, known);
        // Member by member, so that a failure names what is lost.
        for (const [member, rows] of Object.entries(facts))
          expect({ [member]: Object(now)[member] }).toEqual({ [member]: rows });
      });
    },
    LIMIT_MS,
  );

  test(
    'shows the same wallets, payouts and unbooked payments to its administrator',
    async () => {
      expect(await administratorFacts(data)).toEqual(administrator);
    },
    LIMIT_MS,
  );
});

describe('the recorded directory trust', () => {
  const { known, facts } = EXPECTED.trust;
  const data = file('trust');

  test('has engagements and settlements whose names a stricter rule would refuse', () => {
    expect(Object.keys(facts.engagements)).toEqual(expect.arrayContaining([...ODD_TEXTS]));
    const settlements = Object.values(facts.agents).flatMap((agent) => agent.settlements);
    for (const text of ODD_TEXTS) expect(settlements).toContain(`x402:${text}`);
  });

  test(
    'has a receipt whose proof was saved before its log was restarted, and which still verifies',
    async () => {
      const { receipt, proof, keys } = known.saved ?? { receipt: {}, proof: '', keys: '' };
      const { code, stdout } = await run([
        ...['verify', written('saved.json', JSON.stringify(receipt))],
        ...['--keys', written('saved-keys.json', keys), '--proof', written('saved.tlog-proof', proof)],
      ]);
      expect([JSON.parse(stdout).verdict, code]).toEqual(['valid', 0]);
    },
    LIMIT_MS,
  );

  test(
    'has API keys of every kind that still read, also one whose scope ended',
    async () => {
      const statuses = await served(data, { read_only: 'on' }, [], ({ url }) =>
        Promise.all(
          Object.entries(known.keys).map(async ([name, key]) => {
            const { status } = await client(fetch, url, key).get('/api/v1/receipts?limit=1');
            return [name, status];
          }),
        ),
      );
      expect(Object.fromEntries(statuses)).toEqual({
        limited: 200,
        'its scope ended': 200,
        'its scope ends late': 200,
        'with an idempotency key': 200,
        'of a holder, limited': 200,
        'of a holder, made by the agent': 200,
      });
    },
    LIMIT_MS,
  );

  test(
    'has a receipt of every key that verifies with its proof, also of a key that was compromised later',
    async () => {
      await served(data, { read_only: 'on' }, [], async ({ url }) => {
        const read = reader(url);
        const verdicts: Record<string, unknown> = {};
        for (const [kid, { purpose, status }] of Object.entries(facts.keys)) {
          const [id] = Object.entries(facts.receipts).find(
            ([, receipt]) =>
              receipt.kid === kid && receipt.leaf !== null && receipt.revocation_status === 'active',
          ) ?? [null];
          if (purpose !== 'receipts' || status === 'next' || id === null) continue;
          const receipt = await readByAny(read, `/api/v1/receipts/${id}`);
          const path = written(`${id}.json`, JSON.stringify(receipt));
          const { stdout } = await run(['verify', path, '--keys', url, '--proof', url]);
          verdicts[String(status)] = JSON.parse(stdout).verdict;
        }
        expect(verdicts).toEqual({ active: 'valid', retired: 'valid', compromised: 'valid' });
      });
    },
    LIMIT_MS,
  );

  test(
    'is served again: the logs continue with their witness, and receipts, hires and payouts with what was there',
    async () => {
      const watching = new Watching(directory.path, 'recorded.example', unpack('witness', directory.path));
      const settings = { service_token: known.serviceToken, 'engagements.accept_hours': '8760' };
      await watching.watched(data, (policy) =>
        served(data, { ...settings, ...policy }, [], async (session) => {
          await mustHaveMovedOnOnly(session);
          await goOn(session);
        }),
      );
      await mustHaveNoProblem(data);
    },
    LIMIT_MS,
  );

  /** Reads with the keys of the operators, until one may. */
  async function readByAny(read: ReturnType<typeof reader>, path: string) {
    for (const key of Object.values(known.operators)) {
      try {
        return await read(path, key);
      } catch (error) {
        if (!String(error).includes(' is 404 ')) throw error;
      }
    }
    throw new Error(`nobody reads ${path}`);
  }

  /** Nothing but what is due by today's clock may have changed. */
  async function mustHaveMovedOnOnly({ url }: Session): Promise<void> {
    const now = await trustFacts(url, known);
    expect(now.receipts).toMatchObject(facts.receipts);
    expect(now.proposals).toEqual(facts.proposals);
    for (const [task_id, { status, ...engagement }] of Object.entries(facts.engagements)) {
      const found = now.engagements[task_id] ?? {};
      const successors = SUCCESSORS[String(status)] ?? [String(status)];
      expect([task_id, successors]).toEqual([task_id, expect.arrayContaining([found.status])]);
      const { ended_by, end_transaction_id, receipt_id, paid_at, ...terms } = engagement;
      expect(found).toMatchObject(found.status === status ? engagement : terms);
    }
  }

  /** Does new work with the accounts, agents and logs that were recorded. */
  async function goOn({ ask, url }: Session): Promise<void> {
    const market = new Market(ask, known);
    const [clerk, auditor] = [party('Recorded clerk'), party('Recorded auditor')];
    const task_id = await market.hire(clerk, auditor, 'hired in the recorded directory');
    await market.deliver(auditor, task_id);
    await market.end('accept', clerk, task_id);
    const { engagement } = await ask(`GET ${ENGAGEMENTS}/${encodeURIComponent(task_id)}`, { key: clerk.key });
    const { status, receipt_id } = Object(engagement);
    expect(status).toBe('PAID');
    await market.withdraw(clerk, 1, 'withdrawn from the recorded directory');
    expect(await isRevoked(url)).toBe(true);
    // The log continues where it was, and its witness cosigns it, which it would not do for another tree.
    const manifest = () => ask(`GET /api/v1/receipts/${receipt_id}/public-manifest?cosigned=no`);
    const leafOf = async () => Number(Object((await manifest()).inclusion_path).leaf_index ?? Number.NaN);
    await until(
      'the receipt is in the log',
      async () => (await leafOf()) >= Number(facts.logs.receipts?.tree_size),
    );
    const leaf = await leafOf();
    await until('the witness cosigns its checkpoint', async () => {
      const [origin, size] = (await (await fetch(`${url}/log/receipts/checkpoint`)).text()).split('\n');
      return origin === facts.logs.receipts?.origin && Number(size) > leaf;
    });
  }

  /**
   * Whether the status list has the credential that was revoked before the recording as revoked. The list ends
   * with its last credential, some weeks after the recording.
   */
  async function isRevoked(url: string): Promise<boolean> {
    const { statusListIndex, statusListCredential } = Object(known.revokedCredential?.credentialStatus);
    const path = new URL(statusListCredential).pathname;
    if (Date.parse(String(known.revokedCredential?.validUntil)) < Date.now()) {
      const { status, body } = await client(fetch, url, null).get(path);
      if (status === 410 && body.reason_code === 'status_list_ended') return true;
    }
    const { credentialSubject } = await reader(url)(path);
    const bits = decodeBitstring(Object(credentialSubject).encodedList);
    return bits !== null && bitAt(bits, Number(statusListIndex));
  }

  function party(name: string): Party {
    const agent = demoAgent(name);
    return { agent, key: known.agents[agent.commitment] ?? '' };
  }
});
