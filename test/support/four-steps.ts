import { createHash, createPublicKey, verify } from 'node:crypto';

/**
 * The specification's offline verification (section 2.3) with only node:crypto. It shares no code with the
 * program, so that the two can disagree.
 */
export function fourSteps(receipt: Record<string, string>, publicKeyHex: string, now: number): string {
  if (receipt.revocation_status === 'revoked') return 'revoked';
  if (Date.parse(receipt.expiry ?? '') <= now) return 'expired';
  const status = receipt.status ?? '';
  const names = [
    'receipt_id',
    'issued_at',
    'operator_id',
    'agent_id',
    'receipt_type',
    'status',
    'input_digest',
  ];
  names.push('authority_scope', 'expiry', 'revocation_status');
  if (status === 'success') names.push('output_hash');
  if (status === 'refusal' || status === 'null') names.push('refusal_reason');
  if (['terminal', 'graceful_shutdown', 'timeout', 'failure_tombstone'].includes(status))
    names.push('terminal_reason');
  if (receipt.prev_receipt_hash !== undefined) names.push('prev_receipt_hash');
  if (status !== 'pending') names.push('error_tranche');
  const pairs = names.map((name) => [name, receipt[name]]);
  pairs.push(['domain', receipt.domain_commitment ?? receipt.domain]);
  const sorted = pairs.sort(([left = ''], [right = '']) => (left < right ? -1 : 1));
  const text = `{${sorted.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;
  const hash = createHash('sha256').update(text, 'utf8').digest('hex');
  if (hash !== receipt.content_hash) return 'hash mismatch';
  const spki = Buffer.concat([
    Buffer.from('302a300506032b6570032100', 'hex'),
    Buffer.from(publicKeyHex, 'hex'),
  ]);
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  const good = verify(null, Buffer.from(hash, 'utf8'), key, Buffer.from(receipt.signature ?? '', 'hex'));
  return good ? 'valid' : 'bad signature';
}
