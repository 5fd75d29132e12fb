import { type ReadReceipt, verifyCoseReceipt } from './cose-receipt.ts';
import type { TrustApp } from './trust-app.ts';

/**
 * Gets the COSE receipt of a receipt, and verifies it with the published keys that are active.
 * @returns what it states; null unless the response is 200
 */
export async function coseReceiptOf(
  app: TrustApp,
  receiptId: unknown,
  query = '',
): Promise<{ response: Response; bytes: Uint8Array; read: ReadReceipt | null }> {
  const headers = { accept: 'application/scitt-receipt+cose' };
  const url = `http://localhost/api/v1/receipts/${receiptId}/proof${query}`;
  const response = await app.fetch(new Request(url, { headers }));
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (response.status !== 200) return { response, bytes, read: null };
  const { body: keys } = await app.anyone.get('/api/v1/transparency/keys');
  const rows: { purpose: string; algorithm: string; status: string; kid: string; public_key: string }[] =
    Object(keys.keys);
  const active = rows.filter(({ purpose, status }) => purpose === 'receipts-log' && status === 'active');
  const trusted = new Map(active.map(({ kid, public_key }) => [kid, public_key]));
  const { body: manifest } = await app.anyone.get(`/api/v1/receipts/${receiptId}/public-manifest`);
  const entry = String(Object(manifest.inclusion_path).leaf_entry);
  return { response, bytes, read: await verifyCoseReceipt(bytes, entry, trusted) };
}
