import { Database } from 'bun:sqlite';
import { randomFillSync } from 'node:crypto';
import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { timestampOf } from '../../src/platform/time/timestamp.ts';
import { detailHash, entryHash, entryId } from '../../src/proof/ledger/journal-entry.ts';

/** The movements of a database transaction of the seeding. */
const GROUP = 100_000;
/** The credits that each paying agent is granted. They suffice for all of its payments. */
const GRANT = 1_000_000_000;
/** The credits that each other agent is granted. */
const SMALL_GRANT = 100;
/** The operator whose pool grants: the first one, which sponsors all agents. */
const OPERATOR = 1;

/** A ledger to seed. */
interface LedgerSeed {
  /** All movements: one grant for each agent, and payments between the paying agents. */
  movements: number;
  /** The agents that pay each other. */
  paying: number;
  /** The agents that are only granted credits. */
  others: number;
}

/** An agent while its movements are written. */
interface Agent {
  seq: number;
  commitment: string;
  balance: number;
  granted: number;
  earned: number;
  spent: number;
  entries: number;
  head: Uint8Array | null;
  /** The newest movement. */
  last: number | null;
}

/**
 * Fills a database that a service has started on with agents of the first operator and movements between
 * them, whose balances and hashes are those of the service, so that `ledger check` finds no problem. The
 * triggers that book movements are dropped meanwhile: this code adds up balances in memory, which is ten
 * times as fast. @returns the commitments of the agents, the paying ones first
 */
export function seedLedger(file: string, { movements, paying, others }: LedgerSeed): string[] {
  const database = new Database(file, { readwrite: true, strict: true });
  database.run('PRAGMA synchronous = OFF');
  // Seeding is not measured, so it can use a larger cache than the server.
  database.run('PRAGMA cache_size = -1048576');
  const dropped = database
    .query<{ type: string; name: string; sql: string }, []>(
      `SELECT type, name, sql FROM sqlite_schema
       WHERE sql IS NOT NULL AND (type = 'trigger' OR type = 'index' AND tbl_name = 'movement')`,
    )
    .all();
  for (const { type, name } of dropped) database.run(`DROP ${type} ${name}`);
  const agents = seedAgents(database, paying + others);
  const ledger = new SeededLedger(database);
  database.run('BEGIN');
  ledger.fillPool(paying * GRANT + others * SMALL_GRANT);
  for (const [at, agent] of agents.entries()) ledger.grant(agent, at < paying ? GRANT : SMALL_GRANT);
  for (let at = ledger.written; at < movements; at++) {
    // Multiplicative hashing (Knuth, TAOCP 6.4): each agent pays each other one, in an order without a
    // pattern.
    const mixed = Math.imul(at, 0x9e3779b1) >>> 0;
    const from = mixed % paying;
    const to = (from + 1 + ((mixed >>> 12) % (paying - 1))) % paying;
    const [payer, payee] = [agents[from], agents[to]];
    if (payer === undefined || payee === undefined) throw new RangeError('there is no such agent');
    ledger.pay(payer, payee, 1 + (at % 7));
    if (at % GROUP === 0) database.run('COMMIT; BEGIN');
  }
  ledger.end(agents);
  for (const { sql } of dropped) database.run(sql);
  database.run('COMMIT');
  database.run('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  return agents.map(({ commitment }) => commitment);
}

/** Inserts agents that the first operator sponsors, with random keys. */
function seedAgents(database: Database, count: number): Agent[] {
  const agent = database.query(`INSERT INTO agent
    SELECT $seq, $commitment, randomblob(32), 'passport-v1', NULL, randomblob(16), 'ISSUED', ${OPERATOR}, '2026-01-01T00:00:00.000Z', NULL, NULL, NULL, NULL`);
  const standing = database.query(`INSERT INTO agent_standing (agent_seq, listed, evidence_count, lost_count,
      artifact_count, receipt_count, failure_count, reputation, milestone)
    VALUES ($seq, 1, 0, 0, 0, 0, 0, 'normal', 0)`);
  const sponsor = database.query(
    `INSERT INTO agent_sponsor (agent_seq, operator_seq, since) VALUES ($seq, ${OPERATOR}, '2026-01-01T00:00:00.000Z')`,
  );
  const agents: Agent[] = [];
  database.transaction(() => {
    for (let seq = 1; seq <= count; seq++) {
      const commitment = randomFillSync(new Uint8Array(32));
      agent.run({ seq, commitment });
      standing.run({ seq });
      sponsor.run({ seq });
      agents.push({
        seq,
        commitment: commitment.toHex(),
        balance: 0,
        granted: 0,
        earned: 0,
        spent: 0,
        entries: 0,
        head: null,
        last: null,
      });
    }
  })();
  return agents;
}

/** Writes movements after those that a database has. */
class SeededLedger {
  written: number;
  private readonly operatorId: string;
  private issuance: number;
  private pool: number;
  /** The newest movements of the two accounts. */
  private readonly lasts: { issuance: number | null; pool: number | null };
  /** The end of the journal of the pool. */
  private readonly poolJournal: { entries: number; head: string | null };
  private readonly insert;
  private readonly now = Date.now();
  private readonly createdAt = timestampOf(this.now);

  constructor(private readonly database: Database) {
    const balance = (kind: string): number =>
      database
        .query<{ balance: number }, [string]>(
          "SELECT balance FROM ledger_account WHERE kind = ? AND asset = 'promotional' AND owner_seq <= 1",
        )
        .get(kind)?.balance ?? 0;
    const last = (kind: string): number | null =>
      database
        .query<{ last: number | null }, [string]>(
          'SELECT max(last_seq) AS last FROM ledger_account WHERE kind = ? AND owner_seq <= 1',
        )
        .get(kind)?.last ?? null;
    this.lasts = { issuance: last('issuance'), pool: last('pool') };
    const { entries = 0, head = null } =
      database
        .query<{ entries: number; head: string }, []>(
          'SELECT pool_entry AS entries, lower(hex(pool_hash)) AS head FROM movement ORDER BY pool_entry DESC LIMIT 1',
        )
        .get() ?? {};
    this.poolJournal = { entries, head };
    this.issuance = balance('issuance');
    this.pool = balance('pool');
    const { seq, id } =
      database
        .query<{ seq: number | null; id: string }, []>(
          `SELECT (SELECT max(movement_seq) FROM movement) AS seq, operator_id AS id FROM operator WHERE operator_seq = ${OPERATOR}`,
        )
        .get() ?? {};
    if (id === undefined) throw new Error('the service was never started on this database');
    this.written = seq ?? 0;
    this.operatorId = id;
    this.insert =
      database.query(`INSERT INTO movement (transaction_id, ordinal, kind, asset, amount, debit_kind, debit_owner, credit_kind,
        credit_owner, debit_after, credit_after, debit_prev, credit_prev, created_at, salt, debit_hash, credit_hash,
        pool_hash, pool_entry)
      VALUES ($id, 0, $kind, 'promotional', $amount, $debitKind, $debitOwner, $creditKind, $creditOwner, $debitAfter, $creditAfter,
        $debitPrev, $creditPrev, ${this.now}, $salt, $debitHash, $creditHash, $poolHash, $poolEntry)`);
  }

  fillPool(amount: number): void {
    this.issuance -= amount;
    this.pool += amount;
    const row = this.fresh();
    this.insert.run({
      ...row,
      kind: 'ADJUSTMENT',
      amount,
      debitKind: 'issuance',
      debitOwner: 0,
      creditKind: 'pool',
      creditOwner: OPERATOR,
      debitAfter: this.issuance,
      creditAfter: this.pool,
      debitPrev: this.lasts.issuance,
      creditPrev: this.lasts.pool,
      debitHash: null,
      creditHash: null,
      ...this.enteredPool(row, 'ADJUSTMENT', amount, 'credit', this.detail(row, 'issuance', this.operatorId)),
    });
    this.lasts.issuance = this.written;
    this.lasts.pool = this.written;
  }

  grant(agent: Agent, amount: number): void {
    this.pool -= amount;
    agent.balance += amount;
    agent.granted += amount;
    const row = this.fresh();
    const detail = this.detail(row, this.operatorId, agent.commitment);
    this.insert.run({
      ...row,
      kind: 'OPERATOR_GRANT',
      amount,
      debitKind: 'pool',
      debitOwner: OPERATOR,
      creditKind: 'agent',
      creditOwner: agent.seq,
      debitAfter: this.pool,
      creditAfter: agent.balance,
      debitPrev: this.lasts.pool,
      creditPrev: agent.last,
      debitHash: null,
      creditHash: this.entered(agent, row, 'OPERATOR_GRANT', amount, 'credit', detail),
      ...this.enteredPool(row, 'OPERATOR_GRANT', amount, 'debit', detail),
    });
    this.lasts.pool = this.written;
    agent.last = this.written;
  }

  pay(payer: Agent, payee: Agent, amount: number): void {
    payer.balance -= amount;
    payer.spent += amount;
    payee.balance += amount;
    payee.earned += amount;
    const row = this.fresh();
    const detail = this.detail(row, payer.commitment, payee.commitment);
    this.insert.run({
      ...row,
      kind: 'TASK_PAYMENT',
      amount,
      debitKind: 'agent',
      debitOwner: payer.seq,
      creditKind: 'agent',
      creditOwner: payee.seq,
      debitAfter: payer.balance,
      creditAfter: payee.balance,
      debitPrev: payer.last,
      creditPrev: payee.last,
      debitHash: this.entered(payer, row, 'TASK_PAYMENT', amount, 'debit', detail),
      creditHash: this.entered(payee, row, 'TASK_PAYMENT', amount, 'credit', detail),
      poolHash: null,
      poolEntry: null,
    });
    payer.last = this.written;
    payee.last = this.written;
  }

  /** Writes the accounts and the ends of the journals. */
  end(agents: readonly Agent[]): void {
    const account =
      this.database.query(`INSERT OR REPLACE INTO ledger_account (kind, owner_seq, asset, balance, granted, earned, spent, last_seq)
      VALUES ($kind, $seq, 'promotional', $balance, $granted, $earned, $spent, $last)`);
    const journal = this.database.query(
      `INSERT INTO agent_credit VALUES ($seq, $entries, $head, 'FULL', ${this.now})`,
    );
    const none = { granted: 0, earned: 0, spent: 0 };
    account.run({ kind: 'issuance', seq: 0, balance: this.issuance, last: this.lasts.issuance, ...none });
    account.run({ kind: 'pool', seq: OPERATOR, balance: this.pool, last: this.lasts.pool, ...none });
    for (const { seq, balance, granted, earned, spent, entries, head, last } of agents) {
      account.run({ kind: 'agent', seq, balance, granted, earned, spent, last });
      journal.run({ seq, entries, head });
    }
  }

  /** Returns an id and a salt. The id is a UUIDv7 whose last four bits are 0. */
  private fresh(): { id: Uint8Array; salt: Uint8Array } {
    this.written += 1;
    const id = new Uint8Array(16);
    const view = new DataView(id.buffer);
    view.setUint32(0, Math.floor(this.now / 2 ** 16));
    view.setUint16(4, this.now % 2 ** 16);
    view.setUint16(6, 0x7000);
    view.setUint32(8, 0x80000000 + Math.floor(this.written / 2 ** 28));
    view.setUint32(12, (this.written % 2 ** 28) * 16);
    const salt = new Uint8Array(16);
    new DataView(salt.buffer).setUint32(12, this.written);
    return { id, salt };
  }

  private detail({ salt }: { salt: Uint8Array }, debtor: string, creditor: string): string {
    const detail = { creditor, debtor, memo: null, receipt_id: null, reference: null, salt: salt.toHex() };
    return detailHash(nativePrimitives, detail);
  }

  private entered(
    agent: Agent,
    { id }: { id: Uint8Array },
    kind: string,
    amount: number,
    direction: 'debit' | 'credit',
    detail: string,
  ): Uint8Array {
    const owner = { subject_commitment: agent.commitment };
    const hash = entryHash(nativePrimitives, owner, {
      entry_id: entryId(`txn_${id.toHex()}`, 0, direction),
      kind,
      asset: 'promotional',
      amount,
      direction,
      balance_after: agent.balance,
      created_at: this.createdAt,
      detail_hash: detail,
      prev_entry_hash: agent.head?.toHex() ?? null,
    });
    agent.entries += 1;
    agent.head = Uint8Array.fromHex(hash);
    return agent.head;
  }

  private enteredPool(
    { id }: { id: Uint8Array },
    kind: string,
    amount: number,
    direction: 'debit' | 'credit',
    detail: string,
  ): { poolHash: Uint8Array; poolEntry: number } {
    const journal = this.poolJournal;
    const hash = entryHash(
      nativePrimitives,
      { operator_id: this.operatorId },
      {
        entry_id: entryId(`txn_${id.toHex()}`, 0, direction),
        kind,
        asset: 'promotional',
        amount,
        direction,
        balance_after: this.pool,
        created_at: this.createdAt,
        detail_hash: detail,
        prev_entry_hash: journal.head,
      },
    );
    journal.entries += 1;
    journal.head = hash;
    return { poolHash: Uint8Array.fromHex(hash), poolEntry: journal.entries };
  }
}
