import { Failure } from '../../../platform/failure.ts';
import { bytesOf, gathered, sizeOf } from '../../../platform/files/read.ts';
import { isJournalLine } from '../../../proof/ledger/journal-file.ts';
import { LINE_BYTES_MAX } from '../../../proof/verifier/judge/lines.ts';
import type { DocumentKind } from '../../../proof/verifier/kinds/kind.ts';
import { CREDENTIAL, documentKind, RECEIPT, RECEIPT_BUNDLE } from '../../../proof/verifier/kinds/kinds.ts';
import type { VerifierTrust } from '../../../proof/verifier/trust.ts';
import type { VerifierContext } from '../../../proof/verifier/values/context.ts';
import { withCopy } from '../judge/copy.ts';
import { type CommandOptions, requireOptions } from '../options/by-document.ts';
import type { CheckedOptions, TrustSources } from '../options/combinations.ts';
import type { DocumentInputs, Inputs, JournalInputs, Lines, ListInputs } from '../values/inputs.ts';
import { readAdditional } from './additional.ts';
import { peeked, readInput } from './input.ts';
import { readKeyLog } from './key-log.ts';
import { readLinked } from './linked.ts';
import { linesFrom } from './list.ts';
import { readBundleInputs, readReceiptInputs, readRevocations } from './receipt.ts';
import { readTrust } from './trust.ts';

/** A credential is much smaller. */
const CREDENTIAL_BYTES_MAX = 2 ** 20;

/**
 * Reads everything that is judged: the document, keys, policies, logs and what the document names. Lists are
 * streams, because they can be larger than the memory.
 * @param now Unix time in milliseconds
 * @param resources gets what must be closed after judging
 * @throws Failure for what cannot be read, and for options that the kind of document has no use for
 */
export async function readInputs(
  file: string,
  options: CheckedOptions,
  { now, resources }: { now: number; resources: DisposableStack },
): Promise<Inputs> {
  if (options.subject === 'linked') return readLinked(file, options, now);
  if (options.subject === 'account') {
    const { readAccount } = await import('./account.ts');
    return readAccount(file, options, { now, resources });
  }
  const { commandOptions, trust } = options;
  if (commandOptions.as === 'credential') {
    const document = await gathered(file, bytesOf(file), CREDENTIAL_BYTES_MAX);
    return readDocument(CREDENTIAL, document, { commandOptions, trust, now });
  }
  const bytes = bytesOf(file);
  const input = commandOptions.ndjson === true ? { lines: bytes } : await readInput(bytes);
  if ('lines' in input) {
    const { lines, first } = await peeked(input.lines);
    if (isJournal(first)) return readJournal(linesFrom(lines, sizeOf(file)), commandOptions);
    const isOfBundles = documentKind(first) === RECEIPT_BUNDLE;
    return readList(linesFrom(lines, sizeOf(file)), isOfBundles, { commandOptions, trust, now });
  }
  // An empty journal is one line.
  if (isJournal(input.document)) return readJournal(linesFrom(once(input.document), 0), commandOptions);
  return readDocument(documentKind(input.document) ?? RECEIPT, input.document, {
    commandOptions,
    trust,
    now,
  });
}

const isJournal = (first: Uint8Array): boolean => first.length <= LINE_BYTES_MAX && isJournalLine(first);

function readJournal(list: Lines, commandOptions: CommandOptions): JournalInputs {
  requireOptions('journal', commandOptions, 'journal');
  return { subject: 'journal', list, head: commandOptions.head };
}

async function* once(document: Uint8Array): AsyncGenerator<Uint8Array> {
  yield document;
}

interface Request {
  commandOptions: CommandOptions;
  trust: TrustSources;
  now: number;
}

async function readDocument(
  kind: DocumentKind,
  document: Uint8Array,
  request: Request,
): Promise<DocumentInputs> {
  const { commandOptions } = request;
  requireOptions(kind.inputs, commandOptions, kind.name);
  const { log, ...withoutLog } = commandOptions;
  const { context: ofRequest, trust } = await readContext(request);
  // What a list of keys is verified against. Other documents are compared with it.
  const copy = kind.inputs === 'keyList' ? undefined : log;
  const context = copy === undefined ? ofRequest : await withKeyLog(ofRequest, trust, copy);
  const additional =
    kind === RECEIPT
      ? await readReceiptInputs(document, commandOptions, trust)
      : kind === RECEIPT_BUNDLE
        ? await readBundleInputs(commandOptions, trust)
        : await readAdditional(document, copy === undefined ? commandOptions : withoutLog, context);
  const judge = await kind.load();
  const read = {
    subject: 'document',
    name: kind.name,
    document,
    context: { ...context, additional },
  } as const;
  if (copy === undefined) return { ...read, judge };
  const { comparedWithCopy } = await import('./copy.ts');
  return { ...read, judge: withCopy(judge, await comparedWithCopy(copy, document, additional)) };
}

/**
 * Adds the log of keys of a copy to the policy, if there is one: it can record the ends of closed logs. A
 * copy without it, such as that of one log only, records none.
 */
async function withKeyLog(
  context: VerifierContext,
  { closedLogs }: VerifierTrust,
  copy: string,
): Promise<VerifierContext> {
  const { policy, logKeys } = context;
  if (policy === undefined || closedLogs.length === 0) return context;
  try {
    return { ...context, policy: { ...policy, keyLog: { ...(await readKeyLog(copy, true)), logKeys } } };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return context;
  }
}

async function readList(
  list: ListInputs['list'],
  isOfBundles: boolean,
  request: Request,
): Promise<ListInputs> {
  const { commandOptions } = request;
  if (isOfBundles) requireOptions('bundles', commandOptions, RECEIPT_BUNDLE.name);
  else requireOptions('receipts', commandOptions);
  const { context, trust } = await readContext(request);
  const { domain, revocations, fresh } = commandOptions;
  const additional = {
    ...(fresh !== undefined && { isFresh: fresh }),
    ...(domain !== undefined && { domain }),
    ...(revocations !== undefined && {
      revocations: await readRevocations(revocations, commandOptions, trust),
    }),
  };
  return { subject: 'list', list, isOfBundles, context: { ...context, additional } };
}

async function readContext({
  commandOptions,
  trust: sources,
  now,
}: Request): Promise<{ context: VerifierContext; trust: VerifierTrust }> {
  const trust = await readTrust(sources);
  const { keys, keyLog, logKeys, policy, issuer: ofList } = trust;
  const at = commandOptions.at ?? now;
  const { issuer: did } = commandOptions;
  const issuer = did === undefined ? ofList : { did, isOnly: true };
  return { context: { keys, issuer, keyLog, logKeys, policy, at, now: Math.max(at, now) }, trust };
}
