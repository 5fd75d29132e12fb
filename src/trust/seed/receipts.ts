import { derivedHex } from '../../platform/test-service/seed/names.ts';
import type { Path } from '../../platform/test-service/seed/read-seed.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { outcomeMember } from '../../proof/receipt/receipt.ts';
import type { Scene } from './scene.ts';
import type { EntryOf } from './schema.ts';

type Entry = EntryOf<'receipts'>;

/** By default, receipts of a seed expire ten years after they are issued. */
const VALIDITY_MS = 3650 * 86_400_000;

/** Adds the receipts of a seed: each is issued, and may be finalized and revoked. */
export function addReceipts(scene: Scene): void {
  const { chronology, seed, ask, ids } = scene;
  /** The newest content_hash of each receipt, by its name. */
  const hashes = new Map<string, string>();
  for (const [index, entry] of (seed.content.receipts ?? []).entries()) {
    const path = ['receipts', index];
    const { issued = 'now', status = 'pending', finalized = issued, revoked, after } = entry;
    const name = entry.id ?? `receipt ${index}`;
    const id = name.startsWith('rcpt_') ? name : `rcpt_${derivedHex('receipt', name).slice(0, 32)}`;
    const key = scene.operator(entry.operator, [...path, 'operator']).apiKey;
    const body = issueBody(scene, entry, name, path);
    chronology.add(issued, path, async () => {
      const previous = after === undefined ? undefined : hashes.get(after);
      if (after !== undefined && previous === undefined)
        throw seed.problemAt([...path, 'after'], `is ${after}, but no receipt of this name is issued before`);
      ids.reserve(id);
      const chained = { ...body, prev_receipt_hash: previous };
      hashes.set(name, String((await ask('POST /api/v1/receipts', { key, body: chained })).content_hash));
    });
    requireOrder(scene, entry, path);
    const outcome = outcomeBody(scene, entry, name, path);
    if (status !== 'pending') {
      chronology.add(finalized, path, async () => {
        const receipt = await ask(`POST /api/v1/receipts/${id}/finalize`, { key, body: outcome });
        hashes.set(name, String(receipt.content_hash));
      });
    }
    if (revoked === undefined) continue;
    chronology.add(revoked, [...path, 'revoked'], async () => {
      const body = { reason: entry.revocation_reason };
      await ask(`POST /api/v1/receipts/${id}/revoke`, { key, body });
    });
  }
}

function issueBody(scene: Scene, entry: Entry, name: string, path: Path) {
  const { chronology } = scene;
  const { agent = 'agent-7', issued = 'now', expiry, blind, receipt_type = 'custody' } = entry;
  const expiresAt =
    expiry === undefined
      ? chronology.pastTime(issued, [...path, 'issued']) + VALIDITY_MS
      : chronology.time(expiry, [...path, 'expiry']);
  return {
    agent_id: scene.agentIfAny(agent)?.commitment ?? agent,
    receipt_type,
    input_digest: entry.input_digest ?? derivedHex('input', name),
    authority_scope: entry.authority_scope ?? 'tests',
    expiry: timestampOf(expiresAt),
    domain: entry.domain ?? 'CODE_GENERATION',
    blind,
  };
}

/** Refuses a receipt that ends or is revoked before it is issued. Else the service would not know its id. */
function requireOrder({ chronology, seed }: Scene, entry: Entry, path: Path): void {
  const { issued = 'now' } = entry;
  for (const member of ['finalized', 'revoked'] as const) {
    const time = entry[member];
    if (time === undefined) continue;
    if (chronology.time(time, [...path, member]) < chronology.time(issued, [...path, 'issued']))
      throw seed.problemAt([...path, member], `is ${time}, before the receipt is issued: ${issued}`);
  }
}

/** Returns the body that finalizes a receipt. @throws Failure for an outcome of a pending receipt */
function outcomeBody({ seed }: Scene, entry: Entry, name: string, path: Path): object {
  const { status = 'pending', output_hash, reason, error_tranche, finalized } = entry;
  if (status === 'pending') {
    const members = Object.entries({ output_hash, reason, error_tranche, finalized });
    const [extra] = members.find(([, value]) => value !== undefined) ?? [];
    if (extra === undefined) return {};
    throw seed.problemAt([...path, extra], 'contradicts the status pending: name the status of the outcome');
  }
  const owed = outcomeMember(status);
  // The API refuses members that do not belong to the status.
  return {
    status,
    error_tranche,
    output_hash: output_hash ?? (owed === 'output_hash' ? derivedHex('output', name) : undefined),
    refusal_reason: owed === 'refusal_reason' ? (reason ?? 'made up by the seed') : undefined,
    terminal_reason: owed === 'terminal_reason' ? (reason ?? 'made up by the seed') : undefined,
    ...(owed === 'output_hash' && reason !== undefined ? { terminal_reason: reason } : {}),
  };
}
