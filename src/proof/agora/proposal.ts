import { isHex } from '../encoding/hex.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../encoding/json.ts';
import { parseTimestamp } from '../encoding/timestamp.ts';
import type { AgoraSignature, AgoraStep } from './entry.ts';
import { AGORA_ACTIONS, AGORA_STATUSES, type AgoraStatus } from './negotiation.ts';

/** A step as the service publishes it: with the hash of its entry. */
export interface PublishedStep extends AgoraStep {
  entry_hash: string;
}

/** What a commitment is computed from. */
export interface AgoraParty {
  commitment: string;
  /** 64 hexadecimal characters. */
  public_key: string;
  context: string;
}

/** The place of a step in the ledger. */
export interface LedgerAnchor {
  index: number;
  entry_hash: string;
  prev_hash: string | null;
}

/** A proposal as `GET /api/v1/agora/proposals/{proposalId}` returns it. */
export interface PublishedProposal {
  agora_version: '1.0';
  proposal_id: string;
  status: AgoraStatus;
  action: AgoraStep['action'];
  ledger_anchor: LedgerAnchor;
  from_commitment: string;
  to_commitment: string;
  terms: JsonObject | null;
  parties: AgoraParty[];
  timeline: PublishedStep[];
}

const PROPOSAL_ID = /^agora_[0-9a-f]{32}$/;

/**
 * Returns a proposal from its JSON; null for anything else, even for a proposal with unknown members, which
 * nothing would prove.
 */
export function proposalIn(value: JsonValue): PublishedProposal | null {
  const members = membersOf(value, [
    'agora_version',
    'proposal_id',
    'status',
    'action',
    'ledger_anchor',
    'from_commitment',
    'to_commitment',
    'terms',
    'parties',
    'timeline',
  ]);
  if (members === null) return null;
  const { agora_version, proposal_id, from_commitment, to_commitment, terms = null } = members;
  const status = AGORA_STATUSES.find((name) => name === members.status);
  const action = AGORA_ACTIONS.find((name) => name === members.action);
  const ledger_anchor = anchorIn(members.ledger_anchor);
  const parties = listIn(members.parties, partyIn);
  const timeline = listIn(members.timeline, stepIn);
  if (agora_version !== '1.0' || typeof proposal_id !== 'string' || !PROPOSAL_ID.test(proposal_id))
    return null;
  if (status === undefined || action === undefined || ledger_anchor === null) return null;
  if (parties === null || timeline === null || !isTerms(terms)) return null;
  if (!isHash(from_commitment) || !isHash(to_commitment)) return null;
  return {
    agora_version,
    proposal_id,
    status,
    action,
    ledger_anchor,
    from_commitment,
    to_commitment,
    terms,
    parties,
    timeline,
  };
}

function stepIn(value: JsonValue): PublishedStep | null {
  const members = membersOf(value, [
    'index',
    'prev_hash',
    'proposal_prev_hash',
    'action',
    'commitment',
    'to_commitment',
    'terms',
    'timestamp',
    'agent_auth',
    'entry_hash',
  ]);
  if (members === null) return null;
  const { index = null, prev_hash = null, entry_hash = null } = members;
  const { proposal_prev_hash = null, commitment, to_commitment, terms = null, timestamp } = members;
  const action = AGORA_ACTIONS.find((name) => name === members.action);
  const agent_auth = signatureIn(members.agent_auth);
  const anchor = anchorIn({ index, prev_hash, entry_hash });
  if (anchor === null || action === undefined || agent_auth === null) return null;
  if (!isLink(proposal_prev_hash) || !isHash(commitment) || !isHash(to_commitment)) return null;
  if (!isTerms(terms) || typeof timestamp !== 'string' || parseTimestamp(timestamp) === null) return null;
  return { ...anchor, proposal_prev_hash, action, commitment, to_commitment, terms, timestamp, agent_auth };
}

function signatureIn(value: JsonValue | undefined): AgoraSignature | null {
  const members = membersOf(value, ['audience', 'nonce', 'expires_at', 'signature']);
  if (members === null) return null;
  const { audience, nonce, expires_at, signature } = members;
  if (typeof audience !== 'string' || typeof nonce !== 'string' || typeof expires_at !== 'string')
    return null;
  return typeof signature === 'string' && isHex(signature, 64)
    ? { audience, nonce, expires_at, signature }
    : null;
}

function anchorIn(value: JsonValue | undefined): LedgerAnchor | null {
  const members = membersOf(value, ['index', 'entry_hash', 'prev_hash']);
  if (members === null) return null;
  const { index, entry_hash, prev_hash = null } = members;
  if (!Number.isSafeInteger(index) || typeof index !== 'number' || index < 0) return null;
  if (!isHash(entry_hash) || !isLink(prev_hash)) return null;
  return { index, entry_hash, prev_hash };
}

function partyIn(value: JsonValue): AgoraParty | null {
  const members = membersOf(value, ['commitment', 'public_key', 'context']);
  if (members === null) return null;
  const { commitment, public_key, context } = members;
  if (!isHash(commitment) || !isHash(public_key) || typeof context !== 'string') return null;
  return { commitment, public_key, context };
}

/** Returns the object if it has exactly these members; null for anything else. */
function membersOf(value: JsonValue | undefined, names: readonly string[]): JsonObject | null {
  if (!isJsonObject(value) || Object.keys(value).length !== names.length) return null;
  return names.every((name) => Object.hasOwn(value, name)) ? value : null;
}

function listIn<Item>(value: JsonValue | undefined, read: (item: JsonValue) => Item | null): Item[] | null {
  if (!Array.isArray(value)) return null;
  const items = value.map(read).filter((item) => item !== null);
  return items.length === value.length ? items : null;
}

const isHash = (value: JsonValue | undefined): value is string =>
  typeof value === 'string' && isHex(value, 32);
const isLink = (value: JsonValue): value is string | null => value === null || isHash(value);
const isTerms = (value: JsonValue): value is JsonObject | null => value === null || isJsonObject(value);
