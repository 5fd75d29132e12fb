import { eventHash } from '../evidence/event.ts';
import type { Primitives } from '../primitives.ts';
import { endOfDay, readAnyAccountsEntry } from './journal-heads-entry.ts';
import { readKeyLogEntry } from './log-change.ts';
import { readAnyRevocationEntry, readEvidenceEntry, readReceiptEntry } from './log-entry.ts';
import type { LogName } from './log-names.ts';

/** What an entry of any log says. */
export interface EntryFacts {
  /**
   * When what it records happened, or for heads of journals the end of their day: RFC 3339 in UTC with
   * milliseconds.
   */
  at: string;
  /** The commitment of the agent that it names; null for none. */
  agent: string | null;
  /** The source type of an item of evidence. */
  sourceType?: string;
  /** False if it is an item of evidence whose event_commitment_hash is not that of its members. */
  isHashed: boolean;
}

/** Reads an entry of a log, byte for byte. @throws LogEntryError for a text that is not one of its entries */
export function readEntryFacts(primitives: Primitives, log: LogName, text: string): EntryFacts {
  switch (log) {
    case 'receipts':
      return { at: readReceiptEntry(text).finalized_at, agent: null, isHashed: true };
    case 'keys': {
      const entry = readKeyLogEntry(text);
      return { at: 'key' in entry ? entry.key.at : entry.change.at, agent: null, isHashed: true };
    }
    case 'revocations': {
      const entry = readAnyRevocationEntry(text);
      return 'agent' in entry
        ? { at: entry.agent.at, agent: entry.agent.subject_commitment, isHashed: true }
        : { at: entry.receipt.revoked_at, agent: null, isHashed: true };
    }
    case 'evidence': {
      const entry = readEvidenceEntry(text);
      const isHashed = eventHash(primitives, entry) === entry.event_commitment_hash;
      const { anchored_at: at, subject_commitment: agent, source_type: sourceType } = entry;
      return { at, agent, sourceType, isHashed };
    }
    case 'accounts': {
      const entry = readAnyAccountsEntry(text);
      const at = 'heads' in entry ? endOfDay(entry.heads.date) : entry.account.at;
      return { at, agent: null, isHashed: true };
    }
  }
}
