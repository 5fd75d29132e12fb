/** A media range of an Accept header. */
interface Range {
  type: string;
  subtype: string;
  /** 0 to 1. */
  quality: number;
}

/**
 * Returns the media type that an Accept header prefers (RFC 9110 section 12.5.1): the highest quality, then
 * the most specific match, then the first offered. Returns the first one even without a header or a match.
 */
export function preferredType<Type extends string>(
  header: string | null,
  offered: readonly [Type, ...Type[]],
): Type {
  const ranges = (header ?? '').split(',').flatMap(rangeOf);
  let [best] = offered;
  let highest = { quality: 0, precision: 0 };
  for (const offer of offered) {
    const rank = rankOf(offer, ranges);
    const isBetter =
      rank.quality > highest.quality ||
      (rank.quality === highest.quality && rank.quality > 0 && rank.precision > highest.precision);
    if (!isBetter) continue;
    best = offer;
    highest = rank;
  }
  return best;
}

/**
 * Returns whether a request prefers a page (text/html) to JSON. JSON is the default, even where any type is
 * accepted.
 */
export function prefersPage({ headers }: Request): boolean {
  const accept = headers.get('accept');
  // Nearly all programs send one of these, and parsing takes longer.
  if (accept === null || accept === '*/*' || accept === 'application/json') return false;
  return preferredType(accept, ['application/json', 'text/html']) === 'text/html';
}

/** Returns the quality of the most specific range that matches a media type. */
function rankOf(offer: string, ranges: readonly Range[]): { quality: number; precision: number } {
  const [type, subtype] = offer.split('/');
  let mostSpecific = { quality: 0, precision: 0 };
  for (const range of ranges) {
    if (range.type !== type && range.type !== '*') continue;
    if (range.subtype !== subtype && range.subtype !== '*') continue;
    const precision = 1 + (range.type === '*' ? 0 : 1) + (range.subtype === '*' ? 0 : 1);
    if (precision > mostSpecific.precision) mostSpecific = { quality: range.quality, precision };
  }
  return mostSpecific;
}

/** Parses a media range. Ignores invalid ranges and qualities. */
function rangeOf(text: string): Range[] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const [, type = '', subtype = ''] = /^([^\s/]+)\/([^\s/]+)$/.exec(name) ?? [];
  if (type === '' || (type === '*' && subtype !== '*')) return [];
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  if (weight === undefined) return [{ type, subtype, quality: 1 }];
  return /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight)
    ? [{ type, subtype, quality: Number(weight.slice(2)) }]
    : [];
}
