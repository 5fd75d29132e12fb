import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { issuesOf } from '../../../platform/http/errors/issues.ts';
import { commonErrors } from '../../http/errors.ts';
import type { Explorer } from './explorer.ts';
import type { Elsewhere, Shown } from './shown.ts';

type Make<Params, Query> = (
  explorer: Explorer,
  visit: { params: Params; query: Query },
) => Promise<Shown | Elsewhere>;

/** The rate limits of operations that have pages. */
type PageLimit = 'publicReads' | 'gate';

/** The schema of the parameters of a page that has none. */
export const NONE = Type.Object({});

interface Definition<Params extends TProperties, Query extends TProperties> {
  /** The path as a route declares it, such as `/receipts/:id`. */
  path: string;
  /** The name in the navigation; none by default. */
  navigation?: string;
  /** The paths of the API of which this is the page: see `PageRoute`. */
  shows?: readonly string[];
  /** The parameters of the path. Others than the schema allows are 404, as if nothing had this name. */
  params: TObject<Params>;
  /** The known parameters of the query. Unknown ones are ignored, invalid ones are 400. */
  query: TObject<Query>;
  /** The rate limit that it counts against: that of the operations that say the same. */
  limit?: PageLimit;
  /** Where a client goes that does not prefer a page; by default it gets the page, too. */
  programs?: string;
  /** Loads the code of the page, with its first request: most clients are programs. */
  load(): Promise<Make<Static<TObject<Params>>, Static<TObject<Query>>>>;
}

/** A page of the explorer, as its routes use it. */
export interface PageDefinition {
  path: string;
  navigation: string | null;
  shows: readonly string[];
  programs: string | null;
  limit: PageLimit;
  /** Makes the page. @throws ApiError not_found, validation_error, and what the logic of the page throws */
  make(
    explorer: Explorer,
    params: Readonly<Record<string, string>>,
    query: Readonly<Record<string, string>>,
  ): Promise<Shown | Elsewhere>;
}

/** Defines a page, whose code gets checked parameters. */
export function definePage<Params extends TProperties, Query extends TProperties>(
  definition: Definition<Params, Query>,
): PageDefinition {
  const { path, navigation = null, shows = [], programs = null, limit = 'publicReads', load } = definition;
  return {
    path,
    navigation,
    shows,
    programs,
    limit,
    async make(explorer, params, query) {
      const make = await load();
      return make(explorer, {
        params: checked(definition.params, params, () => commonErrors.not_found()),
        query: checked(definition.query, query, (issues) => commonErrors.validation_error({ issues })),
      });
    },
  };
}

/** Returns the values that a schema names. @throws what `refuse` returns */
function checked<Properties extends TProperties>(
  schema: TObject<Properties>,
  values: Readonly<Record<string, string>>,
  refuse: (issues: ReturnType<typeof issuesOf>) => Error,
): Static<TObject<Properties>> {
  const known = Object.fromEntries(
    Object.entries(values).filter(([name]) => Object.hasOwn(schema.properties, name)),
  );
  if (!Value.Check(schema, known)) throw refuse(issuesOf(Value.Errors(schema, known)));
  return known;
}
