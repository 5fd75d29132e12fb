import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { ClockWatch } from '../../platform/time/clock-watch.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import type { ReceiptPayload, ReceiptType } from '../../proof/receipt/receipt.ts';
import { draftTime, issueTime } from '../log/clock/dates.ts';
import type { Signer } from '../log/keys/signing/signer.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import type { Principals } from '../operators/auth/authenticate.ts';
import { firstOperator, type OperatorRow } from '../operators/status.ts';
import type { Events } from '../webhooks/events.ts';
import { tellFinalizedIn } from './events.ts';
import { isCurrentIn, recordIssueTimeIn } from './issue-time.ts';
import { recordActIn } from './linked/record.ts';
import { logReceiptIn } from './log/leaves.ts';
import { type ReceiptWithKid, receiptPayload, receiptWithoutSalt } from './representation.ts';
import { PENDING, type SignedPayload, signPayload, signPayloadAsync } from './sign.ts';
import { insertServiceReceipt, type NewReceipt, receiptBySeq } from './store.ts';

/** The parts of the service that issuing a receipt by itself uses. */
export type ServiceReceiptContext = {
  store: Store;
  clock: Clock;
  clockWatch: ClockWatch;
  ids: Ids;
  signer: Signer;
  log: TrustLog;
  events: Pick<Events, 'emitIn'>;
};

/**
 * What the receipts of the service are about. Each belongs to a row: a task that ended, telemetry or a
 * withdrawal.
 */
export const SERVICE_SCOPES = ['engagement', 'datacenter', 'withdrawal'] as const;
export type ServiceScope = (typeof SERVICE_SCOPES)[number];

/** What the service states about credits that moved, or about data that it accepted. */
export type ServiceStatement = StatedFacts & StatedEnd;

interface StatedFacts {
  /** The operator in whose name the receipt is issued. */
  operator: { operatorSeq: number; operatorId: string };
  /** An agent's commitment or another subject's id; 1 to 256 characters without control characters. */
  agentId: string;
  receiptType: ReceiptType;
  /** A digest of 64 hexadecimal characters. */
  inputDigest: string;
  /** 1 to 256 characters without control characters: what it is about, and its id. */
  authorityScope: `${ServiceScope}:${string}`;
}

/** A success with its digest; or an end without an outcome (`null`), and why: 1 to 512 characters. */
type StatedEnd = { outputHash: string; reason?: never } | { outputHash?: never; reason: string };

/** A receipt in a transaction. */
export interface IssuedReceipt {
  receiptSeq: number;
  receiptId: string;
  /** The signed receipt, finalized. */
  signed: ReceiptWithKid;
}

/** How long a receipt of the service is valid, in years. */
const VALID_YEARS = 10;

/** What each receipt of the service has from the start. */
const FINAL = {
  version: 2,
  revocationStatus: 'active',
  errorTranche: 'NONE',
  revocationReason: null,
} as const;

/** Returns the version that the receipt of a statement has from the start, before it is signed. */
const finalOf = ({ outputHash, reason }: StatedEnd) =>
  reason === undefined
    ? { ...FINAL, status: 'success' as const, outputHash, reason: null }
    : { ...FINAL, status: 'null' as const, outputHash: null, reason };

/** The receipt of a statement: its row, and its signed content while pending and when it is final. */
interface Draft {
  statement: ServiceStatement;
  row: NewReceipt;
  pending: ReceiptPayload;
  final: ReceiptPayload;
}

/** The signed receipt of a statement, before it is stored. */
export interface SignedStatement extends Draft {
  signatures: { pending: SignedPayload; final: SignedPayload };
}

/** Signs the receipt of a statement off the event loop, before its transaction. */
export async function signStatementAhead(
  trust: Pick<ServiceReceiptContext, 'clock' | 'ids' | 'log' | 'signer'>,
  statement: ServiceStatement,
): Promise<SignedStatement> {
  const draft = draftOf(trust, statement, draftTime(trust));
  const [pending, final] = await Promise.all([
    signPayloadAsync(trust.signer, draft.pending),
    signPayloadAsync(trust.signer, draft.final),
  ]);
  return { ...draft, signatures: { pending, final } };
}

/**
 * Issues a receipt of the service itself and finalizes it, with its leaf in the log of receipts.
 * It costs nothing, no gate refuses it, and it counts neither for the gate nor for the reputation of its
 * agent: no operator stated it.
 * @throws ApiError clock_wrong
 */
export async function issueServiceReceiptIn(
  tx: Transaction,
  trust: ServiceReceiptContext,
  statement: ServiceStatement,
): Promise<IssuedReceipt> {
  return storeSignedIn(tx, trust, signed(trust, statement));
}

/** Does what `issueServiceReceiptIn` does, with signatures that were made ahead if they are still current. */
export async function issueSignedStatementIn(
  tx: Transaction,
  trust: ServiceReceiptContext,
  ahead: SignedStatement,
): Promise<IssuedReceipt> {
  const { row, statement, signatures } = ahead;
  const isCurrent =
    signatures.pending.keySeq === signatures.final.keySeq &&
    (await isCurrentIn(tx, trust, row.issuedAt, signatures.final.keySeq));
  return storeSignedIn(tx, trust, isCurrent ? ahead : signed(trust, statement));
}

/** @param now milliseconds since 1970 */
function draftOf(
  { ids }: Pick<ServiceReceiptContext, 'ids'>,
  statement: ServiceStatement,
  now: number,
): Draft {
  const { operator, outputHash: _, reason: __, ...stated } = statement;
  const { operatorSeq, operatorId } = operator;
  const row: NewReceipt = {
    ...stated,
    receiptId: ids.newId('rcpt_'),
    operatorSeq,
    issuedAt: timestampOf(now),
    expiry: yearsAfter(now, VALID_YEARS),
    domain: 'SYSTEM_INTEGRATION',
    domainCommitment: null,
    blindSalt: null,
    prevReceiptHash: null,
    prevReceiptSeq: null,
    chainDepth: 0,
    apiKeySeq: null,
  };
  const receipt = { ...row, status: PENDING.status, revocationStatus: PENDING.revocationStatus, version: 1 };
  return {
    statement,
    row,
    pending: receiptPayload({ receipt, operatorId, current: PENDING }),
    final: receiptPayload({ receipt, operatorId, current: finalOf(statement) }),
  };
}

function signed(
  trust: Pick<ServiceReceiptContext, 'clockWatch' | 'ids' | 'log' | 'signer'>,
  statement: ServiceStatement,
): SignedStatement {
  const draft = draftOf(trust, statement, issueTime(trust));
  const signatures = {
    pending: signPayload(trust.signer, draft.pending),
    final: signPayload(trust.signer, draft.final),
  };
  return { ...draft, signatures };
}

async function storeSignedIn(
  tx: Transaction,
  trust: ServiceReceiptContext,
  { statement, row, final, signatures }: SignedStatement,
): Promise<IssuedReceipt> {
  const { log } = trust;
  const { operator } = statement;
  const { receiptId, issuedAt } = row;
  const version = finalOf(statement);
  const { kid: _, ...pendingSignature } = signatures.pending;
  const { kid, ...signature } = signatures.final;
  const receiptSeq = await insertServiceReceipt(tx, row, [
    { ...PENDING, ...pendingSignature, signedAt: issuedAt },
    { ...version, ...signature, signedAt: issuedAt },
  ]);
  await recordIssueTimeIn(tx, trust, issuedAt, signature.keySeq);
  const members = { content_hash: signature.contentHash, signature: signature.signature, kid };
  const entry = { receipt_id: receiptId, ...members, finalized_at: issuedAt };
  await logReceiptIn(tx, log.open.receipts, { receiptSeq, version: version.version }, entry);
  const act = { ...row, operatorId: operator.operatorId, at: issuedAt };
  await recordActIn(tx, trust, { ...act, event: 'issued', contentHash: pendingSignature.contentHash });
  await recordActIn(tx, trust, { ...act, event: 'finalized', contentHash: signature.contentHash });
  const { contentHash: content_hash } = signature;
  const told = { receipt_id: receiptId, status: version.status, content_hash };
  tellFinalizedIn(tx, trust, operator.operatorSeq, issuedAt, told);
  tx.afterCommit(() => log.publisher.grown('receipts', issuedAt));
  return { receiptSeq, receiptId, signed: { ...final, ...members } };
}

/** Returns the operator of the receipt for an agent's payment: its sponsor, else the first operator. */
export async function receiptOperatorIn(
  tx: Transaction,
  { principals }: { principals: Principals },
  sponsorSeq: number | null,
): Promise<Pick<OperatorRow, 'operatorSeq' | 'operatorId'>> {
  const sponsor = sponsorSeq === null ? null : await principals.operatorIn(tx, sponsorSeq);
  const operator = sponsor ?? (await firstOperator(tx));
  if (operator === null) throw new Error('there is no operator');
  return operator;
}

/** Returns the current version of a receipt that the service issued. */
export async function serviceReceiptIn(snapshot: Snapshot, receiptSeq: number): Promise<ReceiptWithKid> {
  const state = await receiptBySeq(snapshot, receiptSeq);
  if (state === null) throw new Error(`there is no receipt ${receiptSeq}`);
  return receiptWithoutSalt(state);
}

/** Returns the time `years` years after another, as RFC 3339. @param time milliseconds since 1970 */
function yearsAfter(time: number, years: number): string {
  const date = new Date(time);
  date.setUTCFullYear(date.getUTCFullYear() + years);
  return date.toISOString();
}
