import { describe, expect, test } from 'bun:test';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import { Refusal } from '../../../../src/platform/http/errors/errors.ts';
import { decodeMessage } from '../../../../src/platform/otlp/decode.ts';
import { ExportMetricsServiceRequestSchema } from '../../../../src/platform/otlp/generated/opentelemetry/proto/collector/metrics/v1/metrics_service_pb.ts';
import { inOneGo } from '../../../../src/proof/encoding/steps.ts';
import { decodedMetrics, MetricsRequest } from '../../../support/otlp-protobuf.ts';

const MOST = 20_000;
const decoded = (bytes: Uint8Array, maxItems = MOST) =>
  inOneGo(decodeMessage(ExportMetricsServiceRequestSchema, bytes, maxItems));

/** Why bytes are refused; empty if they are not. */
function problemOf(bytes: Uint8Array, maxItems = MOST): string {
  try {
    decoded(bytes, maxItems);
    return '';
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect(error.cause).toBe('invalid');
    return error.message;
  }
}

const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
const uint32 = fc.nat(2 ** 32 - 1);
const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const bytes = fc.uint8Array({ maxLength: 20 }).map((array) => Buffer.from(array).toString('base64'));
const id = fc
  .uint8Array({ minLength: 8, maxLength: 8 })
  .map((array) => Buffer.from(array).toString('base64'));
const list = <Value>(item: fc.Arbitrary<Value>) => fc.array(item, { maxLength: 3 });
const some = <Members extends Record<string, fc.Arbitrary<unknown>>>(members: Members) =>
  fc.record(members, { requiredKeys: [] });

const { anyValue } = fc.letrec<{ anyValue: unknown; keyValue: unknown }>((tie) => ({
  anyValue: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ stringValue: text }),
    fc.record({ boolValue: fc.boolean() }),
    fc.record({ intValue: int64 }),
    fc.record({ doubleValue: fc.double() }),
    fc.record({ bytesValue: bytes }),
    fc.record({ arrayValue: some({ values: list(tie('anyValue')) }) }),
    fc.record({ kvlistValue: some({ values: list(tie('keyValue')) }) }),
  ),
  keyValue: some({ key: text, value: tie('anyValue') }),
}));
const attributes = list(some({ key: text, value: anyValue }));
const number = fc.oneof(fc.record({ asDouble: fc.double() }), fc.record({ asInt: int64 }), fc.constant({}));
const exemplar = fc
  .tuple(some({ filteredAttributes: attributes, timeUnixNano: uint64, spanId: id, traceId: id }), number)
  .map(([common, value]) => ({ ...common, ...value }));
const common = { attributes, startTimeUnixNano: uint64, timeUnixNano: uint64, flags: uint32 };
const dataPoints = list(
  fc
    .tuple(some({ ...common, exemplars: list(exemplar) }), number)
    .map(([point, value]) => ({ ...point, ...value })),
);
const aggregationTemporality = fc.nat(2);
const histogram = some({
  ...common,
  count: uint64,
  sum: fc.double(),
  bucketCounts: list(uint64),
  explicitBounds: list(fc.double()),
});
const buckets = some({ offset: fc.integer({ min: -100, max: 100 }), bucketCounts: list(uint64) });
const exponential = some({
  ...common,
  scale: fc.integer({ min: -9, max: 9 }),
  positive: buckets,
  negative: buckets,
});
const quantiles = list(some({ quantile: fc.double(), value: fc.double() }));
const form = fc.oneof(
  fc.record({ gauge: some({ dataPoints }) }),
  fc.record({ sum: some({ dataPoints, aggregationTemporality, isMonotonic: fc.boolean() }) }),
  fc.record({ histogram: some({ dataPoints: list(histogram), aggregationTemporality }) }),
  fc.record({ exponentialHistogram: some({ dataPoints: list(exponential), aggregationTemporality }) }),
  fc.record({ summary: some({ dataPoints: list(some({ ...common, quantileValues: quantiles })) }) }),
  fc.constant({}),
);
const metric = fc
  .tuple(some({ name: text, description: text, unit: text, metadata: attributes }), form)
  .map(([named, data]) => ({ ...named, ...data }));
const scope = some({ name: text, version: text, attributes, droppedAttributesCount: uint32 });
const request = some({
  resourceMetrics: list(
    some({
      resource: some({ attributes, droppedAttributesCount: uint32 }),
      scopeMetrics: list(some({ scope, metrics: list(metric), schemaUrl: text })),
      schemaUrl: text,
    }),
  ),
});

/** Writes the ids of traces in hexadecimal, as OTLP/JSON does. */
function withHexadecimalIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withHexadecimalIds);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === 'string' && /^(?:trace|span)Id$/.test(name)
        ? Buffer.from(member, 'base64').toString('hex')
        : withHexadecimalIds(member),
    ]),
  );
}

const encoded = (value: object) =>
  new Uint8Array(MetricsRequest.encode(MetricsRequest.fromObject(value)).finish());

describe('A request in the binary encoding of OTLP', () => {
  test('is decoded as protobufjs decodes it', () => {
    fc.assert(
      fc.property(request, (value) => {
        const sent = encoded(value);
        expect(decoded(sent) as unknown).toEqual(withHexadecimalIds(decodedMetrics(sent)));
      }),
      { numRuns: 500 },
    );
  });

  test('is decoded or refused, whatever its bytes are', () => {
    fc.assert(
      fc.property(request, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }), (value, changes) => {
        const sent = encoded(value);
        for (const [at, byte] of changes) if (sent.length > 0) sent[at % sent.length] = byte;
        problemOf(sent);
      }),
      { numRuns: 500 },
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (sent) => void problemOf(sent)));
  });

  test('that is cut off within a field is refused, and never half a request', () => {
    const sent = encoded({
      resourceMetrics: [{ schemaUrl: 'schema', scopeMetrics: [{ metrics: [{ name: 'm' }] }] }],
    });
    for (let length = 1; length < sent.length; length++) {
      expect(problemOf(sent.subarray(0, length))).toMatch(
        /^The body is not a valid protobuf message: .+[^.]\.$/,
      );
    }
  });

  test('whose parts are in several pieces is the same as in one', () => {
    const [some, others] = [
      encoded({ resourceMetrics: [{ schemaUrl: 'a' }] }),
      encoded({ resourceMetrics: [{ schemaUrl: 'b' }] }),
    ];
    expect(decoded(Buffer.concat([some, others]))).toEqual({
      resourceMetrics: [{ schemaUrl: 'a' }, { schemaUrl: 'b' }],
    });
    const resource = (write: (writer: BinaryWriter) => void) => (writer: BinaryWriter) => {
      writer.tag(1, WireType.LengthDelimited).fork();
      write(writer);
      writer.join();
    };
    const twice = new BinaryWriter();
    resource((writer) => {
      resource((inner) => inner.tag(2, WireType.Varint).uint32(7))(writer);
      resource((inner) => resource((keyed) => keyed.tag(1, WireType.LengthDelimited).string('k'))(inner))(
        writer,
      );
    })(twice);
    expect(decoded(twice.finish())).toEqual({
      resourceMetrics: [{ resource: { droppedAttributesCount: 7, attributes: [{ key: 'k' }] } }],
    });
  });

  test('has the last of two members that exclude each other', () => {
    const point = (...values: [number, number][]) => {
      const writer = new BinaryWriter();
      for (const number of [1, 2, 2, 5, 1]) writer.tag(number, WireType.LengthDelimited).fork();
      for (const [number, value] of values) {
        if (number === 4) writer.tag(4, WireType.Bit64).double(value);
        else writer.tag(6, WireType.Bit64).sfixed64(value);
      }
      for (let open = 0; open < 5; open++) writer.join();
      return JSON.stringify(decoded(writer.finish()));
    };
    expect(point([4, 1.5], [6, 3])).toContain('{"dataPoints":[{"asInt":"3"}]}');
    expect(point([6, 3], [4, 1.5])).toContain('{"dataPoints":[{"asDouble":1.5}]}');
  });

  test('may have fields of later versions, which are skipped', () => {
    const writer = new BinaryWriter();
    writer.tag(100, WireType.Varint).uint32(5).tag(101, WireType.LengthDelimited).string('new');
    writer.tag(102, WireType.Bit32).fixed32(1).tag(103, WireType.Bit64).fixed64(1);
    expect(decoded(writer.finish())).toEqual({});
  });

  test.each<[string, Uint8Array, string]>([
    ['a group', new BinaryWriter().tag(9, WireType.StartGroup).finish(), 'the field 9 is a group'],
    ['the end of a group', new BinaryWriter().tag(9, WireType.EndGroup).finish(), 'the field 9 is a group'],
    [
      'a number in the place of a message',
      new BinaryWriter().tag(1, WireType.Varint).uint32(1).finish(),
      'the field 1 (resourceMetrics) has the wire type 0',
    ],
    ['a text that is not UTF-8', Uint8Array.of(0x0a, 3, 0x1a, 1, 0xff), 'a text is not UTF-8'],
    ['a length of 4 GiB', Uint8Array.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f), 'it ends within a field'],
    [
      'an inner message that is longer than the outer one',
      Uint8Array.of(0x0a, 2, 0x0a, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0),
      'it ends within a field',
    ],
    [
      'an inner text that is longer than the outer message',
      Uint8Array.of(0x0a, 2, 0x1a, 2, 65, 65),
      'it ends within a field',
    ],
    ['the field 0', Uint8Array.of(0, 0), 'illegal tag: field no 0 wire type 0'],
  ])('with %s is refused', (_what, sent, problem) => {
    expect(problemOf(sent)).toBe(`The body is not a valid protobuf message: ${problem}.`);
  });

  test('that nests values without end is refused', () => {
    let value: object = { stringValue: 'x' };
    for (let level = 0; level < 20; level++) value = { arrayValue: { values: [value] } };
    const sent = encoded({ resourceMetrics: [{ resource: { attributes: [{ key: 'k', value }] } }] });
    expect(problemOf(sent)).toBe('The body is not a valid protobuf message: it has more than 32 levels.');
  });

  test('has as many fields and packed elements as the members and elements of JSON', () => {
    const sent = encoded({ resourceMetrics: Array.from({ length: 100 }, () => ({})) });
    expect(problemOf(sent, 100)).toBe('');
    const rule = 'The body must have at most 99 fields and packed elements together.';
    expect(problemOf(sent, 99)).toBe(rule);
    const bucketCounts = Array.from({ length: 200 }, () => '1');
    const metrics = [{ histogram: { dataPoints: [{ bucketCounts }] } }];
    expect(problemOf(encoded({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }), 99)).toBe(rule);
  });

  test('is decoded in steps, however large one of its messages is', () => {
    const points = Array.from({ length: 9_000 }, () => ({ asDouble: 1 }));
    const sent = encoded({
      resourceMetrics: [{ scopeMetrics: [{ metrics: [{ gauge: { dataPoints: points } }] }] }],
    });
    const steps = decodeMessage(ExportMetricsServiceRequestSchema, sent, MOST);
    let count = 0;
    while (steps.next().done !== true) count++;
    expect(count).toBeGreaterThan(18_000 / 256 - 1);
  });
});
