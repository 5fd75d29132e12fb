import { nativePrimitives, sha256Hex } from '../../../platform/crypto/crypto.ts';
import { canonicalJson } from '../../../proof/encoding/canonical-json.ts';
import { bytesToHex } from '../../../proof/encoding/hex.ts';
import { verifyStrict } from '../../../proof/keys/ed25519.ts';
import type { Problem } from '../../../proof/log/problem.ts';
import { isErrorTranche } from '../../../proof/receipt/outcome.ts';
import { canonicalPayload, domainCommitment, signingMessage } from '../../../proof/receipt/receipt.ts';
import type { VerificationKeys } from '../../log/keys/signing/verification-keys.ts';
import { hashPrefix } from '../hash-prefix.ts';
import { receiptPayload } from '../representation.ts';
import type { ReceiptRow, VersionRow } from './store.ts';

/** Verifies a receipt and its signed versions. */
export function receiptProblems(
  row: ReceiptRow,
  versions: readonly VersionRow[],
  keys: VerificationKeys,
  hasLog: boolean,
): Problem[] {
  return [
    ...rowProblems(row),
    ...versions.flatMap((version, index) => [
      ...orderProblems(row, versions[index - 1], version, index + 1),
      ...signatureProblems(row, version, keys),
    ]),
    ...stateProblems(row, versions),
    ...(hasLog ? leafProblems(row, versions) : []),
  ];
}

/** Returns the problem of a version without a receipt. */
export function orphanedVersionProblem({ receiptSeq, version }: VersionRow): Problem {
  const row = { receipt_seq: receiptSeq, version };
  return { table: 'receipt_version', row, what: `there is no receipt (receipt_seq ${receiptSeq})` };
}

/** Returns whether a version is a finalization that has an entry in the slashing ledger. */
export function needsSlash({ errorTranche, revocationStatus }: VersionRow): boolean {
  return isErrorTranche(errorTranche) && revocationStatus === 'active';
}

/** Returns the problem of a finalization without its entry in the slashing ledger. */
export function unslashedProblem({ receiptSeq, version }: VersionRow): Problem {
  const row = { receipt_seq: receiptSeq, version };
  return {
    table: 'receipt_version',
    row,
    what: 'it has an error tranche but no entry in the slashing ledger',
  };
}

/** Verifies what no signature covers: the chain, the API key that issued it, and the salt of a blind one. */
function rowProblems({ receipt, operatorId, predecessor, follows, hasKey }: ReceiptRow): Problem[] {
  const problems: Problem[] = [];
  const report = (what: string, values: Partial<Problem> = {}): void => {
    const row = { receipt_seq: receipt.receiptSeq };
    problems.push({ table: 'receipt', row, id: receipt.receiptId, what, ...values });
  };
  const {
    prevReceiptSeq,
    prevReceiptHash,
    chainDepth,
    domain,
    domainCommitment: commitment,
    blindSalt,
  } = receipt;
  if (operatorId === null) report(`there is no operator (operator_seq ${receipt.operatorSeq})`);
  if (hasKey === 0) report(`its operator has no API key (api_key_seq ${receipt.apiKeySeq})`);
  if ((prevReceiptHash === null) !== (prevReceiptSeq === null)) {
    report('only one of prev_receipt_hash and prev_receipt_seq is set; a receipt has both or neither');
  } else if (prevReceiptSeq !== null) {
    if (predecessor === null)
      report(`its predecessor, receipt (receipt_seq ${prevReceiptSeq}), is not there`);
    else if (prevReceiptSeq >= receipt.receiptSeq)
      report('its predecessor was issued after it', { found: String(prevReceiptSeq) });
    else if (predecessor.operatorSeq !== receipt.operatorSeq)
      report(`its predecessor, receipt (receipt_seq ${prevReceiptSeq}), belongs to another operator`);
    else if (follows === 0) {
      report(
        `prev_receipt_hash is the content_hash of no version of receipt (receipt_seq ${prevReceiptSeq})`,
        {
          found: String(prevReceiptHash),
        },
      );
    }
  }
  const depth = prevReceiptSeq === null ? 0 : (predecessor?.chainDepth ?? chainDepth - 1) + 1;
  if (depth !== chainDepth)
    report("chain_depth is not the predecessor's plus 1, or 0 without one", {
      expected: String(depth),
      found: String(chainDepth),
    });
  if ((commitment === null) !== (blindSalt === null))
    report('only one of domain_commitment and blind_salt is set; a receipt has both or neither');
  else if (commitment !== null && blindSalt !== null) {
    const expected = domainCommitment(nativePrimitives, domain, blindSalt);
    if (expected !== commitment) {
      report('domain_commitment does not match domain and blind_salt', { expected, found: commitment });
    }
  }
  return problems;
}

/** Verifies the order of versions: issued, then finalized, then revoked, each at most once. */
function orderProblems(
  { receipt }: ReceiptRow,
  before: VersionRow | undefined,
  version: VersionRow,
  number: number,
): Problem[] {
  const { status, revocationStatus, signedAt } = version;
  const at = (what: string, expected: string, found: string): Problem[] => [
    { ...locationOf(receipt.receiptId, version), what, expected, found },
  ];
  if (version.version !== number)
    return at('the versions are not numbered 1, 2, 3', String(number), String(version.version));
  if (before === undefined) {
    if (status !== 'pending' || revocationStatus !== 'active') {
      return at(
        'the first version is not pending and active, as every receipt is when it is issued',
        'pending, active',
        `${status}, ${revocationStatus}`,
      );
    }
    return signedAt === receipt.issuedAt
      ? []
      : at('signed_at of the first version is not issued_at of the receipt', receipt.issuedAt, signedAt);
  }
  const states = `${before.status}, ${before.revocationStatus} to ${status}, ${revocationStatus}`;
  const isFinalized = before.status === 'pending' && status !== 'pending' && revocationStatus === 'active';
  const isRevoked = before.status === status && revocationStatus === 'revoked';
  if (before.revocationStatus !== 'active' || !(isFinalized || isRevoked))
    return at('the state cannot change like this', 'a finalization or a revocation', states);
  if (!isRevoked) return [];
  const outcomeOf = ({ outputHash, reason, errorTranche }: VersionRow): string =>
    JSON.stringify([outputHash, reason, errorTranche]);
  const [expected, found] = [outcomeOf(before), outcomeOf(version)];
  return expected === found ? [] : at('the revocation changed the outcome', expected, found);
}

/** Verifies the content_hash of a version, and its signature. */
function signatureProblems(
  { receipt, operatorId }: ReceiptRow,
  version: VersionRow,
  keys: VerificationKeys,
): Problem[] {
  const position = locationOf(receipt.receiptId, version);
  const problems: Problem[] = [];
  const hash = hashOf(receipt, operatorId ?? '', version);
  if (hash !== version.contentHash) {
    const what = `content_hash does not match receipt (receipt_seq ${receipt.receiptSeq}) and this version`;
    problems.push({ ...position, what, expected: hash, found: version.contentHash });
  }
  const prefix = hashPrefix(version.contentHash);
  if (prefix !== version.hashPrefix) {
    const what = 'hash_prefix does not match the first bytes of content_hash';
    problems.push({ ...position, what, expected: String(prefix), found: String(version.hashPrefix) });
  }
  const key = keys.get(version.keySeq);
  if (key !== undefined && version.signedAt < key.validFrom) {
    const what = `signed_at is before valid_from of key ${key.kid}`;
    problems.push({ ...position, what, expected: key.validFrom, found: version.signedAt });
  }
  if (key === undefined) {
    problems.push({ ...position, what: `there is no signing_key (key_seq ${version.keySeq})` });
  } else if (key.purpose !== 'receipts' || key.algorithm !== 'Ed25519') {
    problems.push({
      ...position,
      what: `key ${key.kid} is not an Ed25519 key for receipts`,
      found: `${key.purpose}, ${key.algorithm}`,
    });
  } else if (
    !verifyStrict(nativePrimitives, version.signature, signingMessage(version.contentHash), key.raw)
  ) {
    problems.push({
      ...position,
      what: `signature was not made by key ${key.kid} over content_hash`,
      found: bytesToHex(version.signature),
    });
  }
  return problems;
}

function hashOf(receipt: ReceiptRow['receipt'], operatorId: string, current: VersionRow): string {
  try {
    return sha256Hex(canonicalJson(canonicalPayload(receiptPayload({ receipt, operatorId, current }))));
  } catch (error) {
    // Text that JSON cannot represent was never signed.
    return error instanceof Error ? `none (${error.message})` : 'none';
  }
}

/** Verifies that the receipt's row agrees with its newest version. */
function stateProblems({ receipt }: ReceiptRow, versions: readonly VersionRow[]): Problem[] {
  const row = { receipt_seq: receipt.receiptSeq };
  const newest = versions.at(-1);
  if (newest === undefined)
    return [{ table: 'receipt', row, id: receipt.receiptId, what: 'it has no signed version' }];
  const expected = `${newest.version}, ${newest.status}, ${newest.revocationStatus}`;
  const found = `${receipt.version}, ${receipt.status}, ${receipt.revocationStatus}`;
  const what = 'version, status and revocation_status differ from the newest version';
  return expected === found ? [] : [{ table: 'receipt', row, id: receipt.receiptId, what, expected, found }];
}

/**
 * Verifies that a finalization and a revocation each have a leaf. A leaf that was recovered from a copy of
 * the log stores its entry and names no version.
 */
function leafProblems(
  { receipt, isLogged, isLoggedRevoked }: ReceiptRow,
  versions: readonly VersionRow[],
): Problem[] {
  const finalized = versions.find(
    ({ status, revocationStatus }) => status !== 'pending' && revocationStatus === 'active',
  );
  const revoked = versions.find(({ revocationStatus }) => revocationStatus === 'revoked');
  const missing = (table: string, version: VersionRow | undefined, isThere: number): Problem[] => {
    if (version === undefined || isThere === 1) return [];
    return [{ ...locationOf(receipt.receiptId, version), what: `${table} has no leaf for it` }];
  };
  return [
    ...missing('receipt_leaf', finalized, isLogged),
    ...missing('revocation_leaf', revoked, isLoggedRevoked),
  ];
}

function locationOf(id: string, { receiptSeq, version }: VersionRow) {
  return { table: 'receipt_version', row: { receipt_seq: receiptSeq, version }, id };
}
