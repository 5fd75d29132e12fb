import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../../../src/proof/encoding/json.ts';
import { JsonOutline } from '../../../../../src/tools/capture/mcp/json-outline.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function outlineOf(text: string, chunk = Number.POSITIVE_INFINITY) {
  const outline = new JsonOutline();
  const all = bytes(text);
  for (let start = 0; start < all.length; start += chunk) {
    const end = outline.feed(all.subarray(start, Math.min(all.length, start + chunk)));
    if (end !== -1) return { end: start + end, members: outline.members, root: outline.root };
  }
  return { end: -1, members: outline.members, root: outline.root };
}

describe('the outline of a message', () => {
  const read: [what: string, text: string, members: JsonObject][] = [
    [
      'a call',
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"id":9}}',
      { id: 7, method: 'tools/call' },
    ],
    ['an escaped method', '{"\\u006dethod":"tools\\/call"}', { method: 'tools/call' }],
    ['an id that is text', ' {"id" : "7" } ', { id: '7' }],
    [
      'a failed result',
      '{"id":1,"result":{"content":[{"isError":1}],"isError":true}}',
      { id: 1, result: { isError: true } },
    ],
    [
      'an error',
      '{"error":{"code":-32601,"data":{"code":1}},"id":null}',
      { error: { code: -32601 }, id: null },
    ],
    [
      'NaN and Infinity elsewhere',
      '{"params":{"x":NaN,"y":-Infinity},"method":"tools/call"}',
      { method: 'tools/call' },
    ],
    ['a byte order mark', '\ufeff{"method":"x"}', { method: 'x' }],
    ['the last of two methods', '{"method":"ping","method":"tools/call"}', { method: 'tools/call' }],
    ['a name within a list', '{"a":["method","x",{"method":"y"}],"method":"z"}', { method: 'z' }],
    ['brackets within text', '{"a":"}]\\"}","id":3}', { id: 3 }],
    ['a method that is too long', `{"method":"${'x'.repeat(2000)}","id":1}`, { id: 1 }],
    ['deep nesting', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)},"id":1}`, { id: 1 }],
  ];
  test.each(read)('of %s has the members that matter, however its bytes are divided', (_, text, members) => {
    for (const chunk of [1, 2, 3, 7, Number.POSITIVE_INFINITY]) {
      const { end, ...outline } = outlineOf(text, chunk);
      expect(outline.members).toEqual(members);
      expect(end).toBe(bytes(text.trimEnd()).length);
    }
  });

  const odd: [text: string, end: number][] = [
    ['hello', -1],
    ['7', -1],
    [']', -1],
    ['"{}"', -1],
    ['x{"a":1}', 8],
    ['\u0000{}', 3],
    ['{a:1}', 5],
    ["{'a':1}", 7],
    ['{"a":/*"*/1}"}', 14],
    ['{"a":1}', 7],
    ['{"a":[NaN,-1.5e+3,true,null]}', 29],
  ];
  test.each(odd)('of %j says where it ends, and whether it is something else', (text, end) => {
    for (const chunk of [1, 3, Number.POSITIVE_INFINITY]) {
      const outline = new JsonOutline();
      let found = -1;
      for (let start = 0; start < text.length && found === -1; start += chunk) {
        found = outline.feed(bytes(text).subarray(start, Math.min(text.length, start + chunk)));
        if (found !== -1) found += start;
      }
      expect([found, outline.isOdd]).toEqual([end, !text.startsWith('{"a":1}') && !text.includes('NaN')]);
    }
  });

  test.each([
    ['{"method":"ping","METHOD":"tools/call"}', true],
    ['{"method":"tools/call","method":"ping"}', true],
    ['{"Method":"tools\\/call"}', true],
    ['{"params":{"method":"tools/call"}}', false],
    ['{"method":["tools/call"]}', false],
  ])('of %s says whether any method calls a tool', (text, isCall) => {
    const outline = new JsonOutline();
    outline.feed(bytes(text));
    expect(outline.isCall).toBe(isCall);
  });

  test.each(['{', '{"a":"}', '[[]', '{"a":{}'])('of %j has no end', (text) => {
    expect(outlineOf(text).end).toBe(-1);
  });

  test('finds the end of any JSON object or array, and the members of any object', () => {
    fc.assert(
      fc.property(fc.json(), fc.string(), fc.integer({ min: 1, max: 9 }), (params, id, chunk) => {
        const text = JSON.stringify({
          a: JSON.parse(params),
          id,
          b: [JSON.parse(params)],
          method: 'tools/call',
        });
        expect(outlineOf(`${text}rest`, chunk).end).toBe(bytes(text).length);
        const { method, id: read } = outlineOf(text, chunk).members;
        expect(method).toBe('tools/call');
        if (bytes(JSON.stringify(id)).length <= 1024) expect(read).toBe(id);
      }),
      { numRuns: 300 },
    );
  });
});
