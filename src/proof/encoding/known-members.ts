import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  readJsonText,
  withoutDuplicates,
} from './json.ts';
import { JsonError, JsonScanner, type JsonStructure } from './json-scanner.ts';

/** Shorter members are parsed each time, with the rest of their object. */
const MEMBER_MIN = 1024;
/** Shorter documents have no such members. Of longer ones none are kept. */
const DOCUMENT_MIN = 4096;
const DOCUMENT_MAX = 131_072;
/** The names of members, and the newest members of each name, that are kept. */
const NAMES_MAX = 8;
const MEMBERS_MAX = 4;
/** Objects in objects in the document are examined; each level reads the text again. */
const LEVELS_MAX = 3;
/** The start of a member with a name without escapes: the name, and how the value begins. */
const START = /^[ \t\n\r]*"([^"\\]+)"[ \t\n\r]*:[ \t\n\r]*([[{"])/;

/** A member that was parsed. */
interface Member {
  name: string;
  value: JsonValue;
}

/**
 * Parses documents that have long members in common, such as the bundles of a list. A member with exactly the
 * same text as one before has the same value, so it is parsed once. Documents share these values: they must
 * not be changed.
 */
export class KnownMembers {
  readonly #known = new Map<string, (Member & { text: string })[]>();

  /** Parses a document like `parseJson`; its members can be in another order. @throws JsonError */
  parse(text: string): JsonValue {
    if (text.length < DOCUMENT_MIN || text.length > DOCUMENT_MAX) return parseJson(text);
    const { object, members } = this.#scanned(text, 1);
    // What is no valid object in parts is none as a whole, and then has its error.
    return withoutDuplicates(object ?? readJsonText(text), members);
  }

  #scanned(text: string, level: number): { object: JsonObject | null; members: number } {
    const outline = new Outline();
    const scanner = new JsonScanner(text, {}, outline);
    scanner.scan(text.length);
    return { object: this.#object(text, outline, level), members: scanner.members };
  }

  /** Returns an object of which at least one member is long; null for any other text. */
  #object(text: string, { start, commas, end }: Outline, level: number): JsonObject | null {
    if (start === -1 || end === -1) return null;
    const others: string[] = [];
    const found: Member[] = [];
    let from = start + 1;
    for (const to of [...commas, end]) {
      const member = text.slice(from, to);
      const long = member.length < MEMBER_MIN ? null : this.#member(member, level);
      if (long === null) others.push(member);
      else found.push(long);
      from = to + 1;
    }
    if (found.length === 0) return null;
    const object = parsed(`${text.slice(0, start)}{${others.join(',')}}${text.slice(end + 1)}`);
    // A blank between two commas is no member.
    if (!isJsonObject(object) || Object.keys(object).length !== others.length) return null;
    for (const { name, value } of found) {
      if (Object.hasOwn(object, name)) return null;
      object[name] = value;
    }
    return object;
  }

  /** Returns a long member; null for one that is not kept, and for what is none. */
  #member(text: string, level: number): Member | null {
    const [start = '', name = '', opening] = START.exec(text) ?? [];
    if (name === '' || name === '__proto__') return null;
    if (opening === '{') {
      if (level === LEVELS_MAX) return null;
      const { object } = this.#scanned(text.slice(start.length - 1), level + 1);
      return object && { name, value: object };
    }
    const ofName = this.#known.get(name) ?? [];
    return ofName.find((one) => one.text === text) ?? this.#learned(text, name, ofName);
  }

  #learned(text: string, name: string, ofName: (Member & { text: string })[]): Member | null {
    const object = parsed(`{${text}}`);
    const value = isJsonObject(object) && Object.keys(object).length === 1 ? object[name] : undefined;
    if (value === undefined) return null;
    if (ofName.length === 0 && this.#known.size === NAMES_MAX) return { name, value };
    ofName.unshift({ text, name, value });
    ofName.splice(MEMBERS_MAX);
    this.#known.set(name, ofName);
    return { name, value };
  }
}

function parsed(text: string): JsonValue {
  try {
    return readJsonText(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return null;
  }
}

/** Where the only object of a text begins and ends, and the commas between its members; −1 for any other. */
class Outline implements JsonStructure {
  start = -1;
  end = -1;
  readonly commas: number[] = [];
  #depth = 0;

  opened(index: number, isArray: boolean): void {
    if (this.#depth++ === 0) this.start = this.end === -1 && !isArray ? index : -1;
  }

  separated(index: number): void {
    if (this.#depth === 1) this.commas.push(index);
  }

  closed(index: number): void {
    if (--this.#depth === 0) this.end = index;
  }
}
