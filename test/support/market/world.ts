import { nativePrimitives } from '../../../src/platform/crypto/crypto.ts';
import { DAY_MS } from '../../../src/platform/time/units.ts';
import { isWorkDone, provisionDigest } from '../../../src/proof/agent/proof-of-work.ts';
import type { JsonObject } from '../../../src/proof/encoding/json.ts';
import { setPlanIn } from '../../../src/trust/operators/account-state.ts';
import { createOperator } from '../../../src/trust/operators/create-operator.ts';
import { requireOperatorIn } from '../../../src/trust/operators/require-operator.ts';
import { enrolledAgent, newAgentKey } from '../agent.ts';
import { type ApiResponse, client } from '../client.ts';
import { fundPool } from '../credits.ts';
import { DELIVERABLE, ENGAGEMENTS } from '../engagements.ts';
import { evidencePath, signedEvidence } from '../evidence.ts';
import { ending } from '../outcomes.ts';
import { openTrustApp, type TrustApp } from '../trust-app.ts';
import { VirtualTime } from '../virtual-time.ts';

const START = Date.parse('2026-01-01T12:00:00Z');
/** What is done once a day of the tasks that run every minute. */
const TASKS = ['follow reputations', 'count accepted deliveries', 'compute scores'];

type Caller = ReturnType<typeof client>;

/** An operator, with the key by which it acts. */
export interface Firm {
  operatorId: string;
  key: Caller;
}

/** An agent, and the operator that sponsors it. */
export interface MarketAgent {
  commitment: string;
  sign(object: JsonObject): string;
  firm: Firm;
}

/** What a profile says of an agent's reputation. */
export interface Standing {
  score: number;
  corroborated: number;
}

/** How a hire ends. */
export type HireEnd =
  /** The work was good. */
  | 'accepted'
  /** The worker signs a trace that says so, and declines: the hirer gets its credits back. */
  | 'failed'
  /** The worker says that it did the work; the hirer disputes it, and gets its credits back. */
  | 'rejected';

/** What proofs of work cost. */
export interface Work {
  /** Leading zeros, in hexadecimal: 16 to this power are the hashes of a proof on average. */
  difficulty: number;
  proofs: number;
  hashes: number;
  /** Of this process. */
  cpuSeconds: number;
}

/**
 * A service on a new database, with a clock that passes day by day, and those who trade in it. All that they
 * do goes through the API. Directly come what an administrator or a payment processor would do: the operators
 * of customers, their plan, the agents that they enroll, and the credits that they bought.
 */
export class MarketWorld {
  readonly work: Work = { difficulty: 0, proofs: 0, hashes: 0, cpuSeconds: 0 };
  /** The credits that were bought so far. */
  bought = 0;
  /** Credits by the agent that earned them, and by day. */
  private readonly earned = new Map<string, number[]>();
  private today = 0;

  private constructor(
    readonly app: TrustApp,
    private readonly time: VirtualTime,
    private readonly fetch: (request: Request) => Promise<Response>,
  ) {}

  /** @param settings beside the defaults, without limits of rates */
  static async open(settings: Record<string, string> = {}): Promise<MarketWorld> {
    const time = new VirtualTime(START);
    const app = await openTrustApp({ check_responses: 'off', ...settings }, time);
    return new MarketWorld(app, time, app.service.app('/').fetch);
  }

  close(): Promise<void> {
    return this.app.close();
  }

  /** Creates the operator of a customer. */
  async firm(plan: 'FREE' | 'PRO'): Promise<Firm> {
    const { trust } = this.app.service;
    const { operator_id: operatorId, api_key } = await createOperator(trust, { name: null, admin: false });
    await trust.store.writeAsService(async (tx) => {
      const { operatorSeq } = await requireOperatorIn(tx, operatorId);
      // As the event of a subscription does.
      await setPlanIn(tx, trust, operatorSeq, plan);
    });
    return { operatorId, key: this.caller(api_key) };
  }

  /** Enrolls an agent that a firm sponsors. */
  async agentOf(firm: Firm): Promise<MarketAgent> {
    const { commitment, sign } = await enrolledAgent(this.app, { sponsor: firm.operatorId });
    return { commitment, sign, firm };
  }

  /** Enrolls an agent without any key: it proves work, and gets an operator of its own on plan FREE. */
  async stranger(): Promise<MarketAgent> {
    const key = newAgentKey();
    const anyone = this.caller(null);
    const path = '/api/v1/passport/agents/autonomous';
    const challenge = must(await anyone.post(`${path}/challenge`, { public_key: key.publicKey }));
    const challengeNonce = String(challenge.challenge_nonce);
    const powNonce = this.solve(challengeNonce, Number(challenge.pow_difficulty));
    const proof = { challengeNonce, powNonce, publicKey: key.publicKey };
    const digest = provisionDigest(nativePrimitives, proof);
    const passport = must(
      await anyone.post(`${path}/provision`, {
        public_key: key.publicKey,
        challenge_nonce: challengeNonce,
        pow_nonce: powNonce,
        signature: key.signText(digest),
      }),
    );
    const firm = { operatorId: String(passport.operator_id), key: this.caller(String(passport.api_key)) };
    return { commitment: String(passport.subject_commitment), sign: key.sign, firm };
  }

  /** Does a proof of work as the program does it, and measures it. */
  private solve(challengeNonce: string, difficulty: number): string {
    const before = process.cpuUsage();
    let tried = 0;
    const isDone = () =>
      isWorkDone(nativePrimitives, { challengeNonce, powNonce: String(tried), difficulty });
    while (!isDone()) tried++;
    const { user, system } = process.cpuUsage(before);
    this.work.difficulty = difficulty;
    this.work.proofs += 1;
    this.work.hashes += tried + 1;
    this.work.cpuSeconds += (user + system) / 1_000_000;
    return String(tried);
  }

  /** Books credits that a firm bought, and grants them to an agent of it. */
  async buy({ commitment, firm }: MarketAgent, amount: number): Promise<void> {
    this.bought += amount;
    await fundPool(this.app, firm.operatorId, { paid: amount });
    must(await firm.key.post('/api/v1/passport/credits/grants', { subject_commitment: commitment, amount }));
  }

  /** Passes credits of an agent to another. */
  async give(from: MarketAgent, to: MarketAgent, amount: number): Promise<void> {
    must(
      await from.firm.key.post('/api/v1/passport/credits/transfers', {
        from_commitment: from.commitment,
        to_commitment: to.commitment,
        kind: 'PEER_GIFT',
        amount,
      }),
    );
  }

  /** An agent hires another, which delivers what it signed for the terms. */
  async hire(hirer: MarketAgent, worker: MarketAgent, amount: number, end: HireEnd): Promise<void> {
    const created = must(
      await hirer.firm.key.post(ENGAGEMENTS, {
        hirer_commitment: hirer.commitment,
        worker_commitment: worker.commitment,
        amount,
      }),
    );
    const { task_id, terms_digest } = Object(created.engagement);
    const path = `${ENGAGEMENTS}/${task_id}`;
    if (end === 'failed') {
      await this.failure(worker, String(task_id));
      must(await worker.firm.key.post(`${path}/decline`));
      return;
    }
    const terms = { task_id: String(task_id), terms_digest: String(terms_digest) };
    const payload = { ...terms, deliverable_digest: DELIVERABLE };
    must(await this.caller(null).post(`${path}/deliver`, { payload, signature: worker.sign(payload) }));
    if (end === 'accepted') {
      must(await hirer.firm.key.post(`${path}/accept`));
      const days = this.earned.get(worker.commitment) ?? [];
      days[this.today] = (days[this.today] ?? 0) + amount;
      this.earned.set(worker.commitment, days);
      return;
    }
    must(await hirer.firm.key.post(`${path}/dispute`, { reason: 'The work is not as agreed.' }));
    must(await worker.firm.key.post(`${path}/refund`));
  }

  /** An agent sends a trace of what it did for a task, which ended with an error. */
  private async failure(worker: MarketAgent, task: string): Promise<void> {
    const trace = { name: task, status: { code: 'ERROR' }, attributes: { 'gen_ai.system': 'example' } };
    const evidence = signedEvidence(worker, 'otel_genai_trace', trace);
    must(await worker.firm.key.post(evidencePath(worker.commitment), evidence));
  }

  /** The sponsor of an agent issues a receipt of its work, and finalizes it. */
  async receipt({ commitment, firm }: MarketAgent, isSuccess: boolean): Promise<void> {
    const { receipt_id } = must(await firm.key.issue({ agent_id: commitment }));
    must(await firm.key.finalize(receipt_id, ending(isSuccess ? 'success' : 'failure_tombstone')));
  }

  /** Ends a day: the next one begins, and what the service does then is done. */
  async endDay(): Promise<void> {
    this.today += 1;
    this.time.advance(DAY_MS);
    const { tasks } = await this.app.service.background();
    for (const name of TASKS) {
      const task = tasks.find((one) => one.name === name);
      if (task === undefined) throw new Error(`there is no task ${name}`);
      await task.run();
    }
  }

  /** Returns what the public profile of an agent says. */
  async standingOf({ commitment }: MarketAgent): Promise<Standing> {
    const { score, score_corroborated } = must(await this.caller(null).get(`/api/v1/profiles/${commitment}`));
    return { score: Number(score), corroborated: Number(score_corroborated) };
  }

  /** Returns the credits that hirers paid to an agent in the last 30 days. */
  earnedBy({ commitment }: MarketAgent): number {
    const days = this.earned.get(commitment) ?? [];
    return days.slice(Math.max(0, this.today - 30)).reduce((sum, credits) => sum + (credits ?? 0), 0);
  }

  private caller(key: string | null): Caller {
    return client(this.fetch, 'http://localhost', key);
  }
}

/** @throws Error for a response that refuses */
function must({ status, body }: ApiResponse): Record<string, unknown> {
  if (status < 300) return body;
  throw new Error(`the service returned status ${status}: ${JSON.stringify(body)}`);
}
