import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { bytesOf, sizeOf } from '../../platform/files/read.ts';
import { isUrl } from '../../platform/network/fetch.ts';
import { printable } from '../../platform/terminal/output.ts';
import { Progress } from '../../platform/terminal/progress.ts';
import { type LogSource, logSource } from '../../platform/tlog/source.ts';
import { JsonError, type JsonValue, parseJsonBytes } from '../../proof/encoding/json.ts';
import type { LogKey } from '../../proof/log/log-keys.ts';
import { describeCosignatures, isMet } from '../../proof/log/quorum.ts';
import { receiptShape } from '../../proof/receipt/receipt-shape.ts';
import { checkRevocations, REVOCATION_CHECKS, type Revocations } from '../../proof/receipt/revocations.ts';
import {
  describeVerdict,
  isAsAsked,
  judgeBytes,
  type VerdictOptions,
  type VerdictResult,
} from '../../proof/receipt/verdict.ts';
import { witnessed } from '../../proof/receipt/witnessed.ts';
import { besideOf } from './beside.ts';
import { judgeByBoth } from './both-implementations.ts';
import { readInput } from './bulk/input.ts';
import { domainProblems } from './bulk/judge.ts';
import { verifyLines } from './bulk/verify.ts';
import { verifyDocument } from './document.ts';
import { documentKind, refuseForKind, refuseOtherNeeds } from './document-kinds.ts';
import { trustedLogKeys } from './log-keys.ts';
import { policyFrom } from './policy.ts';
import { proofFrom, statusFrom } from './proof-and-status.ts';
import { revocationsFrom } from './revocations.ts';
import { describeTree } from './sentences.ts';
import { keysFrom } from './trusted-keys.ts';

/** The options of the command line. */
export interface VerifyOptions {
  keys: string;
  at?: number;
  domain?: string;
  proof?: string;
  logKey?: string[];
  anyLog?: boolean;
  status?: string;
  revocations?: string;
  policy?: string;
  log?: string;
  entry?: string;
  ndjson?: boolean;
}

/**
 * Verifies one document or many receipts from a file or standard input, and writes the results. The exit code is 1 unless every receipt
 * and every requested check is ok. @throws Failure
 */
export async function verify(receipt: string, options: VerifyOptions): Promise<void> {
  refuseTwoReaders(receipt, options);
  const bytes = bytesOf(receipt);
  const input = options.ndjson === true ? { lines: bytes } : await readInput(bytes);
  const kind = 'document' in input ? documentKind(input.document) : null;
  if (kind === null) refuseWithoutLog(options);
  else refuseForKind(kind, options);
  const trusted = await keysFrom(options.keys, options);
  const policy = options.policy === undefined ? undefined : policyFrom(options.policy, trusted, options);
  const logKeys = await trustedLogKeys(policy, trusted, options);
  const judged: VerdictOptions = {
    keys: trusted.keys,
    now: options.at ?? Date.now(),
    clock: Date.now(),
    domain: options.domain,
    policy: policy && { policy: policy.policy, logKeys: [...logKeys, ...trusted.logKeys] },
  };
  const isValid =
    'lines' in input
      ? await verifyMany(input.lines, judged, { receipt, options, logKeys })
      : kind === null
        ? await verifyOne(input.document, {
            ...judged,
            ...(await beside(input.document, options, logKeys)),
          })
        : await verifyDocument(kind, input.document, {
            keys: trusted.keys,
            logKeys,
            policy: judged.policy,
            beside: await besideOf(kind, input.document, options, {
              keys: trusted.keys,
              at: judged.now,
            }),
            at: judged.now,
            now: Math.max(judged.now, Date.now()),
          });
  if (!isValid) process.exitCode = 1;
}

/** Refuses two inputs from standard input. @throws Failure */
function refuseTwoReaders(receipt: string, { keys, proof, status }: VerifyOptions): void {
  if ([receipt, keys, proof, status].filter((source) => source === '-').length > 1) {
    throw new Failure('standard input can be read once', 'specify files for all but one of the inputs', 2);
  }
}

/** Refuses options about logs for a receipt of which no log is read. @throws Failure */
function refuseWithoutLog(options: VerifyOptions): void {
  const { proof, revocations, log, entry } = options;
  refuseOtherNeeds({ log, entry: proof === undefined ? entry : undefined });
  if (proof !== undefined || revocations !== undefined) return;
  const useless = { policy: options.policy, 'log-key': options.logKey, 'any-log': options.anyLog };
  for (const [name, value] of Object.entries(useless))
    if (value !== undefined)
      throw new Failure(`--${name} has nothing to verify`, 'add --proof or --revocations', 2);
}

/** Reads the additional inputs of one receipt: proof, status and revocations. For a document that is not a receipt it reads nothing. */
async function beside(
  document: Uint8Array,
  options: VerifyOptions,
  logKeys: readonly LogKey[],
): Promise<Omit<VerdictOptions, 'keys' | 'now'>> {
  const receiptId = idOf(document);
  if (receiptId === null) return {};
  const { proof, status } = options;
  return {
    proof:
      proof === undefined ? undefined : { proof: await proofFrom(proof, receiptId, options), keys: logKeys },
    status: status === undefined ? undefined : await statusFrom(status, receiptId),
    revocations: await revocations(options, logKeys),
  };
}

function idOf(document: Uint8Array): string | null {
  let value: JsonValue;
  try {
    value = parseJsonBytes(document);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return null;
  }
  const shape = receiptShape(value);
  return 'receipt' in shape ? shape.receipt.receipt_id : null;
}

async function revocations(
  { revocations: location, policy }: VerifyOptions,
  logKeys: readonly LogKey[],
): Promise<Revocations | undefined> {
  if (location === undefined) return undefined;
  const progress = new Progress(process.stderr, 'revocations');
  try {
    const source = policy === undefined ? logSource(location) : cosignedSource(location);
    return await revocationsFrom(source, logKeys, (count, share) => progress.at(count, share));
  } finally {
    progress.clear();
  }
}

/** Returns the logs of a URL or a directory, with the newest cosigned checkpoints where a service has newer ones. */
function cosignedSource(location: string): LogSource {
  const source = logSource(location);
  if (!isUrl(location)) return source;
  return {
    ...source,
    read: (path) => source.read(path.endsWith('/checkpoint') ? `${path}?cosigned=yes` : path),
  };
}

/** Verifies one receipt and writes the result. @returns whether it is valid and every requested check is ok */
async function verifyOne(document: Uint8Array, options: VerdictOptions): Promise<boolean> {
  const result = await judgeByBoth('receipt', (primitives) => judgeBytes(primitives, document, options));
  process.stdout.write(`${printable(JSON.stringify(result, null, 2))}\n`);
  process.stderr.write(`${headline(result)}\n`);
  for (const problem of result.problems) process.stderr.write(`  ${printable(problem)}\n`);
  for (const problem of domainProblems(result, options.domain)) process.stderr.write(`${problem}\n`);
  for (const tree of Object.values(result.trees ?? {}))
    if (tree !== null) process.stderr.write(`  log: ${printable(describeTree(tree))}\n`);
  for (const found of result.cosignatures ?? [])
    if (isMet(found.check)) process.stderr.write(`  quorum: ${describeCosignatures(found)}\n`);
  return isAsAsked(result);
}

/** Returns the sentence for the exit code. A valid receipt with a failed requested check is called "not proven". */
function headline(result: VerdictResult): string {
  const { verdict, checks } = result;
  if (verdict !== 'valid' || isAsAsked(result))
    return `${verdict}: ${describeVerdict(result, ' (--status, --revocations)')}`;
  const { domain, proof, status, revocation, quorum } = checks;
  const witnesses = quorum !== undefined && isMet(quorum) ? 'ok' : quorum;
  const open = Object.entries({ domain, proof, status, revocations: revocation, quorum: witnesses })
    .filter(([, check]) => check !== undefined && check !== 'ok')
    .map(([name]) => name);
  return `not proven: The receipt itself is valid; other checks failed (${open.join(', ')}).`;
}

/** Verifies many receipts. @returns whether there is at least one and all are valid, of the requested domain and not revoked. @throws Failure */
async function verifyMany(
  lines: AsyncIterable<Uint8Array>,
  judged: VerdictOptions,
  { receipt, options, logKeys }: { receipt: string; options: VerifyOptions; logKeys: readonly LogKey[] },
): Promise<boolean> {
  if (options.proof !== undefined || options.status !== undefined) {
    throw new Failure(
      '--proof and --status are of one receipt, but the input has many',
      'verify that receipt separately, or check all of them with --revocations',
      2,
    );
  }
  const { policy: _, ...others } = judged;
  const list = witnessedList(await revocations(options, logKeys), judged);
  if (list?.tree !== undefined) process.stderr.write(`log: ${printable(describeTree(list.tree))}\n`);
  // Checks the age of the log once for all receipts; no receipt has an empty id.
  const check = list === undefined ? 'ok' : checkRevocations(list, '', judged.now, judged.clock);
  if (check !== 'ok')
    throw new Failure(
      `revocations: ${REVOCATION_CHECKS[check]}`,
      list?.other === undefined
        ? 'get a newer copy that is signed with a time (ML-DSA-44), or check the clocks'
        : 'get a copy of the log of revocations that is meant',
    );
  return verifyLines(lines, sizeOf(receipt), { ...others, revocations: list });
}

/** Checks the cosignatures of the revocations log, once for all receipts. @throws Failure without the quorum */
function witnessedList(
  list: Revocations | undefined,
  { policy, now, clock = now }: VerdictOptions,
): Revocations | undefined {
  const found = witnessed(nativePrimitives, policy, Math.max(now, clock), {
    checkpoint: undefined,
    inclusion: undefined,
    revocations: list,
  });
  for (const cosignatures of found.cosignatures ?? []) {
    const sentence = `quorum: ${describeCosignatures(cosignatures)}`;
    if (!isMet(cosignatures.check)) throw new Failure(sentence, 'get a copy that the witnesses cosigned');
    process.stderr.write(`${sentence}\n`);
  }
  return found.revocations;
}
