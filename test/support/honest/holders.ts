import { createHash } from 'node:crypto';
import { exportPages } from '../../../src/trust/receipts/export/pages.ts';
import { numbersFrom } from '../account-trials.ts';
import { accountEntries } from '../linked.ts';
import { runsOfPython } from '../python.ts';
import { type HonestService, SECOND } from './service.ts';
import { OF_A_LOSS, type Verified, type Watchers } from './watchers.ts';

const KEYS_PATH = '/api/v1/transparency/keys';
/** At most this many of a kind are verified at the end. */
const SAMPLE = 6;

/** What the holder of a receipt saved. */
interface Saved {
  id: string;
  kid: string;
  step: number;
  receipt: string;
  proof: string;
  /** The list of keys of then. */
  keys: string;
}

/** A call of `verify` that a program in Python repeats. */
interface Call {
  args: string[];
  now: number;
  isValid: boolean;
  rows: unknown[] | null;
}

/** Those who hold receipts of a service: they save proofs, and verify them. */
export class Holders {
  readonly alarms: string[] = [];
  readonly verified: Record<string, number> = {};
  /** The receipts of which a restored backup lost a version. */
  readonly lost = new Set<string>();
  /** The kids of the keys of receipts that were reported. */
  readonly compromised = new Set<string>();
  /** True once leaves that no witness had cosigned were lost, and are only in the copy of a closed log. */
  hasUncosignedLoss = false;
  /** The sequences of leaves of accounts that were dated wrongly, without the service knowing. */
  readonly misdated = new Set<number>();
  /** The receipts that were issued with such a date: it can be one at which an account was linked later. */
  readonly misdatedIssues = new Set<string>();
  private waiting: { body: Record<string, unknown>; step: number }[] = [];
  private saved: Saved[] = [];
  private readonly revokedAt = new Map<string, number>();
  private readonly files = new Map<string, string>();
  private readonly contents = new Map<string, string>();
  private readonly calls: Call[] = [];
  private lastKeyChange = 0;
  /** Keys can be lost with a backup. */
  private areKeysLost = false;
  /** When the witness had cosigned the log of accounts first, and since the open one began. */
  private cosignedFirst: number | null = null;
  private cosignedOpen: number | null = null;
  /** The same for what the service lists: a restored backup lost the checkpoints of after it. */
  private cosignedListed: number | null = null;
  private isRecovered = false;

  constructor(
    private readonly service: HonestService,
    private readonly watchers: Watchers,
  ) {}

  finalized(body: Record<string, unknown>, step: number): void {
    this.waiting.push({ body, step });
  }

  revoked(id: string, step: number): void {
    this.revokedAt.set(id, step);
  }

  keysChanged(step: number): void {
    this.lastKeyChange = step;
  }

  logsWereClosed(): void {
    this.cosignedOpen = null;
    this.cosignedListed = null;
    this.isRecovered = false;
  }

  recovered(): void {
    this.cosignedListed = null;
    this.isRecovered = true;
  }

  /** What was saved since a lost backup can be signed by keys that are lost too. */
  forgetKeysSince(step: number): void {
    if (this.lastKeyChange <= step) return;
    this.areKeysLost = true;
    this.saved = this.saved.filter((one) => one.step <= step);
    this.waiting = [];
  }

  private file(content: string): string {
    const name = createHash('sha256').update(content).digest('hex').slice(0, 16);
    const known = this.files.get(name) ?? this.service.file(`saved-${name}`, content);
    this.files.set(name, known);
    this.contents.set(known, content);
    return known;
  }

  private async text(path: string): Promise<string | null> {
    const response = await this.service.running.fetch(new Request(`http://localhost${path}`));
    const text = await response.text();
    return response.status === 200 ? text : null;
  }

  private async keys(): Promise<string> {
    return this.file((await this.text(KEYS_PATH)) ?? '');
  }

  /** Saves what is proven now, and verifies it if the clock is right. */
  async save(step: number): Promise<void> {
    const { service } = this;
    if ('log.witness_policy' in service.settings) {
      const note = Buffer.from(await service.read('accounts/checkpoint?cosigned=yes')).toString();
      if (note.includes('w.example/honest')) {
        this.cosignedFirst ??= service.truth();
        this.cosignedOpen ??= service.truth();
        this.cosignedListed ??= service.truth();
      }
    }
    for (const one of this.waiting.splice(0)) {
      const id = String(one.body.receipt_id);
      const proof = await this.text(`/api/v1/receipts/${id}/proof`);
      if (proof === null) {
        // Without a checkpoint that covers it, there is no proof yet.
        if (!this.lost.has(id)) this.waiting.push(one);
        continue;
      }
      const keys = await this.keys();
      const receipt = this.file(JSON.stringify(one.body));
      const saved = { id, kid: String(one.body.kid), step, receipt, proof: this.file(proof), keys };
      this.saved.push(saved);
      if (service.isInOrder) await this.verifyNow(saved);
    }
  }

  private async verifyNow({ id, receipt, proof, keys }: Saved): Promise<void> {
    await this.expect('proof of now', [receipt, { keys, proof }], true);
    if (this.revokedAt.has(id)) return;
    const status = await this.text(`/api/v1/receipts/${id}/status`);
    if (status === null) return;
    await this.expect('status of now', [receipt, { keys, proof, status: this.file(status) }], true);
  }

  /** Has something verified by the code of `countersign verify`. */
  private async expect(
    what: string,
    [file, options]: [string, Parameters<Watchers['verified']>[1]],
    isValid: boolean | ((row: Record<string, unknown>) => boolean),
  ): Promise<Verified | null> {
    this.verified[what] = (this.verified[what] ?? 0) + 1;
    const now = this.service.truth();
    try {
      const verified = await this.watchers.verified(file, options, now);
      const wrong = verified.rows.filter((row) =>
        typeof isValid === 'boolean' ? verified.isValid !== isValid : !isValid(Object(row)),
      );
      for (const row of wrong) this.alarms.push(`${what}: ${JSON.stringify(row)}`);
      const args = [file, ...argumentsOf(options)];
      const rows = options.complete === true ? verified.rows : null;
      if (!('revocations' in options)) this.calls.push({ args, now, isValid: verified.isValid, rows });
      return verified;
    } catch (error) {
      this.alarms.push(`${what} ${JSON.stringify(options)}: ${String(error)}`);
      return null;
    }
  }

  /** Verifies all that was saved, and what the service serves now. */
  async verifyAll(live: readonly { id: string; state: string }[], withPython: boolean): Promise<void> {
    const next = numbersFrom(live.length);
    const some = <T>(all: readonly T[]): T[] => {
      const left = [...all];
      const picked: T[] = [];
      while (left.length > 0 && picked.length < SAMPLE) picked.push(...left.splice(next(left.length), 1));
      return picked;
    };
    this.calls.length = 0;
    const keys = await this.keys();
    const { url, policy } = this.service;
    for (const saved of some(this.saved)) {
      const { receipt, proof, keys: then } = saved;
      const isOfLoss = await this.isOfLostLog(saved);
      await this.expect('saved proof, newest keys', [receipt, { keys, proof }], !isOfLoss);
      if (isOfLoss) await this.verifyNewProof(saved, keys);
      await this.expect('saved proof, keys of then', [receipt, { keys: then, proof }], true);
    }
    const predecessor = this.watchers.predecessors('revocations');
    for (const saved of some(this.saved)) {
      const { id, receipt, proof } = saved;
      const options = { keys, proof, revocations: url, ...(predecessor.length > 0 ? { predecessor } : {}) };
      const isValid = !this.revokedAt.has(id) && !(await this.isOfLostLog(saved));
      await this.expect('revocations', [receipt, options], isValid);
    }
    for (const options of [
      { keys, log: url },
      { keys, log: url, policy },
    ])
      await this.expect('list of keys', [keys, options], (row) => this.isRightList(row));
    await this.verifyLinked(some(live), keys);
    await this.verifyComplete(keys);
    if (withPython) await this.repeatInPython();
  }

  /**
   * Whether a saved proof is of a log that had more entries than its restored successor when the key was
   * reported: the list of keys does not say how many of them the key had signed. The holder needs a new proof.
   */
  private async isOfLostLog({ kid, proof }: Saved): Promise<boolean> {
    if (!this.watchers.hasLoss || !this.compromised.has(kid)) return false;
    const { keys } = JSON.parse((await this.text(KEYS_PATH)) ?? '{}');
    const [key] = [keys].flat().filter((one) => Object(one).kid === kid);
    const log = /^(.*\/receipts)$/m.exec(this.contents.get(proof) ?? '')?.[1];
    // A restored backup can have lost the report too.
    const { status, receipts_logs } = Object(key);
    return status === 'compromised' && !receipts_logs.includes(log);
  }

  private async verifyNewProof({ id, receipt }: Saved, keys: string): Promise<void> {
    const proof = this.lost.has(id) ? null : await this.text(`/api/v1/receipts/${id}/proof`);
    if (proof !== null) await this.expect('new proof', [receipt, { keys, proof: this.file(proof) }], true);
  }

  /** Whether a list of keys is authentic; only events that a restored backup lost may be lost. */
  private isRightList({ authentic, verdict, problems }: Record<string, unknown>): boolean {
    if (authentic === true) return true;
    const areOfLoss = [problems].flat().every((problem) => OF_A_LOSS.test(String(problem)));
    return this.watchers.hasLoss && verdict === 'lost_events' && areOfLoss;
  }

  /** Verifies receipts that have a leaf for each of their acts. */
  private async verifyLinked(live: readonly { id: string; state: string }[], keys: string): Promise<void> {
    const entries = await accountEntries(this.service.running);
    for (const { id, state } of live) {
      const receipt = (await this.service.running.own.get(`/api/v1/receipts/${id}`)).body;
      const leaves = entries.filter(({ receipt_id }) => receipt_id === id).map(({ event }) => event);
      const isFinal = receipt.status !== 'pending';
      const versions = [
        'issued',
        ...(isFinal ? ['finalized'] : []),
        ...(state === 'revoked' ? ['revoked'] : []),
      ];
      if (leaves.join() !== versions.join()) continue;
      if (!isFinal && this.compromised.has(String(receipt.kid))) continue;
      await this.expect(
        'linked receipt',
        [this.file(JSON.stringify(receipt)), { linked: true, keys, proof: this.service.url }],
        ({ checks }) => Object(checks).linked === 'ok',
      );
    }
  }

  /** Verifies that the receipts of the account are all there, as the service says and as a monitor does. */
  private async verifyComplete(keys: string): Promise<void> {
    const { service, watchers } = this;
    const { operatorId: operator } = service.running.service.firstStart;
    if ((await accountEntries(service.running)).length === 0) return;
    const list = this.file(await this.receiptsOf(operator));
    const predecessor = watchers.predecessors('accounts');
    const common = { complete: true, operator, keys, policy: service.policy, allowUnlinked: true };
    const ofCopies = predecessor.length > 0 ? this.cosignedFirst : this.cosignedOpen;
    const sources: [string, string, number | null][] = [
      ['monitor', watchers.copy, ofCopies],
      ['service', service.url, this.isRecovered ? this.cosignedListed : ofCopies],
    ];
    for (const [name, log, from] of sources) {
      if (from === null) continue;
      const options = { ...common, log, from, ...(predecessor.length > 0 ? { predecessor } : {}) };
      await this.expect(`complete, ${name}`, [list, options], (row) => this.isExpected(row));
    }
  }

  private receiptsOf(operator: string): Promise<string> {
    return this.service.running.service.trust.store.read(async (snapshot) => {
      let text = '';
      const all = { from: undefined, to: undefined, operator };
      for await (const page of exportPages(snapshot, all)) text += page.text;
      return text;
    });
  }

  /** Whether a problem of an account is one that there is. */
  private isExpected({ problem, receipt_id, sequence, detail }: Record<string, unknown>): boolean {
    if (problem === undefined) return true;
    if (/^(?:unlinked|unproven|issue_unproven|outcome_unproven)$/.test(String(problem))) return true;
    if (problem === 'unbounded' && this.hasUncosignedLoss) return true;
    if (problem === 'time') return this.misdated.has(Number(sequence));
    if (problem === 'extra' && this.misdatedIssues.has(String(receipt_id))) return true;
    if (typeof receipt_id === 'string' && this.lost.has(receipt_id)) return true;
    if (problem !== 'not_authentic') return false;
    return (
      this.areKeysLost || (this.compromised.size > 0 && /key_compromised|compromised/.test(String(detail)))
    );
  }

  /** Has src/tools/python/verify.py verify the same. */
  private async repeatInPython(): Promise<void> {
    const runs = await runsOfPython(this.calls.map(({ args, now }) => ({ args, now: now / SECOND })));
    for (const [index, { args, isValid, rows }] of this.calls.entries()) {
      const run = runs[index];
      if (run === undefined) continue;
      this.verified.python = (this.verified.python ?? 0) + 1;
      const written =
        rows &&
        run.stdout
          .trimEnd()
          .split('\n')
          .map((row): unknown => JSON.parse(row));
      if ((run.code === 0) !== isValid || (rows !== null && !Bun.deepEquals(written, rows)))
        this.alarms.push(`verify.py ${args.join(' ')}: ${JSON.stringify(run).slice(0, 2000)}`);
    }
  }
}

function argumentsOf(options: Parameters<Watchers['verified']>[1]): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) return [flag];
    if (name === 'from') return [flag, new Date(Number(value)).toISOString()];
    return [value].flat().flatMap((one) => [flag, String(one)]);
  });
}
