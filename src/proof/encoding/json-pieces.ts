import { isJsonObject, type JsonObject, type JsonValue, readJsonText, withoutDuplicates } from './json.ts';
import { JsonError, type JsonLimits, JsonScanner, type JsonStructure } from './json-scanner.ts';
import type { Steps } from './steps.ts';

/** The characters that are scanned in one step. */
const SCANNED = 32_768;
const PIECE = 8192;

const BLANK = /^[ \t\n\r]*$/;

/**
 * Parses a long text like `parseJson`, in steps that take about a millisecond: it parses the members and
 * elements of large objects and arrays in pieces, and puts these together. Refuses the same texts for the
 * same reasons, but the message of an `invalid` text may differ.
 * @param piece the characters of members or elements that are parsed in one step; a single one may have more
 * @throws JsonError
 */
export function* parseJsonSteps(text: string, limits: JsonLimits = {}, piece = PIECE): Steps<JsonValue> {
  const pieces = new Pieces(piece);
  const scanner = new JsonScanner(text, limits, pieces);
  for (let end = SCANNED; !scanner.scan(end); end += SCANNED) yield;
  yield;
  const value = yield* pieces.value(text);
  yield;
  return withoutDuplicates(value, scanner.members);
}

/** What to do with a part of the text. All are in the order of the text. */
type Step =
  /** Parse members or elements, and add them to the innermost container. */
  | { kind: 'run'; start: number; end: number }
  /** Begin a container, which is an element, or a member with the name in `nameStart` to `start`. */
  | { kind: 'open'; nameStart: number; start: number; isArray: boolean }
  /** End the innermost container. */
  | { kind: 'close' }
  /** Only white space may be here. */
  | { kind: 'blank'; start: number; end: number };

/** An array or object that has not ended. */
interface Frame {
  isArray: boolean;
  /** The index of its bracket. */
  start: number;
  /** The first character that no step has. */
  runStart: number;
  /** The first character after the last comma. */
  itemStart: number;
  /** Whether a step has its opening bracket: then the rest of it becomes steps too. */
  isLarge: boolean;
  /** Whether the text since `runStart` follows a large container, and ends with the next comma. */
  isAfterLarge: boolean;
}

/** Divides a text into steps while it is scanned. */
class Pieces implements JsonStructure {
  private readonly steps: Step[] = [];
  private readonly open: Frame[] = [];
  private isUnbalanced = false;
  /** The end of the outermost container. */
  private end = 0;

  constructor(private readonly piece: number) {}

  opened(index: number, isArray: boolean): void {
    const frame = { isArray, start: index, runStart: index + 1, itemStart: index + 1 };
    this.open.push({ ...frame, isLarge: false, isAfterLarge: false });
  }

  separated(index: number): void {
    const frame = this.open.at(-1);
    if (frame === undefined) return;
    if (frame.isAfterLarge) {
      this.steps.push({ kind: 'blank', start: frame.runStart, end: index });
      frame.isAfterLarge = false;
      frame.runStart = index + 1;
    } else if (index - frame.runStart >= this.piece) {
      this.begin();
      this.steps.push({ kind: 'run', start: frame.runStart, end: index });
      frame.runStart = index + 1;
    }
    frame.itemStart = index + 1;
  }

  closed(index: number, isArray: boolean): void {
    const frame = this.open.pop();
    if (frame === undefined || frame.isArray !== isArray) this.isUnbalanced = true;
    if (frame?.isLarge !== true) return;
    const { runStart: start, isAfterLarge } = frame;
    this.steps.push({ kind: isAfterLarge ? 'blank' : 'run', start, end: index });
    this.steps.push({ kind: 'close' });
    this.end = index + 1;
    const outer = this.open.at(-1);
    if (outer === undefined) return;
    outer.runStart = index + 1;
    outer.isAfterLarge = true;
  }

  /** Makes the open containers large, the outermost first. */
  private begin(): void {
    let outer: Frame | null = null;
    for (const frame of this.open) {
      if (!frame.isLarge) {
        const { start, isArray } = frame;
        if (outer !== null && outer.runStart < outer.itemStart) {
          this.steps.push({ kind: 'run', start: outer.runStart, end: outer.itemStart - 1 });
        }
        this.steps.push({ kind: 'open', nameStart: outer?.itemStart ?? 0, start, isArray });
        frame.isLarge = true;
      }
      outer = frame;
    }
  }

  /** Parses the text. @throws JsonError invalid */
  *value(text: string): Steps<JsonValue> {
    if (this.steps.length === 0) return readJsonText(text);
    if (this.isUnbalanced || this.open.length > 0) throw unexpected();
    requireBlank(text.slice(this.end));
    const open: Container[] = [];
    let outermost: JsonValue = null;
    for (const step of this.steps) {
      const container = open.at(-1);
      switch (step.kind) {
        case 'blank':
          requireBlank(text.slice(step.start, step.end));
          break;
        case 'run':
          container?.add(text.slice(step.start, step.end));
          break;
        case 'open': {
          const next = new Container(step.isArray);
          const before = text.slice(step.nameStart, step.start);
          if (container === undefined) {
            // Before a second value, there would be the first one.
            requireBlank(before);
            outermost = next.value;
          } else container.attach(before, next.value);
          open.push(next);
          break;
        }
        case 'close':
          open.pop();
          break;
      }
      yield;
    }
    return outermost;
  }
}

/** An array or object that is put together. */
class Container {
  readonly value: JsonValue[] | JsonObject;

  constructor(isArray: boolean) {
    this.value = isArray ? [] : {};
  }

  /** Adds members or elements, without the brackets around them. @throws JsonError invalid */
  add(run: string): void {
    // Without this check, a comma before the closing bracket would be accepted.
    if (BLANK.test(run)) throw unexpected();
    const { value } = this;
    if (Array.isArray(value)) {
      const elements = readJsonText(`[${run}]`);
      if (Array.isArray(elements)) for (const element of elements) value.push(element);
      return;
    }
    const members = readJsonText(`{${run}}`);
    if (isJsonObject(members)) {
      for (const [name, member] of Object.entries(members)) setMember(value, name, member);
    }
  }

  /** Adds a container. @param before the text before it: empty, or a name and a colon @throws JsonError */
  attach(before: string, added: JsonValue): void {
    const { value } = this;
    if (Array.isArray(value)) {
      requireBlank(before);
      value.push(added);
      return;
    }
    // An array cannot continue a value: 1 and [] are no number, as 1 and 0 would be.
    const members = readJsonText(`{${before}[]}`);
    if (isJsonObject(members)) for (const name of Object.keys(members)) setMember(value, name, added);
  }
}

function setMember(object: JsonObject, name: string, value: JsonValue): void {
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
  } else {
    object[name] = value;
  }
}

function requireBlank(text: string): void {
  if (!BLANK.test(text)) throw unexpected();
}

function unexpected(): JsonError {
  return new JsonError('invalid', 'not JSON: Unexpected text between values');
}
