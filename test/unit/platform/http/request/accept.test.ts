import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { preferredType } from '../../../../../src/platform/http/request/accept.ts';

const JSON_TYPE = 'application/json';
const SVG = 'image/svg+xml';

describe('the preference of an Accept header between JSON and SVG', () => {
  test.each([
    ['no header', null, JSON_TYPE],
    ['an empty one', '', JSON_TYPE],
    ['anything', '*/*', JSON_TYPE],
    ['SVG', 'image/svg+xml', SVG],
    ['in any case', 'Image/SVG+XML', SVG],
    ['any image', 'image/*', SVG],
    ['both alike', 'image/svg+xml, application/json', JSON_TYPE],
    ['SVG less', 'image/svg+xml;q=0.5, application/json;q=0.6', JSON_TYPE],
    ['SVG more', 'application/json; q=0.5 , image/svg+xml ; q=0.6', SVG],
    ['SVG by name, anything else as well', 'image/svg+xml, */*', SVG],
    ['the image of a page', 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', SVG],
    ['a page', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', JSON_TYPE],
    ['the more precise range holds', 'image/svg+xml;q=0.1, image/*, application/json;q=0.5', JSON_TYPE],
    ['no JSON at all', 'application/json;q=0, */*;q=0.1', SVG],
    ['neither', 'text/html', JSON_TYPE],
    ['neither of them at all', 'image/svg+xml;q=0, application/json;q=0', JSON_TYPE],
    ['a quality that there is not', 'image/svg+xml;q=2, application/json;q=0.1', JSON_TYPE],
    ['no media range', 'svg, */svg+xml, image/svg+xml/x', JSON_TYPE],
    ['parameters', 'image/svg+xml;charset=utf-8;q=0.9, application/json;q=0.8', SVG],
  ])('%s', (_name, header, preferred) => {
    expect(preferredType(header, [JSON_TYPE, SVG])).toBe(preferred);
  });

  test('any header prefers one of them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (header) => {
        expect([JSON_TYPE, SVG]).toContain(preferredType(header, [JSON_TYPE, SVG]));
      }),
    );
  });
});
