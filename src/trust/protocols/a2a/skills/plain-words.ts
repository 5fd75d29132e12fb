import type { JsonObject } from '../../../../proof/encoding/json.ts';
import { DOMAINS } from '../../../../proof/receipt/receipt.ts';

/** The words that name a skill in a plain text. */
const WORDS = {
  verify_receipt: /\breceipts?\b|\brcpt_/i,
  lookup_reputation: /\b(?:reputations?|profiles?|scores?)\b/i,
  check_gate: /\bgates?\b|\bop_cus_/i,
  issue_credential: /\bcredentials?\b/i,
  hire_agent: /\b(?:hire|hires|hiring)\b/i,
  decline_hire: /\bdeclin(?:e|es|ed|ing)\b/i,
} as const;

export type SkillId = keyof typeof WORDS;

/** The ids of skills, which a client may repeat from the list of them. */
const IDS = new RegExp(`\\b(?:${Object.keys(WORDS).join('|')})\\b`, 'g');

/**
 * Returns the skill that a plain text is about; null for a text that names none, or several. An id of a skill
 * names it, even among other words. A credential about a reputation is a credential, and whoever declines a
 * hire hires nobody.
 */
export function skillNamedBy(text: string): SkillId | null {
  const [id, ...otherIds] = new Set(text.match(IDS) ?? []);
  if (id !== undefined) return otherIds.length === 0 && isSkillId(id) ? id : null;
  const ids = new Set(
    Object.entries(WORDS).flatMap(([id, words]) => (words.test(text) && isSkillId(id) ? [id] : [])),
  );
  if (ids.has('issue_credential')) ids.delete('lookup_reputation');
  if (ids.has('decline_hire')) ids.delete('hire_agent');
  const [only = null] = ids;
  return ids.size === 1 ? only : null;
}

function isSkillId(id: string): id is SkillId {
  return id in WORDS;
}

/** What a plain text can name, by the member of a skill's input. */
const NAMED = {
  receipt_id: /\brcpt_[0-9a-f]{32}\b/g,
  operator_id: /\bop_cus_[0-9A-Za-z]{24}\b/g,
  subject_commitment: /\b[0-9a-f]{64}\b/g,
  domain: new RegExp(`\\b(?:${DOMAINS.join('|')})\\b`, 'g'),
} as const;

/** Returns the members that a text names once. If it has two values for one, the service asks which. */
export function membersIn(text: string, members: readonly (keyof typeof NAMED)[]): JsonObject {
  const values: JsonObject = {};
  for (const member of members) {
    const [one, ...otherValues] = new Set(text.match(NAMED[member]) ?? []);
    if (one !== undefined && otherValues.length === 0) values[member] = one;
  }
  return values;
}

/**
 * Returns the function that reads the members a text names; it returns null for a text about something else.
 */
export function understander(id: SkillId, members: readonly (keyof typeof NAMED)[]) {
  return (text: string, known: boolean): JsonObject | null =>
    known || skillNamedBy(text) === id ? membersIn(text, members) : null;
}
