import { describe, expect, test } from 'bun:test';
import { ApiError } from '../../../../src/platform/http/errors/errors.ts';
import { enteredIn, placeIn, searchOf, searchPath } from '../../../../src/staffing/pages/entered.ts';
import { STATE_NAMES } from '../../../../src/staffing/pages/page/states.ts';
import { stateOf } from '../../../../src/staffing/registry/vocabulary/states.ts';

const parameters = (query: string): URLSearchParams => new URLSearchParams(query);

describe('what a URL has for the search form', () => {
  test('is trimmed, without empty and unknown fields; a URL without any field is no search', () => {
    expect(enteredIn(parameters('surname=+O%27Brien+&state=&utm_source=x'))).toEqual({ surname: "O'Brien" });
    expect(enteredIn(parameters('state='))).toEqual({});
    expect(enteredIn(parameters('utm_source=x&cursor=y'))).toBeNull();
  });

  test('becomes the query of the API: a ZIP code of a ZIP+4 code, and match only with a surname', () => {
    const asked = { postal_code: '78701-1234', match: 'exact', city: 'Austin' };
    expect(searchOf(asked, null)).toEqual({ postal_code: '78701', city: 'Austin', include_total: 'true' });
    expect(searchOf({ surname: 'x', match: 'exact' }, 'c')).toMatchObject({ match: 'exact', cursor: 'c' });
  });

  test('is refused with the name of the field', () => {
    const issuesOf = (entered: Record<string, string>) => {
      try {
        searchOf(entered, null);
        return {};
      } catch (error) {
        return error instanceof ApiError ? error.details.issues : error;
      }
    };
    expect(issuesOf({ postal_code: '12' })).toEqual({
      postal_code: ['must be five digits, or the first three of them'],
    });
    expect(issuesOf({ surname: 'x'.repeat(101) })).toHaveProperty('surname');
    expect(issuesOf({ surname: 'x', match: 'fuzzy' })).toHaveProperty('match');
  });

  test('survives the way into a link and back', () => {
    const entered = { surname: `"><b>&=+ ümläut`, specialty: 'L&D', city: 'Coeur d’Alene' };
    const path = searchPath(entered, { page: 2, cursor: 'a-b_c' });
    expect(enteredIn(new URL(path, 'http://localhost').searchParams)).toEqual(entered);
    expect(placeIn(new URL(path, 'http://localhost').searchParams)).toEqual({ cursor: 'a-b_c', page: 2 });
    expect(enteredIn(new URL(searchPath({}), 'http://localhost').searchParams)).toEqual({});
  });

  test('has a page number that is only shown, and only with a cursor', () => {
    for (const page of ['x', '-1', '0', '1', '1.5', '']) {
      expect(placeIn(parameters(`cursor=c&page=${page}`))).toEqual({ cursor: 'c', page: 1 });
    }
    expect(placeIn(parameters('page=7'))).toEqual({ cursor: null, page: 1 });
  });
});

test('the form offers exactly the states that a search accepts', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const accepted = letters.flatMap((first) => letters.map((second) => first + second)).filter(stateOf);
  expect(Object.keys(STATE_NAMES).sort()).toEqual(accepted);
});
