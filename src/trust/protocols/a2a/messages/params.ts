import { isJsonObject, type JsonObject, type JsonValue } from '../../../../proof/encoding/json.ts';
import { type FieldViolation, RpcError } from './rpc-error.ts';

const MAX_INT32 = 2_147_483_647;
/** The longest id that a client can choose, in characters. */
const MAX_ID = 128;

/**
 * Reads the members of `params` and collects what is wrong with them. A member that is null counts as absent
 * (ProtoJSON). `context_id`, as in the Protocol Buffers definition, is accepted for `contextId`.
 */
export class ParamsReader {
  constructor(
    private readonly members: JsonObject,
    private readonly path = '',
    private readonly violations: FieldViolation[] = [],
  ) {}

  /** Returns the value of a member; null if it is absent. */
  value(name: string): JsonValue {
    const { members } = this;
    if (Object.hasOwn(members, name)) return members[name] ?? null;
    const written = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return Object.hasOwn(members, written) ? (members[written] ?? null) : null;
  }

  /** Returns text with 1 to `most` characters; null if it is absent or wrong. */
  text(name: string, most: number): string | null {
    const value = this.value(name);
    if (value === null) return null;
    if (typeof value === 'string' && value.length >= 1 && value.length <= most) return value;
    return this.wrong(name, `must be a string with 1 to ${most} characters`);
  }

  /** Returns an id that the client chose; null if it is absent or wrong. */
  id(name: string): string | null {
    const id = this.text(name, MAX_ID);
    // The database would end the text at U+0000.
    return id !== null && /\p{Cc}/u.test(id) ? this.wrong(name, 'must have no control characters') : id;
  }

  /** Returns a required id; empty if it is absent or wrong. */
  requiredId(name: string): string {
    if (this.value(name) === null) this.wrong(name, 'is required');
    return this.id(name) ?? '';
  }

  /** Returns an integer of at least `least`; null if it is absent or wrong. */
  integer(name: string, least: number, most = MAX_INT32): number | null {
    const value = this.value(name);
    if (value === null) return null;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
    return this.wrong(name, `must be an integer from ${least} to ${most}`);
  }

  flag(name: string): boolean | null {
    const value = this.value(name);
    if (value === null || typeof value === 'boolean') return value;
    return this.wrong(name, 'must be true or false');
  }

  /** Returns a list; null if it is absent or wrong. */
  list(name: string): JsonValue[] | null {
    const value = this.value(name);
    if (value === null || Array.isArray(value)) return value;
    return this.wrong(name, 'must be an array');
  }

  /** Returns a list of strings with 1 to `most` characters; null if it is absent or wrong. */
  texts(name: string, most: number): string[] | null {
    const list = this.list(name);
    if (list === null) return null;
    const texts = list.filter((one) => typeof one === 'string' && one.length >= 1 && one.length <= most);
    if (texts.length === list.length) return texts.map(String);
    return this.wrong(name, `must be an array of strings with 1 to ${most} characters`);
  }

  object(name: string): JsonObject | null {
    const value = this.value(name);
    if (value === null || isJsonObject(value)) return value;
    return this.wrong(name, 'must be an object');
  }

  /** Returns the reader of a member that is an object; null if it is absent or wrong. */
  inside(name: string): ParamsReader | null {
    const object = this.object(name);
    return object === null ? null : new ParamsReader(object, `${this.path}${name}.`, this.violations);
  }

  /** Records what is wrong with a member. */
  wrong(name: string, description: string): null {
    this.violations.push({ field: `${this.path}${name}`, description });
    return null;
  }

  /** @throws RpcError if a member is wrong */
  finish(): void {
    const [first] = this.violations;
    if (first === undefined) return;
    throw new RpcError('params', `${first.field} ${first.description}.`, { violations: this.violations });
  }
}
