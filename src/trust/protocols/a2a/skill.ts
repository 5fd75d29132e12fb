import type { TObject } from '@sinclair/typebox';
import type { TaskState } from '../../../../db/trust/a2a-enums.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import type { JsonObject } from '../../../proof/encoding/json.ts';
import type { AgentCache } from '../../agents/agent-cache.ts';
import type { CredentialCache } from '../../credentials/cache.ts';
import type { EscrowPolicy } from '../../hires/escrow/settings.ts';
import type { MeteringPolicy } from '../../ledger/metering/settings.ts';
import type { Signer } from '../../log/keys/signing/signer.ts';
import type { TrustLog } from '../../log/lifecycle/open.ts';
import type { Principal, Principals } from '../../operators/auth/authenticate.ts';
import type { Quotas } from '../../operators/quotas/quotas.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import type { GatePolicy } from '../../receipts/gate/settings.ts';
import type { Events } from '../../webhooks/events.ts';

/** The parts of the service that skills use. */
export interface SkillContext {
  store: Store;
  clock: Clock;
  clockWatch: ClockWatch;
  ids: Ids;
  policy: OperatorsPolicy & GatePolicy & MeteringPolicy & EscrowPolicy;
  principals: Principals;
  quotas: Quotas;
  signer: Signer;
  log: TrustLog;
  agentCache: AgentCache;
  credentialCache: CredentialCache;
  url: string | null;
  readOnly: boolean;
  events: Pick<Events, 'emitIn'>;
}

/** What a skill says: in words and as structured data. */
export interface SkillResult {
  /** Plain text: what happened, and what the client can do next. */
  text: string;
  data: JsonObject | null;
}

/** What a skill did. */
export interface Outcome extends SkillResult {
  /**
   * `completed`: `text` and `data` are the artifact. `working`: escrow was opened. `input-required`: `text`
   * asks for what is missing. `failed` and `rejected`: `text` says why.
   */
  state: Exclude<TaskState, 'submitted'>;
  /** The members that the next message should have, where the state is `input-required`. */
  missing?: string[];
  /** The escrow that was opened for the task. Its state is the task's from now on. */
  escrowSeq?: number;
}

/** The task that a skill works for. */
export interface SkillTask {
  /** The service's id of the task (`a2a_…`): the task_id of its escrow. */
  taskId: string;
  /** The escrow of the task; null if it has none. */
  escrowSeq: number | null;
  /** Milliseconds since 1970. */
  createdAt: number;
}

/** The caller of a skill. A skill grants what the same operation over REST grants to this principal. */
export interface SkillCall {
  trust: SkillContext;
  principal: Principal;
  /** What the client wrote in its newest message, without the structured data; empty if it wrote nothing. */
  text: string;
  task: SkillTask;
  /**
   * Returns whether the message may pay for the task. A message that names the task may; one that is only in
   * its context may if the newest reply in this context named the task.
   */
  mayPayIn(snapshot: Snapshot): Promise<boolean>;
}

/**
 * The part of a skill that writes. It runs in the transaction that stores the task, with the caller's
 * authority. It can run twice, so it must not change anything outside the transaction.
 */
export type Work = (tx: Transaction) => Promise<Outcome>;

/**
 * A skill of the service. Errors that it throws end or suspend the task. validation_error, not_found and
 * agent_not_enrolled ask for other input. Other codes below 500 reject the task with the error's message and
 * reason_code. Codes from 500 and rate_limit_exceeded are the error of the request, which stores nothing.
 */
export interface Skill {
  /** Its name in requests, such as `verify_receipt`. */
  readonly id: string;
  /** Its name for people. */
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Messages that call it: plain text, or the JSON of a data part. */
  readonly examples: readonly string[];
  /** The members of its input. What is not in it is refused; what is required and missing is asked for. */
  readonly input: TObject;
  /**
   * Returns the input that a plain text names, as far as it does; null for a text about something else.
   * @param known true if the task is already about this skill, so that the text needs not name it
   */
  understand(text: string, known: boolean): JsonObject | null;
  /** True if members alone never call it: a message names it, or is the action that it is for. */
  readonly mustBeNamed?: true;
  /** Members that exclude each other: the one of the newest message replaces that of an earlier message. */
  readonly alternatives?: readonly string[];
  /** Returns the question for what an input does not have, from the problems by member, which precede it. */
  ask(issues: Readonly<Record<string, readonly string[]>>): string;
  /**
   * Does its work with a valid input. Reading and computing can be done here; writing is returned as `Work`.
   * @throws ApiError
   */
  run(call: SkillCall, input: JsonObject): Promise<Outcome | Work>;
  /**
   * Returns what a message asks of a task that has open escrow, by exactly one word or by `{action}`; null
   * for any other message.
   */
  actionOf?(text: string, data: JsonObject | null): string | null;
  /** Handles a message to a task that has open escrow, such as an acceptance. */
  follow?(call: SkillCall, data: JsonObject | null): Promise<Outcome | Work>;
  /**
   * Cancels a task that has open escrow, in the transaction that cancels the task.
   * @throws ApiError invalid_state if it cannot be cancelled
   */
  cancelIn?(tx: Transaction, call: SkillCall): Promise<void>;
}
