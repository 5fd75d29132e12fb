import { isJsonObject, type JsonObject, type JsonValue } from '../../src/proof/encoding/json.ts';

/** A document with one thing changed. */
export interface Tampered {
  /** The path of what was changed, such as `controls[2].status`. */
  path: string;
  how: 'changed' | 'removed' | 'of another type' | 'with another member' | 'shortened' | 'lengthened';
  document: JsonObject;
}

type Place = readonly (string | number)[];

/**
 * Returns the document with each of its values changed, one at a time: each member removed, changed to
 * another value of its type and to values of other types, each array shortened and lengthened, and each
 * object with another member. Of arrays of more than `most` elements only the first and the last are changed.
 */
export function tamperings(document: JsonObject, most = 3): Tampered[] {
  const found: Tampered[] = [];
  const add = (how: Tampered['how'], place: Place, value: JsonValue | undefined): void => {
    found.push({ path: pathOf(place), how, document: replaced(document, place, value) });
  };
  const visit = (value: JsonValue, place: Place): void => {
    if (place.length > 0) {
      add('removed', place, undefined);
      const others: JsonValue[] = [null, 7.5, 'x', [value], {}];
      for (const other of others) if (!Bun.deepEquals(other, value)) add('of another type', place, other);
    }
    if (typeof value === 'string') for (const other of otherTexts(value)) add('changed', place, other);
    if (typeof value === 'number')
      for (const other of [value + 1, value - 1, 0.5, -value])
        if (other !== value) add('changed', place, other);
    if (Array.isArray(value)) {
      const [first] = value;
      add('lengthened', place, [...value, first ?? 'x']);
      if (!Bun.deepEquals(value.toReversed(), value)) add('changed', place, value.toReversed());
      for (const [index, item] of value.entries())
        if (index < most - 1 || index === value.length - 1) visit(item, [...place, index]);
    }
    if (isJsonObject(value)) {
      add('with another member', place, { ...value, another: 1 });
      for (const [name, member] of Object.entries(value)) visit(member, [...place, name]);
    }
  };
  visit(document, []);
  return found;
}

/** Another first character, another last one, and nothing. */
function otherTexts(text: string): string[] {
  const other = (character: string | undefined): string => (character === '1' ? '2' : '1');
  return [
    other(text[0]) + text.slice(1),
    text.slice(0, -1) + other(text.at(-1)),
    text.toUpperCase(),
    '',
  ].filter((changed) => changed !== text);
}

function pathOf(place: Place): string {
  return place
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
}

/** Returns a copy of the document with another value at a place; undefined removes it. */
export function replaced(document: JsonObject, place: Place, value: JsonValue | undefined): JsonObject {
  const changed = at(document, place, value);
  if (!isJsonObject(changed)) throw new Error('a document stays an object');
  return changed;
}

function at(
  value: JsonValue | undefined,
  [step, ...rest]: Place,
  to: JsonValue | undefined,
): JsonValue | undefined {
  if (step === undefined) return to;
  if (Array.isArray(value) && typeof step === 'number') {
    const item = at(value[step], rest, to);
    return item === undefined ? value.toSpliced(step, 1) : value.with(step, item);
  }
  if (!isJsonObject(value) || typeof step !== 'string') throw new Error(`there is no ${step}`);
  const { [step]: member, ...others } = value;
  const changed = at(member, rest, to);
  return changed === undefined ? others : { ...value, [step]: changed };
}
