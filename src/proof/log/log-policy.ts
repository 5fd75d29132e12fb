import { parseDecimal } from '../encoding/decimal.ts';
import { equalBytes } from '../encoding/equal-bytes.ts';
import type { Primitives } from '../primitives.ts';
import { isNoteText, NoteError, parseVerifierKey, SIGNATURE_TYPES, type VerifierKey } from './note.ts';

/** The trusted logs, and the witnesses that must have cosigned their checkpoints (C2SP tlog-policy). */
export interface LogPolicy {
  /** A checkpoint needs the signature of one of them. The key's name is the log's origin. */
  logs: { key: VerifierKey; url: string | null }[];
  /** `name` is the witness's name within the policy, not the one in its signatures. */
  witnesses: { name: string; key: VerifierKey; url: string | null }[];
  /** Null when no witness is required (`quorum none`). */
  quorum: QuorumRule | null;
}

/** A witness that must have cosigned, or a group in which at least `threshold` members must be met. */
export type QuorumRule = { witness: string } | { threshold: number; members: readonly QuorumRule[] };

/** Reports the line of a policy that breaks a rule. */
export class LogPolicyError extends Error {
  override readonly name = 'LogPolicyError';
  constructor(
    /** Counted from 1; 0 when the policy has no line. */
    readonly line: number,
    message: string,
  ) {
    super(`line ${line}: ${message}`);
  }
}

/**
 * The maximum number of logs, witnesses and groups together; it also bounds the nesting of groups. C2SP
 * requires at least 96.
 */
const MAX_DEFINITIONS = 1024;

const LOG_TYPES: readonly number[] = [SIGNATURE_TYPES.ed25519, SIGNATURE_TYPES.mlDsa44];
const WITNESS_TYPES: readonly number[] = [SIGNATURE_TYPES.cosignature, SIGNATURE_TYPES.mlDsa44];

/**
 * Parses a policy. Every line ends with a newline; spaces and tabs separate words; other control characters
 * are refused. A name is defined once, before its use, and belongs to at most one group. Two logs, or two
 * witnesses, must not share a public key. Two keys must not share name and key id: a signature line would be
 * of both, and somebody can search for a key with the id of another. There is exactly one quorum. Keys of
 * logs have the types 0x01 and 0x06, keys of witnesses 0x04 and 0x06. At most 1,024 logs, witnesses and
 * groups together. @throws LogPolicyError
 */
export function parseLogPolicy(primitives: Primitives, text: string): LogPolicy {
  const lines = text.split('\n');
  const rest = lines.pop();
  if (rest !== '') throw new LogPolicyError(lines.length + 1, 'the line does not end with a newline');
  const reader = new PolicyReader(primitives);
  for (const line of lines) reader.read(line);
  return reader.finish();
}

/** The state of the parser of one policy. */
class PolicyReader {
  readonly #primitives: Primitives;
  readonly #policy: LogPolicy = { logs: [], witnesses: [], quorum: null };
  /** Witnesses and groups share one namespace. */
  readonly #rules = new Map<string, QuorumRule>();
  /** The names that already belong to a group. */
  readonly #members = new Set<string>();
  #hasQuorum = false;
  #definitions = 0;
  #line = 0;

  constructor(primitives: Primitives) {
    this.#primitives = primitives;
  }

  read(line: string): void {
    this.#line++;
    if (!isNoteText(line.replaceAll('\t', ' ')) || line.includes('\x7f'))
      throw this.#problem('the line has a control character');
    const [keyword = '', ...words] = line.split(/[ \t]+/).filter((word) => word !== '');
    if (keyword === '' || keyword.startsWith('#')) return;
    if (keyword === 'quorum') this.#readQuorum(words);
    else this.#define(keyword, words);
  }

  finish(): LogPolicy {
    if (!this.#hasQuorum) throw this.#problem('the policy ends without a quorum');
    return this.#policy;
  }

  #define(keyword: string, words: readonly string[]): void {
    if (++this.#definitions > MAX_DEFINITIONS)
      throw this.#problem(`more than ${MAX_DEFINITIONS} definitions`);
    if (keyword === 'log') this.#readLog(words);
    else if (keyword === 'witness') this.#readWitness(words);
    else if (keyword === 'group') this.#readGroup(words);
    else throw this.#problem('the line does not begin with log, witness, group or quorum');
  }

  #readLog([vkey, url, ...rest]: readonly string[]): void {
    if (vkey === undefined || rest.length > 0) throw this.#problem('the line is not "log <vkey> [<url>]"');
    const key = this.#readKey(vkey, LOG_TYPES);
    this.#refuseDuplicate(key, this.#policy.logs);
    this.#policy.logs.push({ key, url: url ?? null });
  }

  #readWitness([name, vkey, url, ...rest]: readonly string[]): void {
    if (name === undefined || vkey === undefined || rest.length > 0) {
      throw this.#problem('the line is not "witness <name> <vkey> [<url>]"');
    }
    const key = this.#readKey(vkey, WITNESS_TYPES);
    this.#refuseDuplicate(key, this.#policy.witnesses);
    this.#name(name, { witness: name });
    this.#policy.witnesses.push({ name, key, url: url ?? null });
  }

  #readGroup([name, count, ...names]: readonly string[]): void {
    if (name === undefined || count === undefined || names.length === 0) {
      throw this.#problem('the line is not "group <name> all|any|<k> <name>..."');
    }
    const threshold = thresholdOf(count, names.length);
    if (threshold === null)
      throw this.#problem(`${count} is not all, any or a number from 1 to ${names.length}`);
    const members = names.map((member) => this.#member(member));
    this.#name(name, { threshold, members });
  }

  #readQuorum([name, ...rest]: readonly string[]): void {
    if (name === undefined || rest.length > 0) throw this.#problem('the line is not "quorum <name>"');
    if (this.#hasQuorum) throw this.#problem('the policy has a second quorum');
    this.#hasQuorum = true;
    if (name !== 'none') this.#policy.quorum = this.#rule(name);
  }

  #name(name: string, rule: QuorumRule): void {
    if (name === 'none' || this.#rules.has(name)) throw this.#problem(`the name ${name} is already used`);
    this.#rules.set(name, rule);
  }

  #member(name: string): QuorumRule {
    const rule = this.#rule(name);
    if (this.#members.has(name)) throw this.#problem(`${name} is already a member of a group`);
    this.#members.add(name);
    return rule;
  }

  #rule(name: string): QuorumRule {
    const rule = this.#rules.get(name);
    if (rule === undefined) throw this.#problem(`no previous line defines a witness or group ${name}`);
    return rule;
  }

  #readKey(vkey: string, types: readonly number[]): VerifierKey {
    let key: VerifierKey;
    try {
      key = parseVerifierKey(this.#primitives, vkey);
    } catch (error) {
      if (!(error instanceof NoteError)) throw error;
      throw this.#problem(error.message);
    }
    if (!types.includes(key.type)) throw this.#problem(`a key of type ${key.type} is not allowed here`);
    return key;
  }

  #refuseDuplicate({ name, keyId, publicKey }: VerifierKey, others: readonly { key: VerifierKey }[]): void {
    const isSameKey = ({ key }: { key: VerifierKey }): boolean => equalBytes(key.publicKey, publicKey);
    if (others.some(isSameKey)) throw this.#problem('the public key is the same as in a previous line');
    const isNamedSo = ({ key }: { key: VerifierKey }): boolean => key.name === name && key.keyId === keyId;
    if ([...this.#policy.logs, ...this.#policy.witnesses].some((line) => isNamedSo(line) && !isSameKey(line)))
      throw this.#problem('another key in a previous line has the same name and key id');
  }

  #problem(message: string): LogPolicyError {
    return new LogPolicyError(this.#line, message);
  }
}

function thresholdOf(count: string, members: number): number | null {
  if (count === 'any') return 1;
  if (count === 'all') return members;
  const threshold = parseDecimal(count);
  return threshold !== null && threshold >= 1 && threshold <= members ? threshold : null;
}

/**
 * Returns whether the cosignatures meet the quorum. @param cosigned the names of the witnesses in the policy
 */
export function meetsQuorum(policy: Pick<LogPolicy, 'quorum'>, cosigned: ReadonlySet<string>): boolean {
  return policy.quorum === null || isMet(policy.quorum, cosigned);
}

function isMet(rule: QuorumRule, cosigned: ReadonlySet<string>): boolean {
  if ('witness' in rule) return cosigned.has(rule.witness);
  return rule.members.filter((member) => isMet(member, cosigned)).length >= rule.threshold;
}
