import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import type { JsonObject, JsonValue } from '../../proof/encoding/json.ts';
import type { Steps } from '../../proof/encoding/steps.ts';
import { Refusal } from '../http/errors/errors.ts';

/** The fields that are read in one step: 0.1 ms. */
const STEP = 256;
/** The maximum depth of messages, which is about 64 levels of JSON. */
const MAX_DEPTH = 32;
/** The bytes that OTLP/JSON writes in hexadecimal; others are base64. */
const HEXADECIMAL = ['traceId', 'spanId', 'parentSpanId'];

type ReadScalar = (reader: BinaryReader, bytes: Buffer) => JsonValue;

/** How a field of a message is read. */
interface Field {
  name: string;
  isList: boolean;
  wireType: WireType;
  /** Reads a scalar from the reader of some bytes; null for a message. */
  read: ReadScalar | null;
  /** The fields of the message; null for a scalar. */
  fields: (() => Fields) | null;
  /** The names of the other members of its oneof, which it replaces. */
  others: readonly string[];
}

/** The fields of a message by number. */
type Fields = readonly (Field | undefined)[];

/** A message that is being read. */
interface Frame {
  fields: Fields;
  into: JsonObject;
  /** The position after it. */
  end: number;
  /** For the packed elements of a list, which are no fields. */
  packed?: { read: ReadScalar; list: JsonValue[] };
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const known = new WeakMap<DescMessage, Fields>();

/** A message as far as it has been read. */
interface Reading {
  reader: BinaryReader;
  bytes: Buffer;
  /** The messages that are not complete, from the outermost to the innermost. */
  frames: Frame[];
  items: number;
  maxItems: number;
}

/**
 * Decodes a protobuf message into the form that OTLP/JSON has for it, in steps (protobuf wire format; OTLP
 * 1.10, "JSON Protobuf Encoding"): 64-bit integers are decimal texts, enumerations are numbers, and ids of
 * traces are hexadecimal. Fields that are not in `message` are skipped. A step reads 256 fields, so that one
 * large message does not hold up others, as `fromBinary` of the library would.
 * @param message its description, from the generated code
 * @param maxItems the maximum number of fields and packed elements together
 * @throws Refusal invalid
 */
export function* decodeMessage(message: DescMessage, bytes: Uint8Array, maxItems: number): Steps<JsonObject> {
  const whole: JsonObject = {};
  const frames = [{ fields: fieldsOf(message), into: whole, end: bytes.byteLength }];
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const reading = { reader: new BinaryReader(bytes), bytes: buffer, frames, items: 0, maxItems };
  while (!readStep(reading)) yield;
  return whole;
}

/**
 * Reads some fields. The library reports what is wrong with the bytes by errors of several types.
 * @returns whether these are all
 */
function readStep(reading: Reading): boolean {
  const { reader, frames } = reading;
  try {
    for (let fields = 0; fields < STEP; ) {
      const frame = frames.at(-1);
      if (frame === undefined) return true;
      if (reader.pos >= frame.end) {
        frames.pop();
        continue;
      }
      fields++;
      count(reading);
      if (frame.packed !== undefined) {
        frame.packed.list.push(frame.packed.read(reader, reading.bytes));
        refuseBeyond(reader, frame.end);
        continue;
      }
      const inner = readField(reading, frame);
      if (inner === null) continue;
      if (frames.length === MAX_DEPTH) throw malformed(`it has more than ${MAX_DEPTH} levels`);
      frames.push(inner);
    }
    return false;
  } catch (error) {
    if (error instanceof Refusal || !(error instanceof Error)) throw error;
    if (error instanceof RangeError) throw malformed('it ends within a field');
    if (error instanceof TypeError) throw malformed('a text is not UTF-8');
    throw malformed(error.message);
  }
}

function count(reading: Reading): void {
  if (++reading.items > reading.maxItems) throw tooManyItems(reading.maxItems);
}

/** Reads one field of a message. @returns the message that begins with it; null for a scalar */
function readField(reading: Reading, { fields, into, end }: Frame): Frame | null {
  const { reader } = reading;
  const [number, wireType] = reader.tag();
  const field = fields[number];
  if (field === undefined) {
    // Groups nest without a length, and no version of OTLP has one.
    if (wireType === WireType.StartGroup || wireType === WireType.EndGroup) {
      throw malformed(`the field ${number} is a group`);
    }
    reader.skip(wireType);
    refuseBeyond(reader, end);
    return null;
  }
  const isPacked = field.isList && field.read !== null && wireType === WireType.LengthDelimited;
  if (wireType !== field.wireType && !isPacked) {
    throw malformed(`the field ${number} (${field.name}) has the wire type ${wireType}`);
  }
  for (const other of field.others) if (other in into) delete into[other];
  if (field.read !== null) {
    if (field.isList && isPacked && field.wireType !== WireType.LengthDelimited) {
      const packed = { read: field.read, list: listIn(into, field.name) };
      return { fields, into, end: endOf(reader, end), packed };
    } else {
      const value = field.read(reader, reading.bytes);
      refuseBeyond(reader, end);
      if (field.isList) listIn(into, field.name).push(value);
      else into[field.name] = value;
    }
    return null;
  }
  const inner = field.isList ? {} : objectIn(into, field.name);
  if (field.isList) listIn(into, field.name).push(inner);
  const innerEnd = endOf(reader, end);
  return field.fields === null ? null : { fields: field.fields(), into: inner, end: innerEnd };
}

/** Reads a length. @returns the position after what has it */
function endOf(reader: BinaryReader, end: number): number {
  const length = reader.uint32();
  if (length > end - reader.pos) throw malformed('it ends within a field');
  return reader.pos + length;
}

function refuseBeyond(reader: BinaryReader, end: number): void {
  if (reader.pos > end) throw malformed('it ends within a field');
}

function listIn(into: JsonObject, name: string): JsonValue[] {
  const known = into[name];
  if (Array.isArray(known)) return known;
  const list: JsonValue[] = [];
  into[name] = list;
  return list;
}

/** Returns the message at a name: parts of a message that occurs twice belong together. */
function objectIn(into: JsonObject, name: string): JsonObject {
  const known = into[name];
  if (typeof known === 'object' && known !== null && !Array.isArray(known)) return known;
  const object: JsonObject = {};
  into[name] = object;
  return object;
}

function malformed(problem: string): Refusal {
  return new Refusal('invalid', {
    message: `The body is not a valid protobuf message: ${problem}.`,
    issues: { body: [`must be a valid protobuf message: ${problem}`] },
  });
}

function tooManyItems(most: number): Refusal {
  const rule = `must have at most ${most} fields and packed elements together`;
  return new Refusal('invalid', { message: `The body ${rule}.`, issues: { body: [rule] } });
}

function fieldsOf(message: DescMessage): Fields {
  const fields = known.get(message) ?? byNumber(message);
  known.set(message, fields);
  return fields;
}

function byNumber(message: DescMessage): Fields {
  const fields: (Field | undefined)[] = [];
  for (const field of message.fields) fields[field.number] = fieldOf(field);
  return fields;
}

function fieldOf(field: DescField): Field {
  const { jsonName: name, message } = field;
  const others = (field.oneof?.fields ?? []).filter((other) => other !== field);
  const common = {
    name,
    isList: field.fieldKind === 'list',
    others: others.map(({ jsonName }) => jsonName),
  };
  if (field.fieldKind === 'map') throw new Error(`${field.toString()} is a map, which OTLP does not have`);
  if (message !== undefined) {
    return {
      ...common,
      wireType: WireType.LengthDelimited,
      read: null,
      fields: () => fieldsOf(message),
    };
  }
  const type = field.scalar ?? ScalarType.INT32;
  return { ...common, ...scalarOf(type, name), fields: null };
}

function scalarOf(type: ScalarType, name: string): Pick<Field, 'wireType' | 'read'> {
  const { Varint, Bit32, Bit64, LengthDelimited } = WireType;
  switch (type) {
    case ScalarType.DOUBLE:
      return { wireType: Bit64, read: (reader) => numberOf(reader.double()) };
    case ScalarType.FLOAT:
      return { wireType: Bit32, read: (reader) => numberOf(reader.float()) };
    case ScalarType.INT32:
      return { wireType: Varint, read: (reader) => reader.int32() };
    case ScalarType.UINT32:
      return { wireType: Varint, read: (reader) => reader.uint32() };
    case ScalarType.SINT32:
      return { wireType: Varint, read: (reader) => reader.sint32() };
    case ScalarType.INT64:
      return { wireType: Varint, read: (reader) => String(reader.int64()) };
    case ScalarType.UINT64:
      return { wireType: Varint, read: (reader) => String(reader.uint64()) };
    case ScalarType.SINT64:
      return { wireType: Varint, read: (reader) => String(reader.sint64()) };
    case ScalarType.FIXED32:
      return { wireType: Bit32, read: (reader) => reader.fixed32() };
    case ScalarType.SFIXED32:
      return { wireType: Bit32, read: (reader) => reader.sfixed32() };
    case ScalarType.FIXED64:
      return { wireType: Bit64, read: (reader) => String(reader.fixed64()) };
    case ScalarType.SFIXED64:
      return { wireType: Bit64, read: (reader) => String(reader.sfixed64()) };
    case ScalarType.BOOL:
      return { wireType: Varint, read: (reader) => reader.bool() };
    case ScalarType.STRING:
      return { wireType: LengthDelimited, read: readText };
    case ScalarType.BYTES: {
      const encoding = HEXADECIMAL.includes(name) ? 'hex' : 'base64';
      return {
        wireType: LengthDelimited,
        read: (reader) => Buffer.from(reader.bytes()).toString(encoding),
      };
    }
  }
}

/** NaN and infinities are texts in the JSON of protobuf. */
function numberOf(value: number): JsonValue {
  return Number.isFinite(value) ? value : String(value);
}

/**
 * Reads a text. The runtime decodes a part of a buffer in half of the time that the library takes.
 * @throws TypeError for a text that is not UTF-8
 */
function readText(reader: BinaryReader, bytes: Buffer): string {
  const length = reader.uint32();
  const start = reader.pos;
  reader.pos += length;
  if (reader.pos > bytes.byteLength) throw malformed('it ends within a field');
  const text = bytes.toString('utf8', start, reader.pos);
  // The mark of what is not UTF-8, which a text may have too.
  return text.includes('\ufffd') ? strict.decode(bytes.subarray(start, reader.pos)) : text;
}
