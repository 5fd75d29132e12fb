import { isJsonObject, type JsonValue } from '../encoding/json.ts';

/** The format of a string: a test, and its description for messages. */
export interface TextForm {
  fits(text: string): boolean;
  words: string;
}

/** A hostile document can have millions of problems; nobody reads more than the first ones. */
const MAX_PROBLEMS = 50;

/**
 * Reads one value of a parsed document. A value of the wrong form is reported once, with its path
 * (`controls[2].status is missing`), and reading continues with a placeholder; use what was read only if
 * there is no problem.
 */
export class DocumentReader {
  readonly #value: JsonValue | undefined;
  readonly #path: string;
  readonly #problems: string[];

  constructor(value: JsonValue | undefined, path: string, problems: string[]) {
    this.#value = value;
    this.#path = path;
    this.#problems = problems;
  }

  /** Returns the reader of a member. Reports the object if it is none, and then nothing about its members. */
  member(name: string): DocumentReader {
    const path = this.#path === '' ? name : `${this.#path}.${name}`;
    if (!isJsonObject(this.#value)) return new DocumentReader(undefined, path, []);
    return new DocumentReader(
      Object.hasOwn(this.#value, name) ? this.#value[name] : undefined,
      path,
      this.#problems,
    );
  }

  /** Returns the value if it is an object, for its members. */
  object(): DocumentReader {
    if (!isJsonObject(this.#value)) this.#refuse('a JSON object');
    return this;
  }

  /** Returns the names and readers of all members. */
  members(): [name: string, reader: DocumentReader][] {
    if (isJsonObject(this.#value)) return Object.keys(this.#value).map((name) => [name, this.member(name)]);
    this.#refuse('a JSON object');
    return [];
  }

  /** Returns the readers of the elements of an array. @param most the maximum number of elements */
  items(most: number): DocumentReader[] {
    const value = this.#value;
    if (Array.isArray(value) && value.length <= most)
      return value.map((item, index) => new DocumentReader(item, `${this.#path}[${index}]`, this.#problems));
    this.#refuse(`an array of at most ${most} elements`);
    return [];
  }

  /** Returns null for null, else what `read` reads. */
  nullable<T>(read: (value: DocumentReader) => T): T | null {
    return this.#value === null ? null : read(this);
  }

  text({ fits, words }: TextForm): string {
    const value = this.#value;
    if (typeof value === 'string' && fits(value)) return value;
    this.#refuse(words);
    return '';
  }

  oneOf<T extends string>(names: readonly [T, ...T[]]): T {
    const known = names.find((name) => name === this.#value);
    if (known === undefined) this.#refuse(`one of ${names.join(', ')}`);
    return known ?? names[0];
  }

  /** Returns an integer from 0 to 2^53 − 1. */
  count(): number {
    const value = this.#value;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    this.#refuse('a whole number from 0 to 2^53 − 1');
    return 0;
  }

  /** Returns true or false. */
  flag(): boolean {
    if (typeof this.#value !== 'boolean') this.#refuse('true or false');
    return this.#value === true;
  }

  /** Returns the value of a document that another function reads; null for none. */
  value(): JsonValue {
    return this.#value ?? null;
  }

  /** Returns whether there is a value: a member may be absent. */
  isPresent(): boolean {
    return this.#value !== undefined;
  }

  /** Reports a value that is not the only possible one. */
  only(value: string | number | boolean): void {
    if (this.#value !== value) this.#refuse(JSON.stringify(value));
  }

  #refuse(words: string): void {
    if (this.#problems.length >= MAX_PROBLEMS) return;
    const name = this.#path === '' ? 'the document' : this.#path;
    this.#problems.push(this.#value === undefined ? `${name} is missing` : `${name} is not ${words}`);
  }
}
