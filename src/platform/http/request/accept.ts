/** A media range of an Accept header. */
interface Range {
  type: string;
  subtype: string;
  /** 0 to 1. */
  quality: number;
}

/**
 * Which of some media types an Accept header asks for (RFC 9110 section 12.5.1): the one of the highest quality; of equal ones
 * that which it names more precisely, then the first. Without a header, and when it wants none of them, the first as well.
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

/** What the most precise range says that a media type is in. */
function rankOf(offer: string, ranges: readonly Range[]): { quality: number; precision: number } {
  const [type, subtype] = offer.split('/');
  let found = { quality: 0, precision: 0 };
  for (const range of ranges) {
    if (range.type !== type && range.type !== '*') continue;
    if (range.subtype !== subtype && range.subtype !== '*') continue;
    const precision = 1 + (range.type === '*' ? 0 : 1) + (range.subtype === '*' ? 0 : 1);
    if (precision > found.precision) found = { quality: range.quality, precision };
  }
  return found;
}

/** What is no media range, or has no quality that there is, says nothing. */
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
